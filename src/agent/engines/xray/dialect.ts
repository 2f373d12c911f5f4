// Xray as a dialect of the process driver.
import type { CompileOptions, Compiled, Dialect, Endpoint, Json } from "../process/dialect.ts";
import { raysControl } from "../rays/control.ts";
import { lastReason } from "../rays/last-reason.ts";
import { isBlackhole } from "../rays/outbounds.ts";
import { liveAccount, screenUsers, type XrayScreening } from "./accounts.ts";
import { convert, isSince, objection, XRAY } from "./binary.ts";
import { API, compile, type XrayCompiled } from "./compile.ts";
import { detourOf, withDetour } from "./groups.ts";
import type { XrayInbound } from "./inbound.ts";
import { inboundConfig, populate, populationWarnings } from "./population.ts";
import { markedLineReader } from "./tag-mark.ts";

/**
 * From here on Xray offers its interface on a Unix socket, believes nobody's forwarding headers, and checks in freedom
 * what it dials.
 */
const MODERN = [26, 7];

/** `version`: as `xray version` tells it. `mark`: the end of our inbound tags, see `tag-mark.ts`. */
export function xrayDialect(version: string, mark = ""): Dialect {
  const modern = isSince(version, MODERN);
  const tagOf = (tag: string): string => `${tag}${mark}`;
  return {
    kind: "xray",
    name: "Xray",
    abilities: {
      hotUsers: true,
      hotInbounds: true,
      hotFrame: true,
      reusePort: true,
      apiPorts: modern ? 0 : 1,
      keepsQuicUsers: true,
    },
    frameShape: { routing: "routing", target: "outboundTag", isBlock: isBlackhole },
    // What the kernel splices from socket to socket Xray counts only when the connection ends: a long download would be
    // free until then, and lost with the process.
    program: { binary: XRAY, args: ["run", "-c", "stdin:"], environment: { XRAY_BUF_SPLICE: "disable" } },
    compile: (structure, options: CompileOptions) => compile(structure, { ...options, honest: modern, mark }),
    screen: screenUsers,
    account: (inbound: XrayInbound, user, screening: XrayScreening) => liveAccount(inbound, user, screening),
    populate: (inbound: XrayInbound, users, screening: XrayScreening) => populate(inbound, users, screening),
    populationWarnings: (compiled: XrayCompiled, users) => populationWarnings(compiled, users),
    inboundConfig: (populated, at) => inboundConfig(populated, { ...at, tag: tagOf(at.tag) }),
    config: engineConfig,
    objection,
    connect: ({ grpc }) =>
      raysControl({ grpc, prefix: "xray", convert, tagOf, outbounds: { detourOf, withDetour }, online: modern }),
    lineReader: () => markedLineReader(mark),
    lastReason,
  };
}

/** The whole configuration. The interface answers on a socket that only the agent can reach, or on loopback. */
export function engineConfig(compiled: Compiled, inbounds: readonly Json[], { grpc }: Endpoint): Json {
  const services = Object.fromEntries(Object.entries(compiled.frame["api"] ?? {}));
  return { ...compiled.frame, api: { ...services, tag: API, listen: grpc.replace(/^unix:/, "") }, inbounds };
}
