// The cache of rendered bodies: made again when what it is made of changes, bounded in size.
import { expect, test } from "vitest";
import { BodyCache } from "../../src/accounts/subscription-bodies.ts";

// rule subscriptions.entry.6
test("a body is rendered once for what it is made of", () => {
  const cache = new BodyCache();
  let rendered = 0;
  const render = () => `body ${++rendered}`;
  expect(cache.get(1, "links", "a", render)).toBe("body 1");
  expect(cache.get(1, "links", "a", render)).toBe("body 1");
  expect(cache.get(1, "base64", "a", render)).toBe("body 2");
  expect(cache.get(1, "links", "b", render)).toBe("body 3");
  expect(cache.count).toBe(2);
});

test("past its capacity the least recently used go first", () => {
  const cache = new BodyCache(10);
  const four = () => "1234";
  cache.get(1, "links", "", four);
  cache.get(2, "links", "", four);
  cache.get(1, "links", "", four);
  cache.get(3, "links", "", four);
  expect(cache.count).toBe(2);
  let again = false;
  cache.get(1, "links", "", () => ((again = true), "1234"));
  expect(again).toBe(false);
  expect(cache.get(4, "links", "", () => "longer than everything")).toBe("longer than everything");
  expect(cache.count).toBe(0);
});
