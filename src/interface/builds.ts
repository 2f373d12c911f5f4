// Built interfaces on disk: a directory for each stamp, complete from the moment it has its name.
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { FirstLoads } from "../http/interface/first-loads.ts";
import type { Encoding } from "../http/answers/encoding.ts";
import { ENCODINGS, type InterfaceBuild } from "../http/interface/files.ts";

const STAMP = /^[0-9a-f]{16}$/;
/** The directory of a build that is not complete, with the id of its process. */
export const UNFINISHED = /^unfinished-(\d+)$/;

/** The directory in which a process builds. */
export function unfinishedOf(pid: number): string {
  return `unfinished-${pid}`;
}

/** Reads what a directory holds; undefined where there is no interface in it. Source maps are left out. */
export async function readBuild(directory: string): Promise<InterfaceBuild | undefined> {
  let page: string;
  try {
    page = await readFile(join(directory, "index.html"), "utf8");
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const names = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(directory, join(parentPath, name)).replaceAll("\\", "/")),
  );
  const files = new Map<string, Encoding[]>();
  for (const name of names) {
    if (/\.(br|gz|map)$/.test(name)) continue;
    files.set(
      name,
      (["br", "gzip"] as const).filter((encoding) => names.has(name + ENCODINGS[encoding])),
    );
  }
  return {
    directory,
    page,
    files,
    firstLoads: names.has(FIRST_LOADS) ? await readFirstLoads(join(directory, FIRST_LOADS)) : undefined,
  };
}

const FIRST_LOADS = "first-loads.json";

async function readFirstLoads(file: string): Promise<FirstLoads> {
  return FirstLoads.parse(JSON.parse(await readFile(file, "utf8")));
}

/** Directories of builds in `output`, newest first. Empty where there are none. */
export async function buildsIn(output: string): Promise<string[]> {
  const names = await readdir(output).catch((error: unknown) => {
    if (isAbsence(error)) return [];
    throw error;
  });
  const dated = await Promise.all(
    names
      .filter((name) => STAMP.test(name))
      .map(async (name) => ({ path: join(output, name), time: (await stat(join(output, name))).mtimeMs })),
  );
  return dated.toSorted((one, other) => other.time - one.time).map(({ path }) => path);
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
