// A reporter: what was skipped, and why. A reason is the note of a skipped test, or the line "skipped: …" that its file
// printed. In CI a skip that nobody explained is a failure (`test/ci.ts`).
import type { UserConsoleLog } from "vitest";
import type { Reporter, TestModule } from "vitest/node";

const SAID = /^skipped: (.*)$/gim;

export default class Skipped implements Reporter {
  /** Lines that a file printed, by the file's id. */
  readonly #said = new Map<string, Set<string>>();
  /** Lines that the files of parts printed. */
  #ofParts = new Set<string>();
  /** Files of which tests were skipped for no reason that was said. */
  unexplained: string[] = [];

  onUserConsoleLog({ content, taskId = "" }: UserConsoleLog): void {
    const [file = ""] = taskId.split("_");
    for (const [, reason = ""] of content.matchAll(SAID))
      this.#said.set(file, (this.#said.get(file) ?? new Set()).add(reason));
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // A run of some tests of a file leaves the others out on purpose.
    const chosen = modules.some(({ project }) => project.config.testNamePattern !== undefined);
    const parts = modules.filter(({ project }) => project.name === "parts");
    this.#ofParts = new Set(parts.flatMap(({ id }) => [...(this.#said.get(id) ?? [])]));
    const lines = chosen ? [] : modules.flatMap((module) => this.#linesOf(module));
    if (lines.length > 0) console.log(["\nskipped:", ...lines].join("\n"));
  }

  #linesOf(module: TestModule): string[] {
    const all = [...module.children.allTests()];
    // It has its tests for each of something that is not here.
    if (all.length === 0 && module.ok())
      return [`  ${module.relativeModuleId}: all: ${this.#linesFor(module).join("; ")}`];
    const skipped = [...module.children.allTests("skipped")];
    if (skipped.length === 0) return [];
    const notes = skipped.map((test) => (test.result() as { readonly note?: string }).note);
    const said = notes.includes(undefined) ? this.#linesFor(module) : [];
    const silent = notes.includes(undefined) && said.length === 0;
    if (silent) this.unexplained.push(module.relativeModuleId);
    const reasons = new Set([...notes.filter((note) => note !== undefined), ...said]);
    const why = [...reasons, ...(silent ? ["nobody said why"] : [])].join("; ");
    return [`  ${module.relativeModuleId}: ${skipped.length} of ${all.length}: ${why}`];
  }

  #linesFor(module: TestModule): string[] {
    const own = this.#said.get(module.id);
    if (own) return [...own];
    // Files of parts share what they import: a line of a shared module is printed by the first of them alone.
    return module.project.name === "parts" ? [...this.#ofParts] : [];
  }
}
