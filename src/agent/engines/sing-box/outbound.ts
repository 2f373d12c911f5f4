// Outbounds of the plan as sing-box runs them: each alone first, then what they name of each other, so that nothing
// takes another way than was meant.
import { z } from "zod";
import { typesOf } from "../../../dialect/index.ts";
import type { PlanOutbound, Structure } from "../../../protocol/plan.ts";
import { OUTBOUND_REPLACED } from "./keys.ts";
import { type BuildTags, needsTag, readLayers } from "./layers.ts";
import { type Block, isUuid, onlyAllowed, parsed, unserved } from "./refusal.ts";
import { type AgentNotice, type Attempt, noticeOf, itemPlace, Refusal } from "../../notices.ts";
import { type Reason, reason } from "../../../protocol/notices/index.ts";

const GROUPS = ["selector", "urltest"];
const OVER_QUIC = ["hysteria", "hysteria2", "tuic"];
const MUST_HAVE_TLS = [...OVER_QUIC, "anytls", "shadowtls"];
const WITHOUT_SERVER = ["direct", "block", "wireguard", ...GROUPS];

const Fields = z.looseObject({
  detour: z.string().optional(),
  outbounds: z.array(z.string()).default([]),
  default: z.string().optional(),
  server: z.string().optional(),
  uuid: z.unknown().optional(),
  flow: z.enum(["", "xtls-rprx-vision"]).default(""),
});

export interface Outbounds {
  readonly outbounds: readonly Block[];
  /** WireGuard is an endpoint in sing-box, named and used like an outbound. */
  readonly endpoints: readonly Block[];
  readonly blockTags: readonly string[];
  /** Where refused connections go. */
  readonly block: string;
  /** Where goes what no rule matches and no `final` decides. */
  readonly fallback: string;
  has(tag: string): boolean;
  /**
   * Whether datagrams sent to it may leave from this host itself, not from a server beyond it, without the kernel
   * looking at each.
   */
  leavesHere(tag: string): boolean;
}

interface Candidate {
  readonly tag: string;
  readonly type: string;
  readonly fields: z.infer<typeof Fields>;
  readonly block: Block;
}

function compileOutbound({ tag, type, config }: PlanOutbound, tags: BuildTags): Candidate {
  if (type === "dns") throw new Refusal(reason("replaced", "dns", 'a route rule with action "hijack-dns"'));
  if (!typesOf("outbounds").includes(type)) throw unserved(`outbound type ${type}`);
  onlyAllowed("outbounds", type, config, OUTBOUND_REPLACED);
  const fields = parsed(Fields, config);
  if (OVER_QUIC.includes(type)) needsTag(tags, "with_quic", type);
  if (type === "wireguard") needsTag(tags, "with_wireguard", type);
  if (!WITHOUT_SERVER.includes(type) && fields.server === undefined) throw new Refusal(reason("missing", "server"));
  if (["vless", "vmess", "tuic"].includes(type) && !isUuid(fields.uuid))
    throw new Refusal(reason("invalid", "uuid", "must be a uuid"));
  const layers = readLayers("outbound", config, tags);
  if (MUST_HAVE_TLS.includes(type) && !layers.tls) throw new Refusal(reason("needs_tls", type));
  if (fields.flow !== "" && (!layers.tls || layers.transport !== "")) throw new Refusal(reason("flow_needs_tls"));
  if (GROUPS.includes(type) && fields.outbounds.length === 0) throw new Refusal(reason("nothing_to_choose"));
  const { tls: _tls, transport: _transport, ...rest } = config;
  return { tag, type, fields, block: { ...rest, type, tag, ...layers.blocks } };
}

