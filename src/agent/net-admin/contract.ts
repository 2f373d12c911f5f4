// What an agent needs the right CAP_NET_ADMIN for. An agent that has the right does it itself (`own.ts`); one that a
// panel confines asks its net keeper, a process that has the right and nothing else (`keeper.ts`).
import type { Log } from "../problem-log.ts";
import type { PortMap } from "./nft/port-map.ts";
import type { SpeedTable } from "./nft/speed-table.ts";

/** A TCP connection of an engine. */
export interface CutSocket {
  readonly localPort: number;
  /** As `ss` names it: `192.0.2.1:5000`, `[::ffff:192.0.2.1]:5000`. */
  readonly peer: string;
}

export interface NetAdmin {
  /** Why there can be no port map here, in a sentence; undefined when there can. Never throws. */
  portMapObjection(): Promise<string | undefined>;
  /** The same for speed limits. */
  speedLimitObjection(): Promise<string | undefined>;
  /** The map that belongs to a driver's directory. Changes nothing yet. */
  portMap(directory: string, log: Log): PortMap;
  speedTable(directory: string): SpeedTable;
  /** Cuts these connections at once. */
  cutSockets(sockets: readonly CutSocket[]): Promise<void>;
}
