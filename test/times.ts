// A reporter: how long the tests of each room took, the slowest files, and the groups' times by the clock. A whole run
// leaves the seconds of rooms and long files in `.times.json`, which `npm run budgets` holds against
// `test/budgets.json`.
import { writeFileSync } from "node:fs";
import { styleText } from "node:util";
import type { Reporter, TestModule, TestSpecification } from "vitest/node";
import budgets from "./budgets.json" with { type: "json" };

const SLOWEST = 15;
/** Least seconds of a file that is worth a place in `long-files.json`. */
const LONG_SECONDS = 15;

interface File {
  readonly name: string;
  readonly group: string;
  readonly seconds: number;
}

/**
 * The folder below `test/` that a file's time is counted to. The interface's tests that start programs are rooms of
 * their own.
 */
function roomOf(file: string): string {
  const [, first = "", second = ""] = file.split("/");
  return first === "web" && (second === "browser" || second === "serving") ? `${first}/${second}` : first;
}

export default class Times implements Reporter {
  readonly #files: File[] = [];
  readonly #groups = new Map<string, { from: number; to: number }>();
  #whole = false;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#whole =
      new Set(specifications.map(({ moduleId }) => roomOf(moduleId.slice(moduleId.indexOf("/test/") + 1)))).size > 15;
  }

  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, duration } = module.diagnostic();
    const group = module.project.name;
    const ms = collectDuration + duration;
    this.#files.push({ name: module.relativeModuleId, group, seconds: ms / 1000 });
    const now = Date.now();
    const span = this.#groups.get(group) ?? { from: now - ms, to: now };
    this.#groups.set(group, { from: Math.min(span.from, now - ms), to: now });
  }

  onTestRunEnd(): void {
    if (!this.#whole) return;
    const rooms: Record<string, number> = {};
    for (const { name, seconds } of this.#files) rooms[roomOf(name)] = (rooms[roomOf(name)] ?? 0) + seconds;
    for (const room of Object.keys(rooms)) rooms[room] = Math.round((rooms[room] ?? 0) * 10) / 10;
    const byTime = this.#files.toSorted((a, b) => b.seconds - a.seconds);
    const long = byTime
      .filter(({ seconds }) => seconds >= LONG_SECONDS)
      .map(({ name, seconds }) => [name, Math.round(seconds)]);
    writeFileSync(".times.json", `${JSON.stringify({ rooms, longFiles: Object.fromEntries(long) }, undefined, 2)}\n`);
    const slowest = byTime.slice(0, SLOWEST);
    const groups = [...this.#groups].map(([name, { from, to }]) => `${name} ${Math.round((to - from) / 1000)} s`);
    const line = (seconds: number, text: string) => `  ${seconds.toFixed(1).padStart(7)}  ${text}`;
    console.log(
      [
        `\nseconds by the clock: ${groups.join(", ")}`,
        "seconds of tests by room, and what they may take on two quiet cores:",
        ...Object.entries(rooms)
          .toSorted(([, a], [, b]) => b - a)
          .map(([room, seconds]) => line(seconds, `${room}${budgetText(room, seconds)}`)),
        "slowest files:",
        ...slowest.map(({ name, seconds }) => line(seconds, name)),
      ].join("\n"),
    );
  }
}

function budgetText(room: string, seconds: number): string {
  const budget = (budgets as Readonly<Record<string, number>>)[room];
  if (budget === undefined) return styleText("yellow", " (no budget)");
  return seconds > budget ? styleText("yellow", ` (more than its ${budget})`) : ` (of ${budget})`;
}
