// Three groups, one after the other: what is busy with itself never slows down what measures real processes.
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import LongestFirst from "./test/longest-first.ts";

/**
 * Runs of their own that keep both cores busy; a seed or a kill that fails is a bug, so nothing here gets a second try
 * (test/ci.ts).
 */
const CAMPAIGNS = ["test/crash/**/*.test.ts", "test/simulation/**/*.test.ts", "test/privilege/**/*.test.ts"];
/**
 * Real agents, engines, clients, browsers and servers against the clock. They wait more than they work: five files at
 * a time keep two cores busy.
 */
const PROCESSES = ["agent", "cli", "e2e", "faults", "web/browser", "web/serving"].map(
  (room) => `test/${room}/**/*.test.ts`,
);

const limits = {
  // A panel that a test starts builds no interface; tests of the interface name a directory (test/web/built.ts).
  env: { SIGNALBOX_WEB: "off" },
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is awaited comes when it comes: on a busy machine later.
  expect: { poll: { timeout: 20_000, interval: 20 } },
  // A file that has its tests for each installed engine has none where none is; `test/skipped.ts` names it. CI has all.
  passWithNoTests: process.env["CI"] !== "true",
};

/**
 * Of whole programs, each of which waits for its turn on a busy machine. What must be quick is held to
 * `test/stopwatch.ts`, never to these.
 */
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000, interval: 20 } } };

function group(
  groupOrder: number,
  name: string,
  test: TestProjectInlineConfiguration["test"],
): TestProjectInlineConfiguration {
  return { test: { name, ...limits, ...test, sequence: { groupOrder } } };
}

export default defineConfig({
  test: {
    globalSetup: ["test/port-map-leftovers.ts"],
    sequence: { sequencer: LongestFirst },
    reporters: ["default", "./test/skipped.ts", "./test/times.ts"],
    projects: [
      // Their files share what was imported: loading the panel's modules for each took as long as the tests themselves.
      // Each worker waits for databases and password hashes more than half of its time.
      group(1, "parts", {
        include: ["test/**/*.test.ts"],
        exclude: [...CAMPAIGNS, ...PROCESSES],
        maxWorkers: 4,
        isolate: false,
      }),
      group(2, "campaigns", { include: CAMPAIGNS, maxWorkers: 3 }),
      group(3, "processes", { include: PROCESSES, maxWorkers: 5, ...patient }),
    ],
  },
});
