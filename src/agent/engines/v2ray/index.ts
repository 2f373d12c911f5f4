// v2ray as an engine: found on the PATH, driven through its own process.
import type { DriverFactory } from "../driver.ts";
import { probeSockets } from "../process/sockets.ts";
import { installedVersion } from "./binary.ts";
import { V2rayDriver } from "./driver.ts";

export const v2rayFactory: DriverFactory = {
  kind: "v2ray",

  async probe() {
    const version = await installedVersion();
    if (version === undefined) return undefined;
    const sockets = await probeSockets();
    return {
      kind: "v2ray",
      version,
      tags: [],
      can: {
        hotUsers: true,
        hotInbounds: true,
        sessions: sockets.list,
        closeSessions: sockets.close,
        speedLimit: false,
        outlivesAgent: true,
      },
    };
  },

  create: (info, context) => new V2rayDriver(info, context),
};
