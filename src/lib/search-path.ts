// The folders in which programs are looked up by their name: only such as nobody else may write into. npm puts the
// `node_modules/.bin` of every folder above the checkout on the PATH; what lies there is never ours.
import { lstatSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** Where a system keeps its programs. */
const SYSTEM = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
const OF_NPM = /\/node_modules\/\.bin\/*$/;
const MOST_LINKS = 40;

export interface SearchPath {
  readonly path: string;
  /** Folders that are not used, each with the place that others may write: `/srv/tools/bin (/srv/tools)`. */
  readonly refused: readonly string[];
}

/**
 * What the operator named, without what is npm's or relative; the system's folders where nothing is left. Where `user`
 * is root, folders that others may write are left out too: what lies in them would be run as root.
 */
export function searchPath(named: string, user = process.getuid?.()): SearchPath {
  const refused: string[] = [];
  const folders = [...new Set(named.split(delimiter))].filter((folder) => {
    if (!isAbsolute(folder) || OF_NPM.test(folder)) return false;
    const open = user === 0 ? openPlace(folder, user) : undefined;
    if (open !== undefined) refused.push(`${folder} (${open})`);
    return open === undefined;
  });
  return { path: (folders.length > 0 ? folders : SYSTEM).join(delimiter), refused };
}

/**
 * The first place on the way to a file, itself included, in which others than root and `user` may put something else;
 * undefined when there is none. A directory such as /tmp is one. Of a file that is not there the way is looked at.
 */
export function openPlace(path: string, user: number, links = 0): string | undefined {
  if (links > MOST_LINKS) return path;
  const parts = resolve(path).split("/").filter(Boolean);
  if (isOpen(lstatSync("/"), user)) return "/";
  let at = "/";
  for (const [index, part] of parts.entries()) {
    const next = join(at, part);
    const stat = lstatSync(next, { throwIfNoEntry: false });
    if (!stat) return undefined;
    // A user who may replace a link may write into its directory, which was checked before.
    if (stat.isSymbolicLink())
      return openPlace(join(resolve(at, readlinkSync(next)), ...parts.slice(index + 1)), user, links + 1);
    if (isOpen(stat, user)) return next;
    at = next;
  }
  return undefined;
}

function isOpen({ uid, gid, mode }: Stats, user: number): boolean {
  if (uid !== 0 && uid !== user) return true;
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== 0 && hasMembers(gid, user));
}

/** Whether anybody but root and `user` is in a group; Debian's /usr/local belongs to one that is empty. */
function hasMembers(gid: number, user: number): boolean {
  try {
    const lines = (path: string) =>
      readFileSync(path, "utf8")
        .split("\n")
        .map((line) => line.split(":"));
    const people = lines("/etc/passwd");
    const trusted = new Set(people.filter(([, , uid]) => uid === "0" || uid === String(user)).map(([name]) => name));
    const first = people.filter(([, , , group]) => group === String(gid)).map(([name = ""]) => name);
    const added = lines("/etc/group").filter(([, , group]) => group === String(gid));
    return [...first, ...added.flatMap(([, , , members = ""]) => members.split(","))].some(
      (name) => name !== "" && !trusted.has(name),
    );
  } catch {
    return true; // Who is in it is not known.
  }
}
