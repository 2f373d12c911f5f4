// The plan as a v2ray configuration: pure, item by item, so that what v2ray cannot serve becomes a warning and the rest runs.
import { createHash } from "node:crypto";
import { canonicalJson } from "../../../protocol/digest.ts";
import { engineUserName, type PlanUser, type Structure } from "../../../protocol/plan.ts";
import { clientEntry, type LiveAccount, liveAccount, type Screening } from "./accounts.ts";
import { type CompiledInbound, compileInbound } from "./inbound.ts";
import { compileOutbound } from "./outbound.ts";
import { Refusal } from "./refusal.ts";
import { compileRoute, type CompiledRoute, PRIVATE_RANGES } from "./route.ts";

export interface CompileOptions {
  readonly privateTargets: "block" | "allow";
  /** Loopback ports that engines of this driver use for their own interface: closed to proxy users whatever `privateTargets` says. */
  readonly apiPorts: readonly number[];
}

/** A configuration without its users and API address. */
export interface Compiled {
  /** Everything but the inbounds. Different frames need a new process; inbounds can be exchanged live. */
  readonly frame: Readonly<Record<string, unknown>>;
  readonly frameDigest: string;
  readonly inbounds: readonly CompiledInbound[];
  /** How many of the first route rules are our own. */
  readonly guards: number;
  readonly blockTags: readonly string[];
  readonly warnings: readonly string[];
}

export const API_INBOUND = "signalbox.api";
const API_OUTBOUND = "signalbox.api.out";

/** Both names that the engine may know an inbound by. */
export function engineTags(inboundId: number): readonly [string, string] {
  return [`in.${inboundId}.a`, `in.${inboundId}.b`];
}

/** Never throws for what an operator wrote: each item that cannot be served is a warning. */
export function compile(structure: Structure, options: CompileOptions): Compiled {
  const warnings: string[] = [];
  const attempt = <T>(what: string, work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      warnings.push(`${what}: ${error.message}`);
      return undefined;
    }
  };
  const outbounds = compileOutbounds(structure, attempt, warnings);
  const inboundIds = new Map<string, number>();
  for (const object of Object.values(structure)) if (object.kind === "inbound") inboundIds.set(object.tag, object.id);
  const planned = Object.values(structure).find((object) => object.kind === "route")?.route ?? {};
  const route = attempt("route", () =>
    compileRoute(planned, {
      outbound: (tag) => outbounds.target(tag),
      inbound: (tag) => {
        const id = inboundIds.get(tag);
        return id === undefined ? undefined : engineTags(id);
      },
      block: outbounds.block,
    }),
  ) ?? { rules: [], final: undefined, sniffing: false, warnings: [] };
  warnings.push(...route.warnings);
  const inbounds = compileInbounds(structure, route.sniffing, attempt, warnings);
  const core = Object.values(structure).find((object) => object.kind === "core")?.core ?? {};
  if ("dns" in core) warnings.push("core: v2ray resolves names by the system's resolver, `dns` is not used; sing-box uses it");
  const guards = guardRules(outbounds.block, options);
  const frame = {
    log: { loglevel: "warning" },
    stats: {},
    api: { tag: API_OUTBOUND, services: ["HandlerService", "StatsService"] },
    policy: {
      levels: { "0": { statsUserUplink: true, statsUserDownlink: true } },
      system: { statsInboundUplink: false, statsInboundDownlink: false, statsOutboundUplink: false, statsOutboundDownlink: false },
    },
    outbounds: finalFirst(outbounds.list, route, outbounds.target, warnings),
    // Names are resolved as soon as a rule asks for an address: otherwise a name that resolves to a private address is open.
    routing: { domainStrategy: "IPOnDemand", rules: [...guards, ...route.rules] },
  };
  return { guards: guards.length, frame, frameDigest: digestOf(frame), inbounds, blockTags: outbounds.blockTags, warnings };
}

type Attempt = <T>(what: string, work: () => T) => T | undefined;

interface Outbounds {
  readonly list: readonly Record<string, unknown>[];
  readonly blockTags: readonly string[];
  readonly block: string;
  readonly target: (tag: string) => string | undefined;
}

