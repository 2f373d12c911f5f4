// The plan as a v2ray configuration: pure, item by item, so that what v2ray cannot serve becomes a warning and the rest
// runs.
import { onInbound, ownOn } from "../../../lib/own-credentials.ts";
import { engineUserName, isOnInbound, type PlanUser, type Structure } from "../../../protocol/plan.ts";
import {
  type Compiled,
  type CompileOptions,
  digestOf,
  type Endpoint,
  engineTags,
  type Json,
  type Listening,
  type LiveAccount,
  type PopulatedInbound,
} from "../process/dialect.ts";
import { guardRules } from "../rays/guards.ts";
import { collectInbounds, inboundIds } from "../rays/inbounds.ts";
import { collectOutbounds, finalFirst } from "../rays/outbounds.ts";
import { compileRoute, type RouteTargets } from "../rays/route.ts";
import { clientEntry, isLive, liveAccount, type V2rayScreening } from "./accounts.ts";
import { compileInbound, type V2rayInbound } from "./inbound.ts";
import { compileOutbound } from "./outbound.ts";
import { v2ray } from "./words.ts";
import { type AgentNotice, noticeOf, hostNotice, itemPlace, blockPlace, attemptInto } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

export interface V2rayCompiled extends Compiled {
  readonly inbounds: readonly V2rayInbound[];
}

const API_INBOUND = "signalbox.api";
const API_OUTBOUND = "signalbox.api.out";

/** Never throws for what an operator wrote: each item that cannot be served is a warning. */
export function compile(structure: Structure, options: CompileOptions): V2rayCompiled {
  const warnings: AgentNotice[] = [];
  const attempt = attemptInto(warnings);
  const outbounds = collectOutbounds(
    structure,
    compileOutbound,
    (tag) => ({ tag, protocol: "freedom", settings: {} }),
    attempt,
    warnings,
  );
  const ids = inboundIds(structure);
  const planned = Object.values(structure).find((object) => object.kind === "route")?.route ?? {};
  const targets: RouteTargets = {
    speaker: v2ray,
    protocols: ["http", "tls", "bittorrent"],
    outbound: (tag) => {
      const outboundTag = outbounds.target(tag);
      return outboundTag === undefined ? undefined : { outboundTag };
    },
    inbound: (tag) => {
      const id = ids.get(tag);
      return id === undefined ? undefined : engineTags(id);
    },
    block: outbounds.block,
  };
  const route = attempt(blockPlace("route"), () => compileRoute(planned, targets)) ?? {
    rules: [],
    final: undefined,
    sniffing: false,
    warnings: [],
  };
  warnings.push(...route.warnings);
  const inbounds = collectInbounds(structure, (inbound) => compileInbound(inbound, route.sniffing), attempt, warnings);
  const core = Object.values(structure).find((object) => object.kind === "core")?.core ?? {};
  if ("dns" in core) warnings.push(noticeOf(blockPlace("core", "dns", "core"), reason("system_resolver", "v2ray")));
  const api = { type: "field", inboundTag: [API_INBOUND], outboundTag: API_OUTBOUND };
  const guards = [api, ...guardRules(outbounds.block, options)];
  const frame = {
    log: { loglevel: "warning" },
    stats: {},
    api: { tag: API_OUTBOUND, services: ["HandlerService", "StatsService"] },
    policy: {
      levels: { "0": { statsUserUplink: true, statsUserDownlink: true } },
      system: {
        statsInboundUplink: false,
        statsInboundDownlink: false,
        statsOutboundUplink: false,
        statsOutboundDownlink: false,
      },
    },
    outbounds: finalFirst(outbounds.list, route, outbounds.target, warnings).map((outbound) =>
      marked(outbound, options.targetMark),
    ),
    // Names are resolved as soon as a rule asks for an address: otherwise a name that resolves to a private address is
    // open.
    routing: { domainStrategy: "IPOnDemand", rules: [...guards, ...route.rules] },
  };
  const frameDigest = digestOf(frame);
  return {
    guards: guards.length,
    frame,
    frameDigest,
    coreDigest: frameDigest,
    inbounds,
    blockTags: outbounds.blockTags,
    warnings,
  };
}

