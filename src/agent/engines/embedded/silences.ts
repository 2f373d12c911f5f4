// Which connections have been silent for long, as the kernel says it: bytes that were written to a client that is gone
// look like traffic from here.
import { plainAddress } from "../../../lib/written-address.ts";
import { listSockets, SILENT_MS } from "../process/view/sockets.ts";

/** Peers of the silent connections, by `peerKey`. Never rejects: what is not known is not silent. */
export type Silences = () => Promise<ReadonlySet<string>>;

/** One look serves whoever asks within this time: a client that is refused tries again at once. */
const LOOK_MS = 500;

export function peerKey(address: string, port: number): string {
  return `${address} ${port}`;
}

/** `ports`: those that are listened on now. */
export function kernelSilences(
  ports: () => readonly number[],
  now: () => number,
  debug: (message: string, fields: Record<string, unknown>) => void,
): Silences {
  let look: { at: number; found: Promise<ReadonlySet<string>> } | undefined;
  const find = async (): Promise<ReadonlySet<string>> => {
    try {
      const silent = (await listSockets(ports())).filter(({ silentMs }) => silentMs > SILENT_MS);
      return new Set(silent.map(({ address, port }) => peerKey(plainAddress(address), port)));
    } catch (error) {
      debug("sockets were not listed", { error: String(error) });
      return new Set();
    }
  };
  return () => {
    if (!look || Math.abs(now() - look.at) > LOOK_MS) look = { at: now(), found: find() };
    return look.found;
  };
}
