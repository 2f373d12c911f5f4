// What an import would do: its own decisions on the lines that came, thrown away (rule jobs.import.13).
import { setImmediate as nextTick, setTimeout as pause } from "node:timers/promises";
import { trialIds, tryOut } from "../../db/index.ts";
import type { Caller } from "../../http/index.ts";
import type { JobProblem, StagedLines } from "../../jobs/index.ts";
import type { Origin } from "../../lib/origin.ts";
import { OwnerCountRows } from "../records/owner.entity.ts";
import { LIMITS, type Assumption } from "./cells.ts";
import { EarlierLines } from "./earlier-lines.ts";
import { importStep } from "./import-step.ts";
import type { ImportTrial } from "./import.schema.ts";
import { readingOf, type ImportPlan } from "./import.work.ts";
import type { TransferDeps, ParsedLine } from "./lines.ts";
import { lineParts, locksOf } from "./line-parts.ts";

/** Lines at a time. */
const AT_ONCE = 200;
const MOST_PROBLEMS = 20_000;
const MOST_UNKNOWN = 256;

export async function tryImport(
  deps: TransferDeps & { readonly lines: StagedLines },
  { caller, origin }: { readonly caller: Caller; readonly origin: Origin },
  job: number,
  plan: ImportPlan,
  signal: AbortSignal,
): Promise<ImportTrial> {
  const { owner, format, onConflict, records } = plan;
  const reading = readingOf(plan, deps.timeZone());
  const parts = lineParts(deps);
  const trial = new Trial(plan);
  const earlier = new EarlierLines(deps);
  /** One source of ids for the whole file: accounts of two parts never get the same id. */
  const ids = trialIds();
  /** How many accounts each owner would have by then: the lines before count too. */
  const counts = new Map<string, Record<string, unknown> | null>();
  let cursor = 0;
  let rest = records;
  while (rest > 0) {
    signal.throwIfAborted();
    const source = { job, format, cursor, rest, owner, onConflict, reading };
    const waits = (ms: number) => pause(ms, undefined, { signal });
    const { rows = [], ...part } = await parts.prepare(source, AT_ONCE, waits, earlier);
    const { lines, standing } = part;
    const last = lines.at(-1);
    if (!last) break;
    const bodies = new Map(lines.map(({ line, body }) => [line, body]));
    const step = importStep(deps, onConflict, origin, part);
    const tally = await tryOut(
      deps.reads,
      deps.now() * 1000,
      locksOf(deps, part),
      (draft) => {
        const done = step.decide(draft, caller);
        for (const [key, row] of draft.current) if (key.startsWith(`${OwnerCountRows.name}:`)) counts.set(key, row);
        const accounts = done.before.flatMap(({ at = 0, id }) => {
          const body = bodies.get(at);
          return body ? [{ id, body }] : [];
        });
        earlier.add(draft, standing, accounts);
        return done;
      },
      ids,
      new Map([...counts, ...rows]),
    );
    trial.add(lines, tally.problems, {
      update: tally.matched - tally.blocked,
      create: tally.affected.length - (tally.matched - tally.blocked),
      skip: tally.blocked,
    });
    cursor = last.line;
    rest -= lines.length;
    await nextTick();
  }
  return trial.answer();
}

class Trial {
  readonly #plan: ImportPlan;
  readonly #counts = { lines: 0, create: 0, update: 0, skip: 0, fail: 0 };
  readonly #problems: ImportTrial["problems"] = [];
  readonly #unknown: Set<string>;
  readonly #assumed = new Map<string, Assumption & { lines: number }>();

  constructor(plan: ImportPlan) {
    this.#plan = plan;
    this.#unknown = new Set(plan.unknown);
  }

  add(
    lines: readonly ParsedLine[],
    problems: readonly JobProblem[],
    counts: Readonly<Record<"create" | "update" | "skip", number>>,
  ): void {
    const byLine = new Map(lines.map((line) => [line.line, line]));
    this.#counts.lines += lines.length;
    for (const what of ["create", "update", "skip"] as const) this.#counts[what] += counts[what];
    this.#counts.fail += problems.length;
    for (const problem of problems) this.#refused(problem, byLine.get(problem.id));
    for (const { assumed, unknown } of lines) {
      for (const name of unknown) if (this.#unknown.size < MOST_UNKNOWN) this.#unknown.add(name.slice(0, 64));
      for (const each of assumed) this.#assume(each, 1);
    }
  }

  answer(): ImportTrial {
    const { head } = this.#plan;
    const absent = head ? LIMITS.filter((field) => !head.includes(field) && !isSaid(field, head)) : [];
    const { create } = this.#counts;
    if (create > 0) for (const field of absent) this.#assume({ field, code: "absent_unlimited", value: "" }, create);
    const problems = this.#problems.toSorted((one, other) => one.line - other.line);
    return {
      ...this.#counts,
      problems: problems.slice(0, MOST_PROBLEMS),
      unknownColumns: [...this.#unknown],
      assumed: [...this.#assumed.values()],
    };
  }

  #assume(each: Assumption, lines: number): void {
    const key = `${each.field} ${each.code} ${each.value}`;
    this.#assumed.set(key, { ...each, lines: (this.#assumed.get(key)?.lines ?? 0) + lines });
  }

  #refused(
    { id: line, name = "", field = "", code, error, issues = [] }: JobProblem,
    read: ParsedLine | undefined,
  ): void {
    if (this.#problems.length >= MOST_PROBLEMS) return;
    const said = (path: string) => (path === "" ? "" : (read?.valueAt(path) ?? ""));
    if (issues.length === 0) this.#problems.push({ line, name, field, value: said(field), code, error });
    for (const { path, message, code: broken, values } of issues)
      this.#problems.push({
        line,
        name,
        field: path,
        value: said(path),
        code: broken ?? code,
        error: `${path}: ${message}`,
        ...(values === undefined ? {} : { values }),
      });
  }
}

/** A plan says all limits, a length from the first use the end. */
function isSaid(field: string, head: readonly string[]): boolean {
  return head.includes("planId") || (field === "expiry" && head.includes("duration"));
}
