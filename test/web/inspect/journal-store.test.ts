// A journal of any length is read where one looks, once, and follows what the stream says.
import { expect, test } from "vitest";
import { JournalStore } from "../../../src/web/inspect/journal/journal-store.ts";
import type { JournalEntry } from "../../../src/web/inspect/wire.ts";
import { entry } from "./entries.ts";

/** A panel with `length` entries, and what was asked of it. */
function journalOf(length: number) {
  const asked: [offset: number, limit: number][] = [];
  const all: JournalEntry[] = Array.from({ length }, (_, index) =>
    entry(index + 1, { changed: { n: [index, index + 1] } }),
  );
  const load = async (offset: number, limit: number) => {
    asked.push([offset, limit]);
    return Promise.resolve({ items: all.toReversed().slice(offset, offset + limit), total: all.length });
  };
  const add = () => all.push(entry(all.length + 1, { changed: { n: [all.length, all.length + 1] } }));
  return { asked, load, add };
}

test("it begins at the newest entries", async () => {
  const { load } = journalOf(100_000);
  const store = new JournalStore(load);
  await store.open();
  expect(store.state().head).toBe(100_000);
  expect(store.state().entries.has(100_000)).toBe(true);
  expect(store.state().entries.size).toBe(200);
});

test("looking elsewhere reads a page there, and nothing twice", async () => {
  const { asked, load } = journalOf(100_000);
  const store = new JournalStore(load);
  await store.open();
  await store.ensure(500, 540);
  expect(store.state().entries.has(500) && store.state().entries.has(540)).toBe(true);
  const before = asked.length;
  await Promise.all([store.ensure(500, 540), store.ensure(510, 520)]);
  expect(asked).toHaveLength(before);
  expect(Math.max(...asked.map(([, limit]) => limit))).toBeLessThanOrEqual(200);
});

test("a step that is heard is there at once, and what it changed with the next answer", async () => {
  const { add, load } = journalOf(3);
  const store = new JournalStore(load);
  await store.open();
  add();
  const reading = store.heard(
    [{ seq: 4, at: 4, atMs: 4000, event: "edited", from: "a", to: "b", actor: "anna" }],
    false,
  );
  expect(store.state().head).toBe(4);
  expect(store.state().entries.get(4)?.took).toBe(1000);
  await reading;
  expect(store.state().entries.get(4)?.changed).toEqual({ n: [3, 4] });
});

test("after a gap the newest entries are read again", async () => {
  const { add, load } = journalOf(3);
  const store = new JournalStore(load);
  await store.open();
  add();
  await store.heard([], true);
  expect(store.state().head).toBe(4);
});

test("entries that a journal does not have are asked for once", async () => {
  const { asked, load } = journalOf(10);
  const holes = new JournalStore(async (offset, limit) => {
    const page = await load(offset, limit);
    return { ...page, items: page.items.filter(({ seq }) => seq !== 5) };
  });
  await holes.open();
  await holes.ensure(1, 10);
  const before = asked.length;
  await holes.ensure(1, 10);
  expect(asked).toHaveLength(before);
});

test("a refusal is kept as such, and what was read stays", async () => {
  const { load } = journalOf(10);
  let fails = false;
  const store = new JournalStore(async (offset, limit) =>
    fails ? Promise.reject(new Error("away")) : load(offset, limit),
  );
  await store.open();
  fails = true;
  await store.heard([], true);
  expect(store.state().error).toEqual(new Error("away"));
  expect(store.state().entries.size).toBe(10);
});
