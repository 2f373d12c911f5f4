// The plan as a sing-box configuration: pure, item by item, so that what sing-box cannot serve becomes a warning and
// the rest runs.
import type { Structure } from "../../../protocol/plan.ts";
import { type Compiled, type CompiledInbound, type CompileOptions, digestOf } from "../process/dialect.ts";
import { compileCore, LOCAL_RESOLVER } from "./core.ts";
import { FALLBACK_OUTBOUND, guardRules } from "./guards.ts";
import { compileInbound } from "./inbound.ts";
import type { BuildTags } from "./layers.ts";
import { compileOutbounds } from "./outbound.ts";
import { textsOf } from "./refusal.ts";
import { compileRoute, type CompiledRoute, type RouteNames } from "./route.ts";
import {
  type AgentNotice,
  type Attempt,
  noticeOf,
  itemPlace,
  blockPlace,
  Refusal,
  attemptInto,
} from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

/**
 * Never throws for what an operator wrote: each item that cannot be served is a warning. `tags`: what the installed
 * sing-box was built with.
 */
export function compile(structure: Structure, options: CompileOptions, tags: BuildTags): Compiled {
  const warnings: AgentNotice[] = [];
  const attempt = attemptInto(warnings);
  const objects = Object.values(structure);
  const planned = objects.find((object) => object.kind === "route")?.route ?? {};
  const outbounds = compileOutbounds(structure, tags, markOf(options), attempt, warnings);
  const ids = new Map(
    objects.flatMap((object) => (object.kind === "inbound" ? [[object.tag, object.id] as const] : [])),
  );
  const inbound = (tag: string): number | undefined => ids.get(tag);
  const written = Array.isArray(planned["rule_set"]) ? planned["rule_set"] : [];
  const core = compileCore(
    objects.find((object) => object.kind === "core")?.core ?? {},
    outbounds,
    new Set(
      textsOf(
        written.map((set: unknown) => (typeof set === "object" && set !== null && "tag" in set ? set.tag : undefined)),
      ),
    ),
    inbound,
  );
  warnings.push(...core.warnings);
  const names: RouteNames = {
    outbounds,
    inbound,
    dnsServers: core.dnsServers,
    pinPackets: options.privateTargets === "block",
  };
  const route: CompiledRoute =
    attempt(blockPlace("route"), () => compileRoute(planned, names)) ?? compileRoute({}, names);
  warnings.push(...route.warnings);
  if (options.privateTargets === "block" && options.packetMark === undefined)
    warnings.push(noticeOf(blockPlace("route"), reason("udp_first_target")));
  const inbounds = compileInbounds(structure, tags, attempt, warnings);
  const guards = guardRules(outbounds.block, options);
  const falls = inbounds.some((one) => "fallback" in one.body || "fallback_for_alpn" in one.body);
  const frame = {
    ...core.blocks,
    ...(outbounds.endpoints.length > 0 && { endpoints: outbounds.endpoints }),
    outbounds: [...outbounds.outbounds, ...(falls ? [{ type: "direct", tag: FALLBACK_OUTBOUND }] : [])],
    route: {
      default_domain_resolver: LOCAL_RESOLVER,
      ...route.rest,
      rules: [...guards, ...route.rules],
      ...(route.ruleSets.length > 0 && { rule_set: route.ruleSets }),
      final: route.final,
    },
  };
  const digest = digestOf(frame);
  return {
    frame,
    frameDigest: digest,
    coreDigest: digest,
    guards: guards.length,
    inbounds,
    blockTags: outbounds.blockTags,
    warnings,
  };
}

/** Without a mark where private targets are open anyway. */
function markOf({ privateTargets, packetMark }: CompileOptions): number | undefined {
  return privateTargets === "block" ? packetMark : undefined;
}

function compileInbounds(
  structure: Structure,
  tags: BuildTags,
  attempt: Attempt,
  warnings: AgentNotice[],
): CompiledInbound[] {
  const inbounds: CompiledInbound[] = [];
  const ids = new Map<string, number>();
  for (const object of Object.values(structure)) {
    if (object.kind !== "inbound") continue;
    const compiled = attempt(itemPlace("inbound", object.tag), () => {
      if (ids.has(object.tag)) throw new Refusal(reason("tag_twice"));
      const candidate = compileInbound(object, tags);
      const holder = inbounds.find((other) => sharePort(candidate, other));
      if (holder) throw new Refusal(reason("port_twice", candidate.port, holder.tag));
      return candidate;
    });
    if (!compiled) continue;
    ids.set(compiled.tag, compiled.id);
    inbounds.push(compiled);
    warnings.push(...compiled.notes.map((note) => noticeOf(itemPlace("inbound", compiled.tag), note)));
  }
  return inbounds.flatMap((one) => attempt(itemPlace("inbound", one.tag), () => withDetour(one, ids)) ?? []);
}

const WILDCARDS = ["::", "0.0.0.0"];

function sharePort(a: CompiledInbound, b: CompiledInbound): boolean {
  if (a.port !== b.port || !a.networks.some((network) => b.networks.includes(network))) return false;
  return a.listen === b.listen || WILDCARDS.includes(a.listen) || WILDCARDS.includes(b.listen);
}

/** `detour` hands all connections to another inbound, by the engine's name of it. */
function withDetour(inbound: CompiledInbound, ids: ReadonlyMap<string, number>): CompiledInbound {
  const { detour } = inbound.body;
  if (detour === undefined || detour === "") return inbound;
  if (typeof detour !== "string") throw new Refusal(reason("invalid", "detour", "expected a text"));
  const id = ids.get(detour);
  if (id === undefined) throw new Refusal(reason("names_unserved", "detour", detour));
  return { ...inbound, body: { ...inbound.body, detour: `in.${id}` } };
}
