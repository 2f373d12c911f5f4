// The kept table: the part of docs/engines.md between two marks is what a run of the matrix printed.
import { readFileSync, writeFileSync } from "node:fs";
import { ROOT } from "../processes.ts";
import type { MatrixRun } from "./run.ts";
import { capabilitiesMarkdown, matrixMarkdown, notesMarkdown } from "./table.ts";

const FILE = `${ROOT}docs/engines.md`;

const PARTS: Readonly<Record<string, (run: MatrixRun) => string>> = {
  capabilities: capabilitiesMarkdown,
  matrix: matrixMarkdown,
  notes: notesMarkdown,
};

function marks(part: string): readonly [string, string] {
  return [`<!-- ${part}: written by npm run matrix -- --write -->`, `<!-- end of ${part} -->`];
}

/** The document as this run would have it. Throws when a mark is missing. */
export function documentOf(run: MatrixRun, text = readFileSync(FILE, "utf8")): string {
  return Object.entries(PARTS).reduce((document, [part, write]) => {
    const [begin, end] = marks(part);
    const from = document.indexOf(begin);
    const to = document.indexOf(end);
    if (from < 0 || to < from) throw new Error(`${FILE} has no ${begin} … ${end}`);
    return `${document.slice(0, from + begin.length)}\n\n${write(run)}\n\n${document.slice(to)}`;
  }, text);
}

/** The document as it is kept. */
export function keptDocument(): string {
  return readFileSync(FILE, "utf8");
}

export function writeDocument(run: MatrixRun): void {
  writeFileSync(FILE, documentOf(run));
}
