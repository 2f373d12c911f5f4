// Changes that wait for others of the same piece of work: what is told, when, and in which order.
import { expect, test } from "vitest";
import { GatheredChanges, type ServedChange } from "../../src/fleet/desired/gathered-changes.ts";
import { ManualClock } from "../../src/lib/clock.ts";

function gathering() {
  const clock = new ManualClock(0);
  const told: ServedChange[] = [];
  const gathered = new GatheredChanges(clock, (change) => told.push(change));
  return { clock, told, gathered };
}

const change = (userId: number, ...templates: number[]): ServedChange => ({
  userId,
  user: undefined,
  templates: new Set(templates),
  servedOn: new Set(),
});

// rule nodes.sync.6
test("a cut-off waits for others no longer than a second and a half, whatever comes behind it", () => {
  const { clock, told, gathered } = gathering();
  gathered.add(change(1, 1), true);
  for (let turn = 0; turn < 14; turn++) {
    clock.advance(100);
    gathered.add(change(2 + turn, 1), true);
  }
  expect(told).toEqual([]);
  clock.advance(100);
  expect(told.map(({ userId }) => userId)).toEqual(Array.from({ length: 15 }, (_, at) => at + 1));
  // The next one waits as long.
  gathered.add(change(99, 1), true);
  clock.advance(1499);
  expect(told).toHaveLength(15);
  clock.advance(1);
  expect(told).toHaveLength(16);
});

test("many are told of at once, and each account once, by its latest change", () => {
  const { told, gathered } = gathering();
  for (let id = 1; id <= 3999; id++) gathered.add(change(id, 1), true);
  gathered.add(change(1, 2), true);
  expect(told).toEqual([]);
  gathered.add(change(4000, 1), true);
  expect(told).toHaveLength(4000);
  // It was on both.
  expect(told.find(({ userId }) => userId === 1)?.templates).toEqual(new Set([1, 2]));
});

test("a change that may not wait takes along what is gathered of its account alone", () => {
  const { clock, told, gathered } = gathering();
  gathered.add(change(1, 1), true);
  gathered.add(change(2, 1), true);
  gathered.add(change(1, 2), false);
  expect(told).toEqual([change(1, 2, 1)].map((each) => ({ ...each, templates: new Set([1, 2]) })));
  expect([gathered.waitsFor(1), gathered.waitsFor(3)]).toEqual([true, false]);
  clock.advance(1500);
  expect(told.slice(1)).toEqual([change(2, 1)]);
  expect(gathered.waitsFor(1)).toBe(false);
});
