// The live picture after frames: counts heal, silent wires vanish, what did not change stays the same object.
import { expect, test } from "vitest";
import { NOTHING_YET, withFrame, type Frame } from "../../../src/web/api/frames.ts";

const frame = (part: Partial<Frame>): Frame => ({ rows: [], counts: {}, dropped: 0, ...part });

test("counts of a frame replace those of the states it names; empty states are left out", () => {
  const live = withFrame(NOTHING_YET, frame({ counts: { node: { "active.online": 3, idle: 1 } } }), true);
  expect(withFrame(live, frame({ counts: { node: { idle: 0, "active.online": 4 } } }), false).counts).toEqual({
    node: { "active.online": 4 },
  });
});

test("the first frame of a connection forgets states that it does not name, of its kinds alone", () => {
  const live = withFrame(NOTHING_YET, frame({ counts: { node: { idle: 1, error: 2 }, user: { active: 9 } } }), true);
  expect(withFrame(live, frame({ counts: { node: { idle: 3 } } }), true).counts).toEqual({
    node: { idle: 3 },
    user: { active: 9 },
  });
});

test("a wire that fell silent is no more; others stay", () => {
  const wire = (event: string, perMinute: number) => ({ event, from: "a", to: "b", perMinute });
  const live = withFrame(NOTHING_YET, frame({ flow: { node: [wire("x", 6), wire("y", 2)] } }), true);
  expect(withFrame(live, frame({ flow: { node: [wire("x", 0)] } }), false).flow).toEqual({ node: [wire("y", 2)] });
});

test("kinds that a frame does not name keep their object, so that nothing of them is drawn again", () => {
  const live = withFrame(NOTHING_YET, frame({ counts: { node: { idle: 1 }, user: { active: 9 } } }), true);
  const next = withFrame(live, frame({ counts: { user: { active: 8 } } }), false);
  expect(next.counts["node"]).toBe(live.counts["node"]);
  expect(next.flow).toBe(live.flow);
});
