// What shows that connections live: the kernel's sockets and datagram flows, and what engines themselves list.
import type { Flow } from "../../../net-admin/nft/port-map.ts";
import type { EngineControl, EngineStream } from "../dialect.ts";
import type { EnginesInView, ListeningInbound } from "./engines-in-view.ts";
import { listSockets, type SocketRow } from "./sockets.ts";

/** A connection in an engine's list, with the process that can close it. */
export interface OwnedStream {
  readonly stream: EngineStream;
  readonly control: EngineControl;
}

/** What was found at one look. Undefined: nothing can tell here, which is not the same as nothing found. */
export interface Evidence {
  /** When the look started, in Unix seconds: it does not cover anything newer. */
  readonly at: number;
  readonly sockets: readonly SocketRow[];
  readonly flows: readonly Flow[] | undefined;
  readonly streams: readonly OwnedStream[] | undefined;
  /** Unix seconds by engine user and address. */
  readonly online: ReadonlyMap<string, ReadonlyMap<string, number>> | undefined;
}

export function hasUdp(inbound: ListeningInbound): boolean {
  return inbound.networks.includes("udp");
}

export function portsOf(inbounds: readonly ListeningInbound[]): number[] {
  return [...new Set(inbounds.flatMap((inbound) => inbound.localPorts))];
}

/**
 * How closely to look. `fresh`: somebody asks, so flows are listed again. `streams`: engines' lists of connections are
 * wanted for inbounds over TCP too.
 */
export interface Look {
  /** Unix seconds of now. */
  readonly at: number;
  readonly fresh: boolean;
  readonly streams: boolean;
}

/**
 * Looks at sockets, flows and the engines' lists of users; at their lists of connections where sockets do not tell, or
 * where they are wanted.
 */
export async function gather(
  engines: EnginesInView,
  inbounds: readonly ListeningInbound[],
  { at, fresh, streams }: Look,
  onError: (error: unknown) => void,
): Promise<Evidence> {
  const overUdp = inbounds.filter(hasUdp);
  const orNothing = async <T>(look: Promise<T | undefined>): Promise<T | undefined> =>
    look.catch((error: unknown) => {
      onError(error);
      return undefined;
    });
  const [sockets, flows, listed, online] = await Promise.all([
    listSockets(portsOf(inbounds.filter((inbound) => inbound.networks.includes("tcp")))),
    overUdp.length > 0 && engines.portMap
      ? orNothing(engines.portMap.flows(new Set(portsOf(overUdp)), fresh))
      : undefined,
    overUdp.length > 0 || streams ? orNothing(allStreams(engines)) : undefined,
    orNothing(allOnline(engines)),
  ]);
  return { at, sockets, flows, streams: listed, online };
}

async function allStreams(engines: EnginesInView): Promise<OwnedStream[] | undefined> {
  const lists = await Promise.all(
    engines.controls().map(async ({ control }) => (await control.streams())?.map((stream) => ({ stream, control }))),
  );
  const known = lists.filter((list) => list !== undefined);
  return known.length > 0 ? known.flat() : undefined;
}

async function allOnline(engines: EnginesInView): Promise<Map<string, Map<string, number>> | undefined> {
  const lists = await Promise.all(engines.controls().map(async ({ control }) => control.onlineAddresses?.()));
  const known = lists.filter((list) => list !== undefined);
  if (known.length === 0) return undefined;
  const all = new Map<string, Map<string, number>>();
  for (const [name, addresses] of known.flatMap((list) => [...list])) {
    const merged = all.get(name) ?? new Map<string, number>();
    for (const [address, at] of addresses) merged.set(address, Math.max(at, merged.get(address) ?? 0));
    all.set(name, merged);
  }
  return all;
}
