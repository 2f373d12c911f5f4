// Xray as an engine: found on the PATH, driven through its own process.
import type { DriverFactory } from "../contract/driver.ts";
import { probeCapabilities } from "../process/capabilities.ts";
import { ProcessDriver } from "../process/driver.ts";
import { markOf } from "../process/lifecycle/tag-mark.ts";
import { installedVersion } from "./binary.ts";
import { xrayDialect } from "./dialect.ts";

export const xrayFactory: DriverFactory = {
  kind: "xray",

  async probe() {
    const version = await installedVersion();
    if (version === undefined) return undefined;
    return { kind: "xray", version, tags: [], can: await probeCapabilities({ live: true }) };
  },

  create: (info, context) => new ProcessDriver(xrayDialect(info.version, markOf(context.directory)), info, context),
};
