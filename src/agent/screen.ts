// What of a plan any engine of this host is given. A panel decides what a node serves, not what the node's own files, programs, interfaces and neighbours are used for:
// so each item is held against the allow-lists here, whatever the panel has checked, and what does not pass is left out with a warning while the rest is served.
import { isDeepStrictEqual } from "node:util";
import { forbiddenPaths, privateTargetPaths, typesOf } from "../dialect/index.ts";
import type { Collection } from "../dialect/index.ts";
import { Fragment } from "../protocol/plan.ts";
import type { PlanObject, PlanOutbound, Structure } from "../protocol/plan.ts";

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
  if (object.kind === "route") {
    return { ...object, route: screenBlock("route", object.route, privateTargets, warnings) };
  }
  if (object.kind === "core") {
    return { ...object, core: screenBlock("core", object.core, privateTargets, warnings) };
  }
  const collection = object.kind === "inbound" ? "inbounds" : collectionOf(object);
  const reasons = reasonsAgainst(collection, object.type, object.config, privateTargets);
  if (reasons.length === 0) return object;
  warnings.push(`${object.kind} ${object.tag}: ${reasons.join("; ")}; it is left out`);
  return undefined;
}

/** Endpoints stand among the outbounds of a plan. */
function collectionOf({ type }: PlanOutbound): "outbounds" | "endpoints" {
  return typesOf("endpoints").includes(type) ? "endpoints" : "outbounds";
}

/** `part`: what the paths are to be named after, where `fragment` holds only a part of what was written. */
function reasonsAgainst(collection: Collection, type: string, fragment: Fragment, privateTargets: PrivateTargets, part?: Part): string[] {
  const forbidden = forbiddenPaths(collection, type, fragment);
  if (forbidden.length === 1 && forbidden[0] === "type") return [`type ${named([type])} is for no node`];
  const closed = privateTargets === "block" ? privateTargetPaths(collection, type, fragment) : [];
  const real = (path: string): string => (part ? part.path.join(".") + path.slice(part.alone.join(".").length) : path);
  return [
    ...(forbidden.length > 0 ? [`${named(forbidden.map(real))} may not be set on nodes`] : []),
    ...(closed.length > 0 ? [`${named(closed.map(real))} leads to a private address, which is closed here`] : []),
  ];
}

const MOST_NAMED = 5;
const LONGEST_NAME = 100;

/** Paths come from whoever wrote the fragment: few are shown, and none at length. */
function named(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_NAMED).map((path) => `\`${path.length > LONGEST_NAME ? `${path.slice(0, LONGEST_NAME)}…` : path}\``);
  return paths.length > MOST_NAMED ? `${shown.join(", ")} and ${paths.length - MOST_NAMED} more` : shown.join(", ");
}

/** What of a route or core block may be left out by itself: fields of objects, and items of lists. Everything else stands or falls as a whole. */
const OPEN: Readonly<Record<"route" | "core", readonly (readonly string[])[]>> = {
  route: [[], ["rules"], ["rule_set"]],
  core: [[], ["dns"], ["dns", "servers"], ["dns", "rules"]],
};

function screenBlock(block: keyof typeof OPEN, fragment: Fragment, privateTargets: PrivateTargets, warnings: string[]): Fragment {
  const whole: Part = { path: [], alone: [], holding: (value) => Fragment.parse(value) };
  const left = Fragment.parse(screenPart(whole, fragment));
  if (reasonsAgainst(block, "", left, privateTargets).length > 0) throw new Error(`what is left of ${block} does not pass`);
  return left;

  function screenPart(part: Part, value: unknown): unknown {
    const reasons = reasonsAgainst(block, "", part.holding(value), privateTargets, part);
    if (reasons.length === 0) return value;
    const isOpen = OPEN[block].some((open) => isDeepStrictEqual(open, part.path));
    if (isOpen && Array.isArray(value)) return value.map((item, index) => screenPart(itemOf(part, index), item)).filter(isKept);
    const fields = isOpen ? Fragment.safeParse(value).data : undefined;
    if (fields)
      return Object.fromEntries(
        Object.entries(fields)
          .map(([key, field]) => [key, screenPart(fieldOf(part, key), field)] as const)
          .filter(([, field]) => isKept(field)),
      );
    warnings.push(`${block}: ${reasons.join("; ")}; \`${part.path.join(".")}\` is left out`);
    return undefined;
  }
}

function isKept(value: unknown): boolean {
  return value !== undefined;
}

/** A part of a block, and the block with nothing but that part in it. */
interface Part {
  readonly path: readonly string[];
  /** Where the part stands when it is alone. */
  readonly alone: readonly string[];
  readonly holding: (value: unknown) => Fragment;
}

function fieldOf({ path, alone, holding }: Part, key: string): Part {
  return { path: [...path, key], alone: [...alone, key], holding: (value) => holding({ [key]: value }) };
}

function itemOf({ path, alone, holding }: Part, index: number): Part {
  return { path: [...path, String(index)], alone: [...alone, "0"], holding: (value) => holding([value]) };
}
