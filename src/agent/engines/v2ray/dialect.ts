// v2ray 4.34 as a dialect of the process driver.
import type { Dialect } from "../process/dialect.ts";
import { parseAccessLine } from "../process/view/access-log.ts";
import { raysControl } from "../rays/control.ts";
import { lastReason } from "../rays/last-reason.ts";
import { isBlackhole } from "../rays/outbounds.ts";
import { liveAccount, screenUsers, type V2rayScreening, isLive } from "./accounts.ts";
import { convert, objection, V2RAY } from "./binary.ts";
import { compile, engineConfig, inboundConfig, populate, populationWarnings, type V2rayCompiled } from "./compile.ts";
import type { V2rayInbound } from "./inbound.ts";

export const v2rayDialect: Dialect = {
  kind: "v2ray",
  name: "v2ray",
  abilities: {
    hotUsers: true,
    hotInbounds: true,
    hotFrame: false,
    reusePort: true,
    apiPorts: 1,
    keepsQuicUsers: false,
    resolvesTwice: true,
  },
  frameShape: { routing: "routing", target: "outboundTag", isBlock: isBlackhole },
  program: { binary: V2RAY, args: ["-config", "stdin:"] },
  compile,
  screen: screenUsers,
  account: ({ id, protocol }, user, screening: V2rayScreening) =>
    isLive(protocol) ? liveAccount(protocol, id, user, screening) : undefined,
  populate: (inbound: V2rayInbound, users, screening: V2rayScreening) => populate(inbound, users, screening),
  populationWarnings: (compiled: V2rayCompiled, users) => populationWarnings(compiled, users),
  inboundConfig,
  config: engineConfig,
  objection,
  connect: ({ grpc }) => raysControl({ grpc, prefix: "v2ray.core", convert, online: false }),
  lineReader: () => parseAccessLine,
  lastReason,
};
