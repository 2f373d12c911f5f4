// One run for everything: files in parallel; real processes and databases, so the limits are generous.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["test/port-map-leftovers.ts"],
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    // What is awaited comes when it comes: on a busy machine later.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    hookTimeout: 60_000,
    maxWorkers: 3,
  },
});
