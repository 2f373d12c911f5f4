// The plan as an Xray configuration: pure, item by item, so that what Xray cannot serve becomes a warning and the rest
// runs.
import { z } from "zod";
import type { Structure } from "../../../protocol/plan.ts";
import { type Compiled, type CompileOptions, digestOf, engineTags } from "../process/dialect.ts";
import { guardRules } from "../rays/guards.ts";
import { collectInbounds, inboundIds } from "../rays/inbounds.ts";
import { collectOutbounds, finalFirst } from "../rays/outbounds.ts";
import { compileRoute, type CompiledRoute, type RouteTarget } from "../rays/route.ts";
import { tagged } from "../rays/rule-tags.ts";
import { compileGroups, settleDetours } from "./groups.ts";
import { compileInbound, type XrayInbound } from "./inbound.ts";
import { compileOutbound, directOutbound } from "./outbound.ts";
import { compileResolver, RESOLVER, type Resolver } from "./resolver.ts";
import { xray } from "./words.ts";
import { type AgentNotice, type Attempt, noticeOf, blockPlace, attemptInto } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

export interface XrayCompiled extends Compiled {
  readonly inbounds: readonly XrayInbound[];
}

export interface XrayOptions extends CompileOptions {
  /** 26.7 and later: believes forwarding headers of nobody, and checks in freedom what it really dials. */
  readonly honest: boolean;
  /** The end of our inbound tags, see `tag-mark.ts`. */
  readonly mark: string;
}

export const API = "signalbox.api";
/** Answers queries that rules send to it by the engine's own resolver. */
const ANSWERS = "signalbox.dns.answers";
const PROTOCOLS = ["http", "tls", "quic", "bittorrent"];

/** Never throws for what an operator wrote: each item that cannot be served is a warning. */
export function compile(structure: Structure, options: XrayOptions): XrayCompiled {
  const warnings: AgentNotice[] = [];
  const attempt = attemptInto(warnings);
  const core = Object.values(structure).find((object) => object.kind === "core")?.core ?? {};
  const resolver: Resolver =
    "dns" in core ? compileResolver(core["dns"]) : { dns: undefined, detours: new Map(), warnings: [] };
  const log = attempt(blockPlace("core", "log", "core"), () => logOf(core["log"])) ?? {
    settings: { loglevel: "warning" },
    warnings: [],
  };
  warnings.push(...resolver.warnings, ...log.warnings);
  // With a resolver of its own the way out asks that one, as sing-box does; else the system's.
  const strategy = resolver.dns === undefined ? undefined : "UseIP";
  const all = collectOutbounds(
    structure,
    (outbound) => compileOutbound(outbound, options, strategy),
    (tag) => directOutbound(tag, options, strategy),
    attempt,
    warnings,
  );
  const outbounds = { ...all, list: settleDetours(all, attempt) };
  const present = new Set(outbounds.list.map((outbound) => outbound["tag"]));
  const target = (tag: string): string | undefined => {
    const found = all.target(tag);
    return found !== undefined && present.has(found) ? found : undefined;
  };
  const groups = compileGroups(structure, { ...outbounds, target }, warnings);
  const route = routeOf(structure, groups.way, outbounds.block, options.mark, attempt);
  warnings.push(...route.warnings);
  const inbounds = collectInbounds(
    structure,
    (inbound) => compileInbound(inbound, { sniffing: route.sniffing, honest: options.honest }),
    attempt,
    warnings,
  );
  const guards = guardRules(outbounds.block, options);
  const own = resolverWays(resolver, groups.way, warnings);
  const answers = route.rules.some((rule) => rule["outboundTag"] === ANSWERS);
  const last = finalRule(route, groups.way);
  const routing = tagged({
    rules: [...own.rules, ...guards, ...route.rules, ...last],
    balancers: groups.balancers.map(balancerConfig),
  });
  const fixed = {
    log: log.settings,
    stats: {},
    api: { tag: API, services: ["HandlerService", "StatsService", "RoutingService"] },
    policy: {
      levels: { "0": { statsUserUplink: true, statsUserDownlink: true, statsUserOnline: true } },
      system: {
        statsInboundUplink: false,
        statsInboundDownlink: false,
        statsOutboundUplink: false,
        statsOutboundDownlink: false,
      },
    },
    ...(resolver.dns && { dns: resolver.dns }),
    ...(groups.observatory && { observatory: groups.observatory }),
  };
  const frame = {
    ...fixed,
    outbounds: [
      ...finalFirst(outbounds.list, route, target, warnings),
      ...(own.open ? [{ tag: RESOLVER, protocol: "freedom", settings: { finalRules: [{ action: "allow" }] } }] : []),
      ...(answers ? [{ tag: ANSWERS, protocol: "dns", settings: {} }] : []),
    ],
    // Names are resolved as soon as a rule asks for an address: otherwise a name that resolves to a private address is
    // open.
    routing: { domainStrategy: "IPOnDemand", ...routing },
  };
  return {
    guards: own.rules.length + guards.length,
    frame,
    frameDigest: digestOf(frame),
    coreDigest: digestOf(fixed),
    inbounds,
    blockTags: outbounds.blockTags,
    warnings,
  };
}