/**
 * Puts the users into an inbound. Undefined when its protocol may not run without any: an http inbound without accounts
 * is open to all.
 */
export function populate(
  inbound: V2rayInbound,
  users: ReadonlyMap<number, PlanUser>,
  screening: V2rayScreening,
): PopulatedInbound | undefined {
  const { body, settings, protocol } = inbound;
  const accounts = new Map<string, LiveAccount>();
  const aliases = new Map<string, string>();
  if (isLive(protocol)) {
    for (const user of users.values()) {
      const account = liveAccount(protocol, inbound.id, user, screening);
      if (account) accounts.set(account.email, account);
    }
    const config = { ...body, settings: { ...settings, clients: [] } };
    return { inbound, config, digest: digestOf(config), accounts, aliases };
  }
  const method = typeof settings["method"] === "string" ? settings["method"] : "";
  const usable = [...users.values()]
    .filter((user) => {
      const own = ownOn(user, protocol, method);
      if (!isOnInbound(user, inbound.id) || (own.password ?? user.password) === "") return false;
      if (protocol === "shadowsocks") return true;
      return own.uuid === undefined
        ? !screening.withoutUuid.has(user.id)
        : !screening.own.lost(user.id, protocol, "uuid");
    })
    .map((user) => onInbound(user, protocol, method));
  const [first] = usable.toSorted((a, b) => a.id - b.id);
  if (!first) return undefined;
  let complete: Record<string, unknown>;
  if (protocol === "shadowsocks")
    complete = { ...settings, password: first.password, email: engineUserName(first.id, inbound.id), level: 0 };
  else {
    const logins = usable.toSorted((a, b) => a.id - b.id).map((user) => ({ user: user.uuid, pass: user.password }));
    for (const user of usable) aliases.set(user.uuid, engineUserName(user.id, inbound.id));
    complete = { ...settings, accounts: logins, userLevel: 0 };
  }
  const config = { ...body, settings: complete };
  return { inbound, config, digest: digestOf(config), accounts, aliases };
}

/** Warnings that depend on who is served where. */
export function populationWarnings(compiled: V2rayCompiled, users: ReadonlyMap<number, PlanUser>): AgentNotice[] {
  const warnings: AgentNotice[] = [];
  const named = compiled.inbounds.filter((inbound) => inbound.protocol === "socks" || inbound.protocol === "http");
  const [first] = named;
  if (first && named.length > 1) warnings.push(hostNotice("counted_together", "v2ray", ...named.map(({ tag }) => tag)));
  for (const inbound of compiled.inbounds)
    if (inbound.protocol === "shadowsocks" && users.size > 1)
      warnings.push(noticeOf(itemPlace("inbound", inbound.tag), reason("one_user", "v2ray")));
  const vision = compiled.inbounds.find((inbound) => inbound.vision);
  if (vision && [...users.values()].some((user) => user.flow !== ""))
    warnings.push(noticeOf(itemPlace("inbound", vision.tag), reason("flow_unserved", "v2ray")));
  return warnings;
}

/** An inbound as written in a configuration, with all its users. */
export function inboundConfig({ config, inbound, accounts }: PopulatedInbound, { tag, listen, port }: Listening): Json {
  const where = { tag, listen, port, ...config };
  return inbound.users === "fixed"
    ? where
    : { ...where, settings: { ...inbound.settings, clients: [...accounts.values()].map(clientEntry) } };
}

/** The whole configuration. The API inbound answers on loopback alone. */
export function engineConfig(compiled: Compiled, inbounds: readonly Json[], endpoint: Endpoint): Json {
  const port = Number(endpoint.grpc.slice(endpoint.grpc.lastIndexOf(":") + 1));
  const api = {
    tag: API_INBOUND,
    listen: "127.0.0.1",
    port,
    protocol: "dokodemo-door",
    settings: { address: "127.0.0.1" },
  };
  return { ...compiled.frame, inbounds: [...inbounds, api] };
}

/** What leaves for users' targets carries the mark; connections to other proxies, which the operator chose, do not. */
function marked(outbound: Record<string, unknown>, mark: number | undefined): Record<string, unknown> {
  if (mark === undefined || outbound["protocol"] !== "freedom") return outbound;
  return { ...outbound, streamSettings: { sockopt: { mark } } };
}
