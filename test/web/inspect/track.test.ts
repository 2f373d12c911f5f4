// The track keeps order, shows how long nothing happened, and does not jump when the cursor moves.
import { expect, test } from "vitest";
import { anchored, gapOf, labelled, layTrack, nearestTo, NOW } from "../../../src/web/inspect/journal/track.ts";

const points = Array.from({ length: 200 }, (_, index) => ({ seq: index + 1, atMs: index * 2000 }));

test("longer pauses are further apart, a burst is not one tick, a quiet year is no desert", () => {
  expect(gapOf(0)).toBeGreaterThanOrEqual(5);
  expect(gapOf(60_000)).toBeGreaterThan(gapOf(1000));
  expect(gapOf(31_536_000_000)).toBeLessThan(100);
});

test("ticks stand in order, the present behind the last", () => {
  const track = layTrack(points, 500_000);
  const places = [...track.x.values()];
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(track.now).toBeGreaterThan(places.at(-1) ?? 0);
});

test("a short journal takes the room it is given", () => {
  const two = points.slice(0, 2);
  const narrow = layTrack(two, 4000);
  expect(layTrack(two, 4000, narrow.now * 2).now).toBeCloseTo(narrow.now * 2);
  expect(layTrack(two, 4000, 10_000).now).toBeCloseTo(10_000);
});

test("a click finds the nearest tick", () => {
  const track = layTrack(points, 500_000);
  expect(nearestTo(track, (track.x.get(17) ?? 0) + 2)).toBe(17);
  expect(nearestTo(layTrack([], 0), 40)).toBeUndefined();
});

test("one step of the cursor moves the cursor, not the track", () => {
  const track = layTrack(points, 500_000);
  const live = anchored(track, { place: NOW, screen: 0, width: 800 }, NOW, 800, 20);
  expect(live.screen).toBe(780);
  const first = anchored(track, live, 195, 800, 20);
  const second = anchored(track, first, 194, 800, 20);
  expect(first.screen - second.screen).toBeCloseTo((track.x.get(195) ?? 0) - (track.x.get(194) ?? 0), 0);
});

test("a cursor at either end leaves no empty space, and one far away is brought into sight", () => {
  const track = layTrack(points, 500_000);
  const live = anchored(track, { place: NOW, screen: 0, width: 800 }, NOW, 800, 20);
  expect(anchored(track, live, 1, 800, 20).screen).toBe(20);
  const far = anchored(track, live, 100, 800, 20).screen;
  expect(far).toBeGreaterThanOrEqual(120);
  expect(far).toBeLessThanOrEqual(680);
});

test("times stand under ticks that have room for one", () => {
  const track = layTrack(points, 500_000);
  const places = labelled(points, track, 76).map(({ seq }) => track.x.get(seq) ?? 0);
  expect(places.length).toBeGreaterThan(3);
  expect(Math.min(...places.slice(1).map((x, index) => x - (places[index] ?? 0)))).toBeGreaterThanOrEqual(76);
});
