// The port map of an engine's directory, where the machine lets the agent have one.
import type { DriverContext } from "../contract/driver.ts";
import { NftPortMap } from "./nft-port-map.ts";
import type { PortMap } from "./port-map.ts";
import { portMapObjection } from "./probe.ts";

export { portMapObjection, speedLimitObjection } from "./probe.ts";
export { SpeedLimits } from "./speed.ts";

/**
 * The port map that belongs to `directory`: the same for every agent that opens it. Changes nothing; a map that an
 * earlier agent left goes on as it is until `set`. Undefined where it cannot be had: the log says why. Never throws.
 */
export async function openPortMap(directory: string, log: DriverContext["log"]): Promise<PortMap | undefined> {
  const objection = await portMapObjection();
  if (objection === undefined) return new NftPortMap(directory, log);
  log("info", objection);
  return undefined;
}
