// How many records a step has, by how long steps take.
import { expect, test } from "vitest";
import { StepSize } from "../../src/jobs/step-size.ts";

/** The size of steps after so many, where a record takes `ms`. */
function settled(ms: number): number {
  const size = new StepSize();
  for (let step = 0; step < 20; step++) size.took(size.records, size.records * ms);
  return size.records;
}

// rule jobs.step.2
test("it grows to what fits into 20 ms, and never beyond a thousand", () => {
  expect(settled(0.1)).toBe(200);
  expect(settled(1)).toBe(20);
  expect(settled(0.001)).toBe(1000);
  expect(settled(500)).toBe(1);
});

test("one slow step at most halves it, and one that fails is tried with half of its records", () => {
  const size = new StepSize();
  for (let step = 0; step < 20; step++) size.took(size.records, 1);
  size.took(1000, 60_000);
  expect(size.records).toBe(500);
  expect(size.failed(500)).toBe(250);
  expect(size.records).toBe(250);
});
