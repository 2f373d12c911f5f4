// How many records a step has, by how long steps take.
import { expect, test } from "vitest";
import type { Dialect } from "../../src/db/index.ts";
import { StepSize, type StepTime } from "../../src/jobs/step-size.ts";

/** The size of steps after so many, where a step of so many records takes `time`. */
function settled(time: (records: number) => StepTime, dialect: Dialect = "postgresql"): number {
  const size = new StepSize(dialect);
  for (let step = 0; step < 20; step++) size.took(size.records, time(size.records));
  return size.records;
}
const working = (ms: number) => settled((records) => ({ worked: records * ms, waited: 0 }));

// rule jobs.step.2
test("it grows to what this thread does in 20 ms, and never beyond a thousand", () => {
  expect(working(0.1)).toBe(200);
  expect(working(1)).toBe(20);
  expect(working(0.001)).toBe(1000);
  expect(working(500)).toBe(1);
});

// rule jobs.step.2
test("a database that is slow for each record holds it back, a wait that is the same for all does not", () => {
  expect(settled((records) => ({ worked: records * 0.1, waited: records }))).toBe(60);
  expect(settled((records) => ({ worked: records * 0.1, waited: records * 1000 }))).toBe(50);
  expect(settled((records) => ({ worked: records * 0.1, waited: 30 }))).toBe(200);
  expect(settled((records) => ({ worked: records * 0.1, waited: 5000 }))).toBe(50);
  // Not even that many, where this thread works on them for longer.
  expect(settled((records) => ({ worked: records, waited: 5000 }))).toBe(20);
});

// rule jobs.step.2
test("where others wait for the writer, a step is written in less time", () => {
  const written = (records: number) => ({ worked: records * 0.01, waited: records * 0.2 });
  expect(settled(written)).toBe(300);
  expect(settled(written, "sqlite")).toBe(125);
});

test("one slow step at most halves it, and one that fails is tried with half of its records", () => {
  const size = new StepSize("sqlite");
  for (let step = 0; step < 20; step++) size.took(size.records, { worked: 1, waited: 0 });
  size.took(1000, { worked: 60_000, waited: 0 });
  expect(size.records).toBe(500);
  expect(size.failed(500)).toBe(250);
  expect(size.records).toBe(250);
});
