// What counts as a link in a text, and when a value leads somewhere new.
import { describe, expect, test } from "vitest";
import { links, linksIn, partsOf, pointsAnew, whole, nowhere } from "../../src/http/index.ts";
import { startStopwatch } from "../stopwatch.ts";

describe("links in texts", () => {
  // rule admins.point.5
  test.each([
    "https://evil.example/x",
    "happ://add/x",
    "see evil.example",
    "(evil.example)",
    "evil.example!",
    "…evil.example…",
    "«evil.example:8443/a?b»",
    "ev\u200bil.exam\u2060ple",
    "evil．example",
    "write to a@evil.example",
    "t.me/evil",
    "ask @evil_support",
    "mailto:evil",
    "tg:resolve?domain=evil",
    "198.51.100.6",
    "198.51.100.6:80/a",
    "http://[2001:db8::6]/",
    "пример.рф",
    "xn--e1afmkfd.xn--p1ai",
    "EVIL.EXAMPLE",
  ])("%j has one", (text) => {
    expect(linksIn(text)).toHaveLength(1);
  });

  // rule admins.point.5
  test.each([
    "",
    "My VPN",
    "Back at 5 p.m. tomorrow. Sorry!",
    "{inbound} · {left} of {total}",
    "50.5 GB left, v2.0.1",
    "您好。欢迎使用",
    "wait…done",
    "24/7 – 100%",
    "fast @ home: @5",
    "#4348c7",
    "data:image/png;base64,AAAA//8=",
  ])("%j has none", (text) => {
    expect(linksIn(text)).toEqual([]);
  });

  // rule admins.point.5
  test("in every text of an object, at any depth", () => {
    expect(links({ a: "x", b: [{ c: "go to evil.example" }], d: 5, e: null })).toEqual(["evil.example"]);
  });

  test("a long text takes no longer for each of its characters", () => {
    for (const text of ["a", "-", ".", "a.", "@", "@a", "://", "\u200b", "-a", "a-.", "..a"]) {
      const elapsed = startStopwatch();
      linksIn(text.repeat(65_536 / text.length));
      expect([text, elapsed() < 300]).toEqual([text, true]);
    }
  });
});

// rule admins.point.1
test("the same in another order of members is nothing new, a part that was there neither", () => {
  const points = { to: whole, name: nowhere };
  const of = (to: unknown) => partsOf(points, { to, name: "x" });
  expect(pointsAnew(of({ a: 1, b: { c: 2, d: [3] } }), of({ b: { d: [3], c: 2 }, a: 1 }))).toBe(false);
  expect(pointsAnew(of({ a: [1, 2] }), of({ a: [2, 1] }))).toBe(true);
  expect(pointsAnew(of("x"), of(""))).toBe(false);
  expect(pointsAnew(of(""), of("x"))).toBe(true);
  expect(of(null)).toEqual([]);
});
