// What a node should serve except users: the objects of its template, which its nodes share, and those of the node
// alone. Today that is the node's routing, in place of the template's.
import { forbiddenPaths, withoutForbidden } from "../../dialect/index.ts";
import { notice } from "../records/notices.ts";
import type { Notice } from "../records/notice.schema.ts";
import { planKey, type PlanObject } from "../../protocol/plan.ts";
import { DesiredStructure, NOTHING_OWN, StructurePart, wanted, type Wanted } from "./structure-part.ts";

type Json = Record<string, unknown>;

/** A template with what it carries, as the pool gives it. */
export interface TemplateContent {
  readonly route: Json | null;
  readonly core: Json | null;
  readonly inbounds: readonly {
    readonly id: number;
    readonly tag: string;
    readonly type: string;
    readonly config: Json;
    /** Headers in which its fronts tell of a client. */
    readonly trustedHeaders?: readonly string[];
    /** It listens on loopback, and nothing leads to it. */
    readonly apart?: boolean;
  }[];
  readonly outbounds: readonly { readonly tag: string; readonly type: string; readonly config: Json }[];
}

/** What the nodes of a template share. */
export interface SharedStructure {
  readonly part: StructurePart;
  /** Warnings of those nodes whose clients are elsewhere. */
  readonly elsewhere: readonly Notice[];
}

/**
 * The part that the nodes of a template share. What is stored and would reach the host is left out: inbounds and
 * outbounds whole, of route and core the rule, server or key. Without a template it is empty: the agent then serves
 * nobody.
 */
export function sharedStructure(template: TemplateContent | undefined): SharedStructure {
  const { inbounds = [], outbounds = [], route, core } = template ?? {};
  const entries = [
    ...inbounds.map(({ id, tag, type, config, trustedHeaders = [] }) =>
      item(forbiddenPaths("inbounds", type, config), {
        kind: "inbound",
        id,
        tag,
        type,
        config,
        ...(trustedHeaders.length > 0 && { trustedHeaders: [...trustedHeaders] }),
      }),
    ),
    ...outbounds.map(({ tag, type, config }) =>
      item(forbiddenPaths("outbounds", type, config), { kind: "outbound", tag, type, config }),
    ),
    ["route", block("route", "route", route)] as const,
    ["core", block("core", "core", core)] as const,
  ];
  const apart = inbounds.flatMap((one) => (one.apart === true ? [one.tag] : []));
  return { part: new StructurePart(new Map(entries)), elsewhere: apart.map(onLoopback) };
}

/** The part of a node alone. `routing` overrides the template's route, also where nothing of it is left. */
export function ownPart(routing: Json | null): StructurePart {
  return routing ? new StructurePart(new Map([["route", block("route", "routing", routing)]])) : NOTHING_OWN;
}

/** The desired structure of a node. */
export function structureOf(template: TemplateContent | undefined, routing: Json | null): DesiredStructure {
  return new DesiredStructure(sharedStructure(template).part, ownPart(routing));
}

/** An inbound or outbound, unless it could reach the host. */
function item(paths: readonly string[], object: PlanObject & { readonly tag: string }): readonly [string, Wanted] {
  const { kind, tag } = object;
  const entry = paths.length === 0 ? wanted(object) : wanted(undefined, [reachesHost(`${kind} ${tag}`, object, paths)]);
  return [planKey(object), entry];
}

/** A route or core block without what could reach the host. `what`: how people know it. */
function block(kind: "route" | "core", what: string, fragment: Json | null | undefined): Wanted {
  const paths = fragment ? forbiddenPaths(kind, "", fragment) : [];
  const notices = paths.length > 0 ? [reachesHost(what, { kind, tag: "" }, paths)] : undefined;
  const kept = fragment && paths.length > 0 ? withoutForbidden(kind, "", fragment) : (fragment ?? {});
  if (Object.keys(kept).length === 0) return wanted(undefined, notices);
  return wanted(kind === "route" ? { kind, route: kept } : { kind, core: kept }, notices);
}

function reachesHost(what: string, { kind, tag }: Pick<Notice, "kind" | "tag">, paths: readonly string[]): Notice {
  const detail = `${what}: ${named(paths)} could reach the host itself; it is left out`;
  return notice("reaches_host", shortened(paths), detail, { kind, tag });
}

function onLoopback(tag: string): Notice {
  const detail = `inbound ${tag} listens on loopback, and nothing leads to it: no subscription lists it`;
  return notice("on_loopback", [], detail, { kind: "inbound", tag });
}

const MOST_NAMED = 5;
const LONGEST_PATH = 100;

/** An operator wrote these keys: the message shows only a few, shortened. The record itself lists them all. */
function named(paths: readonly string[]): string {
  const told = shortened(paths).map((path) => `\`${path}\``);
  return [...told, ...(paths.length > MOST_NAMED ? [`${paths.length - MOST_NAMED} more`] : [])].join(", ");
}

function shortened(paths: readonly string[]): string[] {
  return paths.slice(0, MOST_NAMED).map((path) => path.slice(0, LONGEST_PATH));
}