/** `mark`: what direct outbounds put on what they send, so that the kernel looks at each datagram. */
export function compileOutbounds(
  structure: Structure,
  tags: BuildTags,
  mark: number | undefined,
  attempt: Attempt,
  warnings: AgentNotice[],
): Outbounds {
  const served = new Map<string, Candidate>();
  for (const object of Object.values(structure)) {
    if (object.kind !== "outbound") continue;
    const candidate = attempt(itemPlace("outbound", object.tag), () => {
      if (served.has(object.tag)) throw new Refusal(reason("tag_twice"));
      return compileOutbound(object, tags);
    });
    if (candidate) served.set(candidate.tag, candidate);
  }
  dropUnreachable(served, attempt);
  const blockTags = [...served.values()].filter(({ type }) => type === "block").map(({ tag }) => tag);
  const block = blockTags[0] ?? unusedTag("block", served);
  const candidates = [...served.values()];
  const first = candidates.find(({ type }) => type !== "block");
  const fallback = first?.tag ?? unusedTag("direct", served);
  const marking = mark === undefined ? {} : { routing_mark: mark };
  const own = [
    ...(first ? [] : [{ type: "direct", tag: fallback, ...marking }]),
    ...(blockTags.length > 0 ? [] : [{ type: "block", tag: block }]),
  ];
  const isMarked = ({ type, tag }: Candidate): boolean =>
    mark !== undefined && type === "direct" && !usedByOthers(tag, structure);
  const isEndpoint = ({ type }: Candidate): boolean => type === "wireguard";
  const all = candidates.map((candidate) => {
    if (isEndpoint(candidate)) return candidate.block;
    return { ...group(candidate, served, block, warnings), ...(isMarked(candidate) && marking) };
  });
  const has = (tag: string): boolean => served.has(tag) || own.some((outbound) => outbound.tag === tag);
  return {
    outbounds: [...all.filter((_, index) => candidates[index] && !isEndpoint(candidates[index])), ...own],
    endpoints: all.filter((_, index) => candidates[index] && isEndpoint(candidates[index])),
    blockTags: blockTags.length > 0 ? blockTags : [block],
    block,
    fallback,
    has,
    leavesHere: (tag) => {
      const leaves = (name: string): boolean => {
        const candidate = served.get(name);
        return candidate
          ? candidate.type === "direct" && !isMarked(candidate)
          : !first && name === fallback && mark === undefined;
      };
      return leaves(tag) || [...served.keys()].some((name) => leaves(name) && leadsTo(tag, name, served));
    },
  };
}

/**
 * Upstreams and resolvers of the operator's own may be private: what leads to them must not be looked at by the kernel.
 */
function usedByOthers(tag: string, structure: Structure): boolean {
  const named = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(named);
    if (typeof value !== "object" || value === null) return false;
    return Object.entries(value).some(
      ([key, field]) => ((key === "detour" || key === "download_detour") && field === tag) || named(field),
    );
  };
  return Object.values(structure).some((object) => object.kind !== "inbound" && named(object));
}

function unusedTag(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  return taken.has(wanted) ? `signalbox.${wanted}` : wanted;
}

/**
 * Leaves out, again and again, what leads through an outbound that is not served, or in a circle, which the engine
 * would not start with.
 */
function dropUnreachable(served: Map<string, Candidate>, attempt: Attempt): void {
  const refuse = (tag: string, why: Reason): void => {
    served.delete(tag);
    attempt(itemPlace("outbound", tag), () => {
      throw new Refusal(why);
    });
  };
  for (const tag of served.keys()) if (leadsTo(tag, tag, served)) refuse(tag, reason("loops"));
  for (let changed = true; changed;) {
    changed = false;
    for (const { tag, fields } of served.values()) {
      const { detour, outbounds } = fields;
      if (detour !== undefined && detour !== "" && !served.has(detour))
        refuse(tag, reason("names_unserved", "detour", detour));
      else if (outbounds.length > 0 && !outbounds.some((member) => served.has(member)))
        refuse(tag, reason("no_choice"));
      else continue;
      changed = true;
    }
  }
}

function leadsTo(from: string, goal: string, served: ReadonlyMap<string, Candidate>): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (let tag = waiting.pop(); tag !== undefined; tag = waiting.pop()) {
    const fields = served.get(tag)?.fields;
    for (const next of [...(fields?.outbounds ?? []), ...(fields?.detour ? [fields.detour] : [])]) {
      if (next === goal) return true;
      if (!seen.has(next)) waiting.push(next);
      seen.add(next);
    }
  }
  return false;
}

/**
 * A selector whose choice is not served refuses connections until another one is chosen: it must not fall to whatever
 * stands next in its list.
 */
function group(
  { tag, type, fields, block: config }: Candidate,
  served: ReadonlyMap<string, Candidate>,
  block: string,
  warnings: AgentNotice[],
): Block {
  if (!GROUPS.includes(type)) return config;
  const members = fields.outbounds.filter((member) => served.has(member));
  const missing = fields.outbounds.filter((member) => !served.has(member));
  const choice = fields.default ?? fields.outbounds[0] ?? "";
  const lost = type === "selector" && !members.includes(choice);
  if (lost) warnings.push(noticeOf(itemPlace("outbound", tag), reason("choice_unserved", choice)));
  const others = missing.filter((member) => !lost || member !== choice);
  if (others.length > 0) warnings.push(noticeOf(itemPlace("outbound", tag), reason("choices_left_out", ...others)));
  if (!lost) return { ...config, outbounds: members };
  return { ...config, outbounds: [...new Set([...members, block])], default: block };
}
