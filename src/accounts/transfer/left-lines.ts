// The lines of an import that were skipped or refused: some of them for a page, all of them as a file that is written
// while it is read.
import { Readable } from "node:stream";
import type { Reader } from "../../db/index.ts";
import { contentAfter, JobProblem, type JobRow } from "../../jobs/index.ts";
import { csvHead, csvLine } from "../../lib/csv.ts";
import type { LeftLine, LeftQuery } from "./import.schema.ts";
import { isSkipped } from "./import-step.ts";

const COLUMNS = ["line", "outcome", "name", "field", "value", "code", "error"] as const;

const parse = (stored: unknown) => JobProblem.parse(stored);

/** In the order of the file. */
async function* leftOf(
  reads: Reader,
  { id }: Pick<JobRow, "id">,
  outcome: LeftQuery["outcome"],
): AsyncGenerator<LeftLine[]> {
  for (let after = 0; ;) {
    const part = await contentAfter(
      reads,
      { jobId: id, sort: "left", parse, recordOf: (problem) => problem.id },
      after,
    );
    const last = part.at(-1);
    if (!last) return;
    after = last.id;
    const lines = part.map(lineOf);
    yield outcome === undefined ? lines : lines.filter((line) => line.outcome === outcome);
  }
}

function lineOf({ id: line, name = "", field = "", value = "", code, error, issues }: JobProblem): LeftLine {
  const outcome = isSkipped(code) ? "skipped" : "refused";
  return { line, outcome, name, field, value, code, error, ...(issues === undefined ? {} : { issues }) };
}

/** The first `limit` of them. */
export async function firstLeft(
  reads: Reader,
  job: Readonly<JobRow>,
  { outcome }: Pick<LeftQuery, "outcome">,
  limit: number,
): Promise<{ total: number; lines: LeftLine[] }> {
  const { blocked, failed } = job;
  const total = outcome === "skipped" ? blocked : outcome === "refused" ? failed : blocked + failed;
  const lines: LeftLine[] = [];
  for await (const part of leftOf(reads, job, outcome)) {
    lines.push(...part);
    if (lines.length >= limit) break;
  }
  return { total, lines: lines.slice(0, limit) };
}

export function leftStream(
  reads: Reader,
  job: Readonly<JobRow>,
  { outcome }: Pick<LeftQuery, "outcome">,
  format: "csv" | "ndjson",
): Readable {
  async function* texts(): AsyncGenerator<string> {
    if (format === "csv") yield csvHead(COLUMNS);
    for await (const part of leftOf(reads, job, outcome))
      if (part.length > 0) yield part.map((line) => rowOf(line, format)).join("");
  }
  return Readable.from(texts(), { highWaterMark: 1 });
}

function rowOf(line: LeftLine, format: "csv" | "ndjson"): string {
  return format === "csv" ? csvLine(COLUMNS.map((column) => line[column])) : `${JSON.stringify(line)}\n`;
}
