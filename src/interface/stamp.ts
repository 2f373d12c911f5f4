// Which interface belongs to the sources: a digest of everything that the build reads.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Below `src`: the pages, and what else runs in them. */
const SOURCES = ["web", "client", "lib", "protocol"];

/** The same exactly while the interface's sources and the locked packages are the same. `checkout`: absolute. */
export async function stampOf(checkout: string): Promise<string> {
  const folders = SOURCES.map((name) => join(checkout, "src", name));
  const entries = await Promise.all(folders.map((path) => readdir(path, { recursive: true, withFileTypes: true })));
  const files = entries
    .flat()
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const digest = createHash("sha256");
  for (const file of [join(checkout, "package-lock.json"), ...files.toSorted()]) {
    const content = await readFile(file);
    digest.update(`${file.slice(checkout.length)}\0${content.length}\0`).update(content);
  }
  return digest.digest("hex").slice(0, 16);
}
