// Joins the program's sources and packages into a few files. What runs is the same code; only the files are not looked
// up, read and compiled one by one, which is half of what a start costs.
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

/** What starts a thread or a process of its own, and what a test loads ahead. */
const PARTS = {
  main: "src/main.ts",
  serve: "src/cli/serve.cli.ts",
  writer: "src/db/sqlite/writer.ts",
  scanner: "src/db/sqlite/scanner.ts",
  "frame-reader": "src/protocol/frame-reader.ts",
  "history-worker": "src/history/worker.ts",
  "archive-thread": "src/backups/archive/archive-thread.ts",
  "load-thread": "src/backups/load/load-thread.ts",
};

/** Packages that stay outside: with binaries, with files of their own, or where tests inject faults. */
const OUTSIDE = /^(node:.*|better-sqlite3|pg|ws|pino|pino-pretty|vite)$/;

export interface JoinOptions {
  /**
   * It runs wherever its files are put, with `package.json` and `migrations/` beside them, and is small. Else it finds
   * these in the checkout.
   */
  readonly frozen?: true;
}

/** `checkout` ends in a slash. The files in `directory` are named after the parts: `main.mjs`. */
export async function joinProgram(checkout: string, directory: string, { frozen }: JoinOptions = {}): Promise<void> {
  const root = frozen ? `new URL("./", import.meta.url)` : JSON.stringify(pathToFileURL(checkout).href);
  const bundle = await rolldown({
    cwd: checkout,
    input: PARTS,
    platform: "node",
    external: OUTSIDE,
    logLevel: "silent",
    plugins: [{ name: "places", transform: (code, id) => withPlaces(code, id, checkout, root) }],
  });
  await bundle.write({
    dir: directory,
    format: "esm",
    keepNames: true,
    minify: frozen === true,
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  await bundle.close();
}

/** A module that asks where it lies hears of its source, except where it means one of the parts. */
function withPlaces(code: string, id: string, checkout: string, root: string): string | undefined {
  if (!id.startsWith(`${checkout}src/`) || !code.includes("import.meta.url")) return undefined;
  const source = "placeOfThisModule";
  const parts = Object.entries(PARTS).map(([name, path]) => [path, `${name}.mjs`]);
  return `const placeOfThisModule = new URL(${JSON.stringify(id.slice(checkout.length))}, ${root}).href;
const partsOfTheProgram = new Map(${JSON.stringify(parts)}.map(([path, file]) => [new URL(path, ${root}).href, file]));
const placeOf = (path) => {
  const place = new URL(path, placeOfThisModule);
  const part = partsOfTheProgram.get(place.href);
  return part === undefined ? place : new URL(part, import.meta.url);
};
${code
  .replaceAll(/new URL\(([^()]+), import\.meta\.url\)/g, "placeOf($1)")
  .replaceAll(/(?<!part, )import\.meta\.url/g, source)}`;
}
