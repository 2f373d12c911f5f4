// The embedded engine: a proxy server in the agent's own process. Always there, and the reference for what a driver can
// do.
import type { DriverFactory, EngineInfo } from "../contract/driver.ts";
import { EmbeddedEngine } from "./engine.ts";
import type { EmbeddedOptions } from "./engine.ts";
import { systemResolve } from "./targets.ts";

const DEFAULTS: EmbeddedOptions = {
  resolve: systemResolve,
  maxConnections: 20_000,
  headTimeoutMs: 10_000,
  idleTimeoutMs: 300_000,
  refusalMs: 500,
};

const INFO: EngineInfo = {
  kind: "embedded",
  version: "1.0",
  tags: [],
  can: {
    hotUsers: true,
    hotInbounds: true,
    sessions: true,
    closeSessions: true,
    speedLimit: true,
    outlivesAgent: false,
  },
};

/** A factory with other bounds or another resolver than the usual ones. */
export function createEmbeddedFactory(options: Partial<EmbeddedOptions> = {}): DriverFactory {
  return {
    kind: "embedded",
    probe: async () => INFO,
    create: (info, context) => new EmbeddedEngine(info, context, { ...DEFAULTS, ...options }),
  };
}

export const embeddedFactory: DriverFactory = createEmbeddedFactory();
