// What a node should serve except users: the objects of its template, with the node's own routing instead of the
// template's, by digest. Shared by the nodes of a template.
import { forbiddenPaths, withoutForbidden } from "../../dialect/index.ts";
import { notice } from "../records/notices.ts";
import type { Notice } from "../records/notice.schema.ts";
import { digestObject, digestStructure } from "../../protocol/digest.ts";
import { planKey, type PlanObject, type Structure } from "../../protocol/plan.ts";

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

/** Objects and their digests, ready to be compared with an agent's. */
export interface DesiredStructure {
  readonly objects: Structure;
  readonly digests: Readonly<Record<string, string>>;
  readonly digest: string;
  /** The parts of the template or the routing that are left out, and why: warnings of every node that has it. */
  readonly notices: readonly Notice[];
  /** Tags of inbounds on loopback to which nothing leads. */
  readonly apart: readonly string[];
}

/**
 * The desired structure of a node. What is stored and would reach the host is left out: inbounds and outbounds whole,
 * of route and core the rule, server or key. Without a template it is empty: the agent then serves nobody. `routing`
 * overrides the template's route.
 */
export function structureOf(template: TemplateContent | undefined, routing: Json | null): DesiredStructure {
  const objects: PlanObject[] = [];
  const notices: Notice[] = [];
  const clean = (what: string, item: Pick<Notice, "kind" | "tag">, paths: readonly string[]): boolean => {
    const detail = `${what}: ${named(paths)} could reach the host itself; it is left out`;
    if (paths.length > 0) notices.push(notice("reaches_host", shortened(paths), detail, item));
    return paths.length === 0;
  };
  for (const { id, tag, type, config, trustedHeaders = [] } of template?.inbounds ?? [])
    if (clean(`inbound ${tag}`, { kind: "inbound", tag }, forbiddenPaths("inbounds", type, config)))
      objects.push({
        kind: "inbound",
        id,
        tag,
        type,
        config,
        ...(trustedHeaders.length > 0 && { trustedHeaders: [...trustedHeaders] }),
      });
  for (const { tag, type, config } of template?.outbounds ?? [])
    if (clean(`outbound ${tag}`, { kind: "outbound", tag }, forbiddenPaths("outbounds", type, config)))
      objects.push({ kind: "outbound", tag, type, config });
  const part = (kind: "route" | "core", what: string, fragment: Json | null | undefined): Json | undefined => {
    if (!fragment) return undefined;
    const kept = clean(what, { kind, tag: "" }, forbiddenPaths(kind, "", fragment))
      ? fragment
      : withoutForbidden(kind, "", fragment);
    return Object.keys(kept).length > 0 ? kept : undefined;
  };
  const route = part("route", routing ? "routing" : "route", routing ?? template?.route);
  if (route) objects.push({ kind: "route", route });
  const core = part("core", "core", template?.core);
  if (core) objects.push({ kind: "core", core });
  const apart = (template?.inbounds ?? []).flatMap((one) => (one.apart === true ? [one.tag] : []));
  const structure = Object.fromEntries(objects.map((object) => [planKey(object), object]));
  const digests = Object.fromEntries(Object.entries(structure).map(([key, object]) => [key, digestObject(object)]));
  return { objects: structure, digests, digest: digestStructure(digests), notices, apart };
}

/** Notices of a node whose clients are elsewhere. */
export function apartNotices({ apart }: Pick<DesiredStructure, "apart">): Notice[] {
  return apart.map((tag) =>
    notice("on_loopback", [], `inbound ${tag} listens on loopback, and nothing leads to it: no subscription lists it`, {
      kind: "inbound",
      tag,
    }),
  );
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
