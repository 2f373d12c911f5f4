// The overview's traffic: what is asked of the range before, and how both compare.
import { expect, test } from "vitest";
import { changeSince, rangeBefore } from "../../../src/web/overview/traffic.ts";

const HOUR = 3600;

test("the range before ends where this one begins; without a before there is no comparison", () => {
  expect(rangeBefore({ start: 10 * HOUR, end: 14 * HOUR, step: "hour" })).toEqual({
    start: 6 * HOUR,
    end: 10 * HOUR,
    step: "hour",
  });
  expect([changeSince(30, 20), changeSince(5, 20), changeSince(5, 0), changeSince(5, undefined)]).toEqual([
    0.5,
    -0.75,
    undefined,
    undefined,
  ]);
});
