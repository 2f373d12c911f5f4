// What an agent needs the right CAP_NET_ADMIN for. An agent that has the right does it itself (`own.ts`); one that a
// panel confines asks its net keeper, a process that has the right and nothing else (`keeper.ts`).
import type { DriverContext } from "../engines/contract/driver.ts";
import type { PortMap } from "../engines/portmap/port-map.ts";
import type { LimitedSession } from "../engines/portmap/speed-table.ts";

/** A TCP connection of an engine. */
export interface CutSocket {
  readonly localPort: number;
  /** As `ss` names it: `192.0.2.1:5000`, `[::ffff:192.0.2.1]:5000`. */
  readonly peer: string;
}

/** The kernel's speed limits of one driver. */
export interface SpeedTable {
  /**
   * Makes these the limits (bytes per second and direction by user) of these connections. A table that somebody flushed
   * is made again.
   */
  hold(limits: ReadonlyMap<number, number>, sessions: readonly LimitedSession[]): Promise<void>;
  takeAway(): Promise<void>;
}

export interface NetAdmin {
  /** Why there can be no port map here, in a sentence; undefined when there can. Never throws. */
  portMapObjection(): Promise<string | undefined>;
  /** The same for speed limits. */
  speedLimitObjection(): Promise<string | undefined>;
  /** The map that belongs to a driver's directory. Changes nothing yet. */
  portMap(directory: string, log: DriverContext["log"]): PortMap;
  speedTable(directory: string): SpeedTable;
  /** Cuts these connections at once. */
  cutSockets(sockets: readonly CutSocket[]): Promise<void>;
}
