// A reporter: names at the end every test that passed only at its second try, so that none does so silently.
import type { Reporter, TestCase } from "vitest/node";

export default class SecondTries implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky === true) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    if (this.#names.length > 0) console.log(`\npassed at a second try only:\n  ${this.#names.join("\n  ")}`);
  }
}
