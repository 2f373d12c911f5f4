// Decides which parts of a plan the engines of this host get. A panel decides what a node serves, not what the node's
// own files, programs, interfaces and neighbours are used for: so each item is checked against the allow-lists here,
// even if the panel has checked it. An item that fails is left out with a warning; the rest is served.
import { forbiddenPaths, privateTargetPaths, typesOf, withoutForbidden } from "../dialect/index.ts";
import type { Collection } from "../dialect/index.ts";
import type { Fragment, PlanObject, PlanOutbound, Structure } from "../protocol/plan.ts";
import { type AgentNotice, noticeOf, itemPlace, blockPlace } from "./notices.ts";
import { type Reason, reason } from "../protocol/notices/index.ts";

export interface Screened {
  readonly structure: Structure;
  readonly warnings: readonly AgentNotice[];
}

type PrivateTargets = "block" | "allow";

/** Pure. */
export function screen(structure: Structure, privateTargets: PrivateTargets): Screened {
  const warnings: AgentNotice[] = [];
  const kept: [string, PlanObject][] = [];
  for (const [key, object] of Object.entries(structure)) {
    const left = screened(object, privateTargets, warnings);
    if (left) kept.push([key, left]);
  }
  return { structure: Object.fromEntries(kept), warnings };
}

function screened(object: PlanObject, privateTargets: PrivateTargets, warnings: AgentNotice[]): PlanObject | undefined {
  if (object.kind === "route")
    return { ...object, route: screenBlock("route", object.route, privateTargets, warnings) };
  if (object.kind === "core") return { ...object, core: screenBlock("core", object.core, privateTargets, warnings) };
  const collection = object.kind === "inbound" ? "inbounds" : collectionOf(object);
  const found = against(collection, object.type, object.config, privateTargets);
  if (found.forbidden.length === 0 && found.closed.length === 0) return object;
  const known = typesOf(collection).includes(object.type);
  const reasons = known ? reasonsOf(found) : [reason("type_not_for_nodes", shortName(object.type))];
  const place = itemPlace(object.kind, object.tag);
  warnings.push(...reasons.map((why) => noticeOf(place, why, "it is left out")));
  return undefined;
}

/** Endpoints stand among the outbounds of a plan. */
function collectionOf({ type }: PlanOutbound): "outbounds" | "endpoints" {
  return typesOf("endpoints").includes(type) ? "endpoints" : "outbounds";
}

interface Against {
  readonly forbidden: readonly string[];
  /** Hosts that are written as private ones. */
  readonly closed: readonly string[];
}

function against(collection: Collection, type: string, fragment: Fragment, privateTargets: PrivateTargets): Against {
  return {
    forbidden: forbiddenPaths(collection, type, fragment),
    closed: privateTargets === "block" ? privateTargetPaths(collection, type, fragment) : [],
  };
}

function reasonsOf({ forbidden, closed }: Against): Reason[] {
  return [
    ...(forbidden.length > 0 ? [reason("not_for_nodes", ...shortNames(forbidden))] : []),
    ...(closed.length > 0 ? [reason("private_target", ...shortNames(closed))] : []),
  ];
}

const LONGEST_NAME = 100;

/** An operator wrote these paths, so long ones are shortened. */
function shortName(path: string): string {
  return path.length > LONGEST_NAME ? `${path.slice(0, LONGEST_NAME)}…` : path;
}

function shortNames(paths: readonly string[]): string[] {
  return paths.map(shortName);
}

/**
 * Leaves out of a route or core block only the rule, rule set or DNS server that holds what does not pass, or else the
 * key.
 */
function screenBlock(
  block: "route" | "core",
  fragment: Fragment,
  privateTargets: PrivateTargets,
  warnings: AgentNotice[],
): Fragment {
  const byPart = new Map<string, { forbidden: string[]; closed: string[] }>();
  const { forbidden, closed } = against(block, "", fragment, privateTargets);
  const add = (which: "forbidden" | "closed", path: string): void => {
    const part = /^.*?\.\d+(?=\.|$)/.exec(path)?.[0] ?? path;
    const paths = byPart.get(part) ?? { forbidden: [], closed: [] };
    paths[which].push(path);
    byPart.set(part, paths);
  };
  for (const path of forbidden) add("forbidden", path);
  for (const path of closed) add("closed", path);
  if (byPart.size === 0) return fragment;
  for (const [part, paths] of byPart) {
    const place = blockPlace(block, shortName(part), block);
    warnings.push(...reasonsOf(paths).map((why) => noticeOf(place, why, `\`${shortName(part)}\` is left out`)));
  }
  return withoutForbidden(block, "", fragment, privateTargets === "block");
}
