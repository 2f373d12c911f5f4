// The same problem again and again is one line a minute.
import { pino } from "pino";
import { expect, test } from "vitest";
import { problemLog } from "../../src/agent/problem-log.ts";

test("the first is logged at once, the next after a minute with the number of those between", () => {
  const lines: string[] = [];
  let now = 1_000_000;
  const tell = problemLog(
    pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) }),
    () => now,
  );
  for (let second = 0; second < 90; second += 1) {
    tell("the disk is full", second === 0 ? new Error("ENOSPC") : undefined);
    if (second === 10) tell("another");
    now += 1000;
  }
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { msg: "the disk is full", err: { message: "ENOSPC" } },
    { msg: "another" },
    { msg: "the disk is full", repeated: 59 },
  ]);
  // A clock that was set back does not silence it.
  now = 0;
  tell("the disk is full");
  expect(lines).toHaveLength(4);
});
