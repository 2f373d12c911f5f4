// A reporter: names at the end every test that passed only at its second try, and what its first one said, so that none does so silently.
import type { Reporter, TestCase } from "vitest/node";

export default class SecondTries implements Reporter {
  readonly #lines: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    this.#lines.push(`  ${test.module.relativeModuleId} > ${test.fullName}`);
    for (const { message, stack } of test.result().errors ?? []) {
      const place = stack?.split("\n").find((line) => line.includes("/test/"));
      this.#lines.push(`    ${message.split("\n").slice(0, 12).join("\n    ")}`, ...(place === undefined ? [] : [`    ${place.trim()}`]));
    }
  }

  onTestRunEnd(): void {
    if (this.#lines.length > 0) console.log(`\npassed at a second try only:\n${this.#lines.join("\n")}`);
  }
}
