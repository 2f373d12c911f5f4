// v2ray as an engine: found on the PATH, driven through its own process.
import type { DriverFactory } from "../contract/driver.ts";
import { installedVersion } from "./binary.ts";
import { probeCapabilities } from "../process/capabilities.ts";
import { ProcessDriver } from "../process/driver.ts";
import { v2rayDialect } from "./dialect.ts";

export const v2rayFactory: DriverFactory = {
  kind: "v2ray",

  async probe() {
    const version = await installedVersion();
    if (version === undefined) return undefined;
    return { kind: "v2ray", version, tags: [], can: await probeCapabilities({ live: true }) };
  },

  create: (info, context) => new ProcessDriver(v2rayDialect, info, context),
};