const Log = z.looseObject({
  level: z.string().default("warn"),
  disabled: z.boolean().optional(),
  output: z.string().optional(),
});
const LEVELS: Readonly<Record<string, string>> = {
  trace: "debug",
  debug: "debug",
  info: "info",
  warn: "warning",
  error: "error",
  fatal: "error",
  panic: "error",
};

/** Access lines come at every level: sessions are read from them. */
function logOf(value: unknown): { settings: Record<string, unknown>; warnings: AgentNotice[] } {
  const { level, disabled, output } = xray.parsed(Log, value ?? {});
  const warnings =
    output === undefined || output === ""
      ? []
      : [noticeOf(blockPlace("core"), reason("ignored", "xray", "log.output", ""))];
  return { settings: { loglevel: disabled === true ? "error" : (LEVELS[level] ?? "warning") }, warnings };
}

function routeOf(
  structure: Structure,
  way: (tag: string) => RouteTarget | undefined,
  block: string,
  mark: string,
  attempt: Attempt,
): CompiledRoute {
  const ids = inboundIds(structure);
  const planned = Object.values(structure).find((object) => object.kind === "route")?.route ?? {};
  const targets = {
    speaker: xray,
    protocols: PROTOCOLS,
    inbound: (tag: string) => {
      const id = ids.get(tag);
      return id === undefined ? undefined : engineTags(id).map((one) => `${one}${mark}`);
    },
    outbound: way,
    block,
    dns: ANSWERS,
  };
  return (
    attempt(blockPlace("route"), () => compileRoute(planned, targets)) ?? {
      rules: [],
      final: undefined,
      sniffing: false,
      warnings: [],
    }
  );
}

/**
 * A group cannot be the default outbound, so it is the last rule. Since names are resolved on demand, the guards have
 * looked by then.
 */
function finalRule({ final }: CompiledRoute, way: (tag: string) => RouteTarget | undefined): Record<string, unknown>[] {
  const target = final === undefined ? undefined : way(final);
  return target && "balancerTag" in target ? [{ type: "field", network: "tcp,udp", ...target }] : [];
}

/**
 * The resolver's own queries go past the guards, since its servers may well be private; no user can send anything that
 * way.
 */
function resolverWays(
  resolver: Resolver,
  way: (tag: string) => RouteTarget | undefined,
  warnings: AgentNotice[],
): { rules: Record<string, unknown>[]; open: boolean } {
  if (!resolver.dns) return { rules: [], open: false };
  const rules: Record<string, unknown>[] = [];
  for (const [tag, detour] of resolver.detours) {
    const target = way(detour);
    if (target) rules.push({ type: "field", inboundTag: [tag], ...target });
    else warnings.push(noticeOf(blockPlace("core", "dns", "core: dns"), reason("asked_directly", detour)));
  }
  const servers = resolver.dns["servers"];
  const tags = Array.isArray(servers) ? servers.map((server: Record<string, unknown>) => String(server["tag"])) : [];
  rules.push({ type: "field", inboundTag: [RESOLVER, ...tags], outboundTag: RESOLVER });
  return { rules, open: true };
}

function balancerConfig({
  tag,
  selector,
  fallbackTag,
}: {
  tag: string;
  selector: readonly string[];
  fallbackTag: string;
}): Record<string, unknown> {
  return { tag, selector, strategy: { type: "leastPing" }, fallbackTag };
}