function compileOutbounds(structure: Structure, attempt: Attempt, warnings: string[]): Outbounds {
  const list: Record<string, unknown>[] = [];
  const tags = new Set<string>();
  const aliases = new Map<string, string>();
  const blockTags: string[] = [];
  for (const object of Object.values(structure)) {
    if (object.kind !== "outbound") continue;
    const compiled = attempt(`outbound ${object.tag}`, () => {
      if (tags.has(object.tag) || aliases.has(object.tag)) throw new Refusal("the tag is used twice");
      return compileOutbound(object);
    });
    if (compiled?.kind === "alias") {
      aliases.set(compiled.tag, compiled.target);
      warnings.push(`outbound ${compiled.tag}: ${compiled.note}`);
    } else if (compiled) {
      tags.add(compiled.tag);
      list.push(compiled.config);
      if (compiled.blocks) blockTags.push(compiled.tag);
    }
  }
  if (!list.some((outbound) => outbound["protocol"] !== "blackhole"))
    list.unshift({ tag: unusedTag("direct", tags), protocol: "freedom", settings: {} });
  if (blockTags.length === 0) {
    const tag = unusedTag("block", tags);
    blockTags.push(tag);
    list.push({ tag, protocol: "blackhole", settings: {} });
  }
  const present = new Set(list.map((outbound) => outbound["tag"]));
  const target = (tag: string): string | undefined => {
    let name: string | undefined = tag;
    // Groups of groups: bounded, since operators can write a circle.
    for (let depth = 0; depth < 8 && name !== undefined && !present.has(name); depth += 1) name = aliases.get(name);
    return name !== undefined && present.has(name) ? name : undefined;
  };
  return { list, blockTags, block: blockTags[0] ?? "block", target };
}

function unusedTag(wanted: string, taken: ReadonlySet<string>): string {
  return taken.has(wanted) ? `signalbox.${wanted}` : wanted;
}

/** v2ray's default is its first outbound. A catch-all rule instead would match before names are resolved and so open private targets. */
function finalFirst(
  list: Outbounds["list"],
  route: CompiledRoute,
  target: Outbounds["target"],
  warnings: string[],
): Record<string, unknown>[] {
  const wanted = route.final === undefined ? undefined : target(route.final);
  if (route.final !== undefined && wanted === undefined)
    warnings.push(`route: the outbound "${route.final}" named by \`final\` is not served; what no rule matches is refused`);
  const first =
    route.final === undefined
      ? list.find((outbound) => outbound["protocol"] !== "blackhole")
      : list.find((outbound) => outbound["tag"] === (wanted ?? ""));
  const fallback = first ?? list.find((outbound) => outbound["protocol"] === "blackhole");
  return fallback ? [fallback, ...list.filter((outbound) => outbound !== fallback)] : [...list];
}

/** First of all rules: the API inbound's own way, then what is closed to everybody else. */
function guardRules(block: string, options: CompileOptions): Record<string, unknown>[] {
  const api = { type: "field", inboundTag: [API_INBOUND], outboundTag: API_OUTBOUND };
  if (options.privateTargets === "block")
    return [
      api,
      { type: "field", ip: PRIVATE_RANGES, outboundTag: block },
      { type: "field", domain: ["full:localhost", "domain:localhost"], outboundTag: block },
    ];
  const port = options.apiPorts.toSorted((a, b) => a - b).join(",");
  return [api, { type: "field", ip: ["127.0.0.0/8", "0.0.0.0/8", "::1/128", "::/128"], port, outboundTag: block }];
}

