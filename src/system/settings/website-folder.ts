// What the web site of `web_masquerade_dir` must not touch: a directory that holds the panel's secrets, or lies among
// them, would publish them.
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { invalid, type Rule, ruleSaying } from "../../http/index.ts";

/** Keys that are looked at together. */
export const SITE_KEYS: readonly string[] = ["web_cert_file", "web_key_file", "web_masquerade_dir"];

/** The value of a key as it would be after the write. */
type ValueAfter = (key: string) => string;

/**
 * Throws a 400 on `field` where the site would publish the panel's own. `places`: what is private whatever the settings
 * say.
 */
export function refusePublishedSecrets(
  key: string,
  after: ValueAfter,
  places: readonly string[],
  field = "value",
): void {
  if (!SITE_KEYS.includes(key)) return;
  const objection = websiteObjection(after("web_masquerade_dir"), [...places, ...certificateFiles(after)]);
  if (objection !== undefined) invalid(field, objection);
}

export function certificateFiles(after: (key: "web_cert_file" | "web_key_file") => string): string[] {
  return [after("web_cert_file"), after("web_key_file")].filter((file) => file !== "");
}

/**
 * Why this directory cannot be a web site: it contains one of the panel's places, or is inside one. Undefined if
 * neither. Links are resolved on both sides, and a directory that is mounted a second time is known by its inode.
 */
export function websiteObjection(directory: string, places: readonly string[]): Rule | undefined {
  if (directory === "") return undefined;
  const site = lineageOf(realOf(resolve(directory)));
  for (const place of places) {
    const named = resolve(place);
    // Where the place is a link, both the link and what it leads to are the panel's.
    for (const path of new Set([realOf(named), join(realOf(dirname(named)), basename(named))])) {
      const line = lineageOf(path);
      if (holds(site, line))
        return ruleSaying(`holds the panel's own ${place}: name another directory`, "panel_place", place);
      if (holds(line, site))
        return ruleSaying(`lies in the panel's own ${place}: name another directory`, "panel_place", place);
    }
  }
  return undefined;
}

interface Lineage {
  readonly path: string;
  /** Inodes of the path and its parents up to the root; undefined for a path that does not exist. */
  readonly inodes: readonly (string | undefined)[];
}

function holds(outer: Lineage, inner: Lineage): boolean {
  const [own] = outer.inodes;
  return `${inner.path}${sep}`.startsWith(`${outer.path}${sep}`) || (own !== undefined && inner.inodes.includes(own));
}

/** `path`: real, but perhaps for its last name. */
function lineageOf(path: string): Lineage {
  const inodes = [inodeOf(path)];
  for (let each = path; each !== dirname(each); each = dirname(each)) inodes.push(inodeOf(dirname(each)));
  return { path, inodes };
}

/** The real path of what exists of it, and the rest as it is named. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realOf(dirname(path)), basename(path));
  }
}

function inodeOf(path: string): string | undefined {
  try {
    const { dev, ino } = lstatSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
