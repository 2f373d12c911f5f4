// Ends connections in whichever way the machine and the engine have: the socket, the engine's own list, the flow of
// datagrams.
import type { Flow } from "../../../net-admin/nft/port-map.ts";
import type { EnginesInView } from "./engines-in-view.ts";
import type { OwnedStream } from "./evidence.ts";
import type { LiveSession } from "./liveness.ts";
import { killSockets, type SocketRow } from "./sockets.ts";

/**
 * A QUIC client gives up 30 s after the first unanswered packet; an idle one sends a keep-alive every ten seconds.
 */
export const DROP_SECONDS = 45;

/** `close`: their user may come again at once. `removal`: nothing more may be opened on what is cut. */
export type CutKind = "close" | "removal";

/**
 * Cuts these sessions and resolves to those for which there was a way. `able`: sockets can be cut here (CAP_NET_ADMIN).
 * A close drops a flow only where the engine has no list to close it by: its client notices after half a minute and
 * comes again from another port.
 */
export async function cutSessions(
  sessions: readonly LiveSession[],
  engines: Pick<EnginesInView, "portMap">,
  able: boolean,
  kind: CutKind,
): Promise<LiveSession[]> {
  const sockets: SocketRow[] = [];
  const streams: OwnedStream[] = [];
  const flows: Flow[] = [];
  const cut = sessions.filter((session) => {
    const bySocket = able && session.socket !== undefined;
    const byFlow =
      engines.portMap !== undefined && session.flows.length > 0 && (kind === "removal" || session.streams.length === 0);
    if (bySocket && session.socket) sockets.push(session.socket);
    else streams.push(...session.streams);
    if (byFlow) flows.push(...session.flows);
    return bySocket || byFlow || session.streams.length > 0;
  });
  await Promise.all([
    killSockets(sockets),
    closeStreams(streams),
    flows.length > 0 ? engines.portMap?.dropFlows(uniqueFlows(flows), DROP_SECONDS) : undefined,
  ]);
  return cut;
}

/**
 * Closes connections that engines list, each through its own engine. A connection that is already closed is no error.
 */
export async function closeStreams(streams: readonly OwnedStream[]): Promise<void> {
  const byControl = Map.groupBy(streams, ({ control }) => control);
  await Promise.all(
    [...byControl].map(async ([control, owned]) => control.closeStreams(owned.map(({ stream }) => stream.id))),
  );
}

function uniqueFlows(flows: readonly Flow[]): Flow[] {
  return [...new Map(flows.map((flow) => [`${flow.localPort}|${flow.address}|${flow.port}`, flow])).values()];
}
