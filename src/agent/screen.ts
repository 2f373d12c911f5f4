// What of a plan any engine of this host is given. A panel decides what a node serves, not what the node's own files,
// programs, interfaces and neighbours are used for: so each item is held against the allow-lists here, whatever the
// panel has checked, and what does not pass is left out with a warning while the rest is served.
import { forbiddenPaths, privateTargetPaths, typesOf, withoutForbidden } from "../dialect/index.ts";
import type { Collection } from "../dialect/index.ts";
import type { Fragment, PlanObject, PlanOutbound, Structure } from "../protocol/plan.ts";

export interface Screened {
  readonly structure: Structure;
  readonly warnings: readonly string[];
}

type PrivateTargets = "block" | "allow";

/** Pure. */
export function screen(structure: Structure, privateTargets: PrivateTargets): Screened {
  const warnings: string[] = [];
  const kept: [string, PlanObject][] = [];
  for (const [key, object] of Object.entries(structure)) {
    const left = screened(object, privateTargets, warnings);
    if (left) kept.push([key, left]);
  }
  return { structure: Object.fromEntries(kept), warnings };
}

function screened(object: PlanObject, privateTargets: PrivateTargets, warnings: string[]): PlanObject | undefined {
  if (object.kind === "route")
    return { ...object, route: screenBlock("route", object.route, privateTargets, warnings) };
  if (object.kind === "core") return { ...object, core: screenBlock("core", object.core, privateTargets, warnings) };
  const collection = object.kind === "inbound" ? "inbounds" : collectionOf(object);
  const found = against(collection, object.type, object.config, privateTargets);
  if (found.forbidden.length === 0 && found.closed.length === 0) return object;
  const noSuchType = !typesOf(collection).includes(object.type);
  warnings.push(
    `${object.kind} ${object.tag}: ${noSuchType ? `type ${named([object.type])} is for no node` : sentence(found)}; it is left out`,
  );
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

function sentence({ forbidden, closed }: Against): string {
  return [
    ...(forbidden.length > 0 ? [`${named(forbidden)} may not be set on nodes`] : []),
    ...(closed.length > 0 ? [`${named(closed)} leads to a private address, which is closed here`] : []),
  ].join("; ");
}

const MOST_NAMED = 5;
const LONGEST_NAME = 100;

/** Paths come from whoever wrote the fragment: few are shown, and none at length. */
function named(paths: readonly string[]): string {
  const shown = paths
    .slice(0, MOST_NAMED)
    .map((path) => `\`${path.length > LONGEST_NAME ? `${path.slice(0, LONGEST_NAME)}…` : path}\``);
  return paths.length > MOST_NAMED ? `${shown.join(", ")} and ${paths.length - MOST_NAMED} more` : shown.join(", ");
}

/**
 * Of a route or core block only the rule, rule set or DNS server is left out that holds what does not pass, or else the
 * key.
 */
function screenBlock(
  block: "route" | "core",
  fragment: Fragment,
  privateTargets: PrivateTargets,
  warnings: string[],
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
  for (const [part, paths] of byPart) warnings.push(`${block}: ${sentence(paths)}; ${named([part])} is left out`);
  return withoutForbidden(block, "", fragment, privateTargets === "block");
}
