// The cache that is bounded by the size of what it holds.
import { expect, test } from "vitest";
import { SizedCache } from "../../src/lib/sized-cache.ts";

test("past its capacity the oldest that nobody used since go first", () => {
  const gone: string[] = [];
  const cache = new SizedCache<string, number>(10, (key) => gone.push(key));
  cache.set("a", 1, 4);
  cache.set("b", 2, 4);
  expect(cache.get("a")).toBe(1);
  cache.set("c", 3, 4);
  expect(gone).toEqual(["b"]);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
  expect(cache.peek("c")).toBe(3);
  // Larger than all of it: it is not kept, and those that are used stay.
  cache.set("d", 4, 20);
  expect([cache.get("a"), cache.peek("c"), cache.get("d")]).toEqual([1, 3, undefined]);
  // A use counts once: its second chance is behind all that came before.
  cache.set("e", 5, 4);
  expect([cache.peek("a"), cache.peek("c"), cache.peek("e")]).toEqual([1, undefined, 5]);
  cache.set("f", 6, 4);
  cache.set("g", 7, 4);
  cache.set("h", 8, 4);
  expect([cache.peek("a"), cache.peek("g"), cache.peek("h")]).toEqual([undefined, 7, 8]);
});

test("a value that grows makes the others go, and one that goes leaves its place", () => {
  const cache = new SizedCache<string, number>(10);
  cache.set("a", 1, 4);
  cache.set("b", 2, 4);
  cache.grow("b", 4);
  expect([cache.get("a"), cache.get("b")]).toEqual([undefined, 2]);
  cache.delete("b");
  cache.set("c", 3, 10);
  expect(cache.get("c")).toBe(3);
  cache.clear();
  cache.set("d", 4, 10);
  expect(cache.get("d")).toBe(4);
});
