// The port map of an engine's directory, where the machine lets the agent have one.
import type { Log } from "../../problem-log.ts";
import { netAdmin } from "../../net-admin/index.ts";
import type { PortMap } from "../../net-admin/nft/port-map.ts";

export { SpeedLimits } from "./speed.ts";

/** Why there can be no port map here, in a sentence; undefined when there can. Never throws. */
export async function portMapObjection(): Promise<string | undefined> {
  return netAdmin().portMapObjection();
}

/** The same for speed limits. */
export async function speedLimitObjection(): Promise<string | undefined> {
  return netAdmin().speedLimitObjection();
}

/**
 * The port map that belongs to `directory`: the same for every agent that opens it. Changes nothing; a map that an
 * earlier agent left goes on as it is until `set`. Undefined where it cannot be had: the log says why. Never throws.
 */
export async function openPortMap(directory: string, log: Log): Promise<PortMap | undefined> {
  const objection = await portMapObjection();
  if (objection === undefined) return netAdmin().portMap(directory, log);
  log("info", objection);
  return undefined;
}
