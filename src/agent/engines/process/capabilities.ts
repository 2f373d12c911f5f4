// What a process engine can do on this machine: which of it is the kernel's to grant is tried, not guessed.
import type { Capabilities } from "../contract/driver.ts";
import { speedLimitObjection } from "../portmap/index.ts";
import { probeSockets } from "./view/sockets.ts";

/**
 * `live`: users and inbounds change while it runs. `closesByItself`: the engine ends single connections, whatever
 * rights the agent has.
 */
export async function probeCapabilities({
  live,
  closesByItself = false,
}: {
  live: boolean;
  closesByItself?: boolean;
}): Promise<Capabilities> {
  const sockets = await probeSockets();
  return {
    hotUsers: live,
    hotInbounds: live,
    sessions: sockets.list,
    closeSessions: sockets.close || closesByItself,
    speedLimit: sockets.list && (await speedLimitObjection()) === undefined,
    outlivesAgent: true,
  };
}
