// The cache that is bounded by the size of what it holds.
import { expect, test } from "vitest";
import { SizedCache } from "../../src/lib/sized-cache.ts";

test("past its capacity the least recently used go first", () => {
  const gone: string[] = [];
  const cache = new SizedCache<string, number>(10, (key) => gone.push(key));
  cache.set("a", 1, 4);
  cache.set("b", 2, 4);
  expect(cache.get("a")).toBe(1);
  cache.set("c", 3, 4);
  expect(gone).toEqual(["b"]);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
  cache.set("d", 4, 20);
  expect(cache.count).toBe(0);
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
