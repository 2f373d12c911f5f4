// Transitions per wire and minute: a ring of seconds, absolute figures, silence as zero.
import { expect, test } from "vitest";
import { FlowMeter } from "../../src/system/actors/flow.ts";
import { systemOrigin } from "../../src/lib/origin.ts";

const passing = (kind: string, event: string, from: string | null, to: string) => ({
  kind,
  id: 1,
  name: "one",
  seq: 1,
  at: 0,
  event,
  from,
  to,
  origin: systemOrigin("test"),
});

test("what passed in the last sixty seconds, by wire", () => {
  const meter = new FlowMeter();
  for (let second = 100; second < 130; second++) meter.note(passing("node", "link.lost", "up", "down"), second);
  meter.note(passing("node", "created", null, "up"), 129);
  meter.note(passing("user", "deleted", "enabled", "deleted"), 129);
  expect(meter.of()).toEqual({
    node: [
      { event: "link.lost", from: "up", to: "down", perMinute: 30 },
      { event: "created", from: null, to: "up", perMinute: 1 },
    ],
    user: [{ event: "deleted", from: "enabled", to: "deleted", perMinute: 1 }],
  });
  expect(Object.keys(meter.ofKind("user"))).toEqual(["user"]);
});

test("it becomes less second by second, each wire said by name, and silence is a zero", () => {
  const meter = new FlowMeter();
  const wire = meter.note(passing("node", "link.lost", "up", "down"), 100);
  meter.note(passing("node", "link.lost", "up", "down"), 101);
  expect(meter.advance(159)).toEqual([]);
  expect(meter.advance(160)).toEqual([wire]);
  expect(meter.of([wire])).toEqual({ node: [{ event: "link.lost", from: "up", to: "down", perMinute: 1 }] });
  expect(meter.advance(161)).toEqual([wire]);
  expect(meter.of([wire])["node"]?.[0]?.perMinute).toBe(0);
  expect(meter.of()).toEqual({});
});

test("after an hour without anything nothing is left of it", () => {
  const meter = new FlowMeter();
  for (let second = 100; second < 160; second++) meter.note(passing("node", "link.lost", "up", "down"), second);
  meter.advance(3700);
  expect(meter.of()).toEqual({});
  meter.note(passing("node", "link.lost", "up", "down"), 3700);
  expect(meter.of()["node"]?.[0]?.perMinute).toBe(1);
});
