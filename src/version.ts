// The version of this panel, from its package, and the commit of the tree it runs from.
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";

export const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))).version;

/** The commit that the source tree is at; empty where it is no checkout. */
export const COMMIT = commitOf(new URL("../.git/", import.meta.url));

function commitOf(git: URL): string {
  const read = (name: string) => {
    const file = new URL(name, git);
    return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  };
  const head = read("HEAD");
  if (!head.startsWith("ref: ")) return head;
  const ref = head.slice("ref: ".length);
  const packed = read("packed-refs")
    .split("\n")
    .find((line) => line.endsWith(` ${ref}`));
  return read(ref) || (packed?.split(" ")[0] ?? "");
}
