// What this checkout's migrations did since a landing.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Head } from "./landing.ts";

/** The migrations since then, and whether all of them were only additions. */
export async function migratedSince(
  { migrations }: Pick<Head, "migrations">,
  folder: string,
): Promise<{ readonly names: readonly string[]; readonly additive: boolean }> {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(".ts") && !migrations.includes(file.slice(0, -".ts".length)))
    .map((file) => file.slice(0, -".ts".length));
  const marks = await Promise.all(
    names.map(async (name) => {
      const exported: Readonly<Record<string, { additive?: unknown }>> = await import(
        pathToFileURL(join(folder, `${name}.ts`)).href
      );
      return Object.values(exported).some(({ additive }) => additive === true);
    }),
  );
  return { names, additive: marks.every(Boolean) };
}
