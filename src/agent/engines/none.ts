// No engine: the node holds its desired state and answers the panel, but serves nobody. For machines that are prepared
// before their engine is installed.
import type { ApplyResult, DesiredState, DriverFactory, EngineDriver, EngineInfo } from "./contract/driver.ts";
import { noticeOf, itemPlace } from "../notices.ts";
import { reason } from "../../protocol/notices/index.ts";

const CANNOT = {
  hotUsers: true,
  hotInbounds: true,
  sessions: false,
  closeSessions: false,
  speedLimit: false,
  outlivesAgent: false,
} as const;

/** Every object is accepted; what asks for service is a warning. */
export const noneFactory: DriverFactory = {
  kind: "none",
  probe: () => Promise.resolve({ kind: "none", version: "", tags: [], can: CANNOT }),
  create: (info, context) => noEngine(info, `none-${context.now()}`),
};

function noEngine(info: EngineInfo, instance: string): EngineDriver {
  return {
    info,
    status: () => ({ state: "stopped" }),
    restarts: () => 0,
    adopt: () => Promise.resolve(false),
    apply: (desired) => Promise.resolve(notServed(desired)),
    changeUsers: (_change, desired) => Promise.resolve(notServed(desired)),
    counters: () => Promise.resolve({ instance, users: new Map(), rejected: new Map(), connections: 0 }),
    sessions: () => Promise.resolve({ total: 0, rows: [] }),
    closeSessions: () => Promise.resolve(0),
    addresses: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
}

function notServed(desired: DesiredState): ApplyResult {
  const inbounds = Object.values(desired.structure).filter((object) => object.kind === "inbound");
  return {
    how: "stopped",
    warnings: inbounds.map(({ tag }) => noticeOf(itemPlace("inbound", tag), reason("no_engine"))),
  };
}