function compileInbounds(structure: Structure, sniffing: boolean, attempt: Attempt, warnings: string[]): CompiledInbound[] {
  const inbounds: CompiledInbound[] = [];
  const tags = new Set<string>();
  const ports = new Map<number, string>();
  for (const object of Object.values(structure)) {
    if (object.kind !== "inbound") continue;
    const compiled = attempt(`inbound ${object.tag}`, () => {
      if (tags.has(object.tag)) throw new Refusal("the tag is used twice");
      const inbound = compileInbound(object, sniffing);
      const holder = ports.get(inbound.port);
      // v2ray would open both and share the connections out at random.
      if (holder !== undefined) throw new Refusal(`port ${inbound.port} is already used by inbound ${holder}`);
      return inbound;
    });
    if (!compiled) continue;
    tags.add(compiled.tag);
    ports.set(compiled.port, compiled.tag);
    inbounds.push(compiled);
    warnings.push(...compiled.notes.map((note) => `inbound ${compiled.tag}: ${note}`));
  }
  return inbounds;
}

/** An inbound with its users. */
export interface PopulatedInbound {
  readonly inbound: CompiledInbound;
  /** Without tag; with `fixed` users, without `live` ones. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Over what can only be changed by replacing the inbound. */
  readonly digest: string;
  readonly accounts: ReadonlyMap<string, LiveAccount>;
  /** Names under which the engine counts users of protocols that have names of their own. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** Puts the users into an inbound. Undefined when its protocol may not run without any: an http inbound without accounts is open to all. */
export function populate(
  inbound: CompiledInbound,
  users: ReadonlyMap<number, PlanUser>,
  screening: Screening,
): PopulatedInbound | undefined {
  const { body, settings, accounts: kind } = inbound;
  const accounts = new Map<string, LiveAccount>();
  const aliases = new Map<string, string>();
  if (kind.kind === "live") {
    for (const user of users.values()) {
      const account = liveAccount(kind.protocol, inbound.id, user, screening);
      if (account) accounts.set(account.email, account);
    }
    const config = { ...body, settings: { ...settings, clients: [] } };
    return { inbound, config, digest: digestOf(config), accounts, aliases };
  }
  const usable = [...users.values()].filter(
    (user) => user.password !== "" && (kind.protocol === "shadowsocks" || !screening.withoutUuid.has(user.id)),
  );
  const [first] = usable.toSorted((a, b) => a.id - b.id);
  if (!first) return undefined;
  let complete: Record<string, unknown>;
  if (kind.protocol === "shadowsocks")
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
export function populationWarnings(compiled: Compiled, users: ReadonlyMap<number, PlanUser>): string[] {
  const warnings: string[] = [];
  const named = compiled.inbounds.filter((inbound) => inbound.accounts.protocol === "socks" || inbound.accounts.protocol === "http");
  const [first] = named;
  if (first && named.length > 1)
    warnings.push(
      `inbounds ${named.map((inbound) => inbound.tag).join(", ")}: v2ray counts their users together; the traffic stands under ${first.tag}`,
    );
  for (const inbound of compiled.inbounds)
    if (inbound.accounts.protocol === "shadowsocks" && users.size > 1)
      warnings.push(
        `inbound ${inbound.tag}: v2ray serves one user on a shadowsocks inbound, the one with the lowest id; Xray and sing-box serve all`,
      );
  const vision = compiled.inbounds.find((inbound) => inbound.vision);
  if (vision && [...users.values()].some((user) => user.flow !== ""))
    warnings.push(
      `inbound ${vision.tag}: v2ray does not serve the flow of some users, who must connect without it; Xray and sing-box serve it`,
    );
  return warnings;
}

/** An inbound as it stands in a configuration, with all its users. */
export function inboundConfig(populated: PopulatedInbound, tag: string): Record<string, unknown> {
  const { config, inbound, accounts } = populated;
  if (inbound.accounts.kind === "fixed") return { tag, ...config };
  return { tag, ...config, settings: { ...inbound.settings, clients: [...accounts.values()].map(clientEntry) } };
}

/** The whole configuration. The API inbound answers on loopback alone. */
export function engineConfig(compiled: Compiled, inbounds: readonly Record<string, unknown>[], apiPort: number): Record<string, unknown> {
  const api = { tag: API_INBOUND, listen: "127.0.0.1", port: apiPort, protocol: "dokodemo-door", settings: { address: "127.0.0.1" } };
  return { ...compiled.frame, inbounds: [...inbounds, api] };
}

/** 32 hex digits over a value, whatever the order of its keys. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 32);
}
