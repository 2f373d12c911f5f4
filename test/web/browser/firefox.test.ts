// The other browser: a walk through the pages in Firefox, signed in by hand, in the light and from left to right, then
// in the dark and right to left. Barriers are the same in both browsers and are looked for in Chromium.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Firefox, hasFirefox, type FirefoxLook } from "./firefox.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, ROOT, type BrowserStage } from "./stage.ts";
import { DESK, PHONE } from "./visit.ts";

const LOOKS: Readonly<Record<string, FirefoxLook>> = {
  "in the light": { locale: "en-GB", dark: false, size: DESK },
  "in the dark, right to left, narrow": { locale: "fa-IR", dark: true, size: PHONE },
};

let stage: BrowserStage;
beforeAll(async () => {
  if (hasFirefox && hasBrowser) stage = await openStage();
});
afterAll(() => stage?.dispose());

describe.skipIf(!hasFirefox || !hasBrowser).each(Object.entries(LOOKS))("Firefox %s", (_name, look) => {
  let firefox: Firefox;
  beforeAll(async () => {
    firefox = await Firefox.open(look);
    await firefox.go(`${stage.panel.url}/login`);
    await firefox.click("input[autocomplete~='username']");
    await firefox.type(ROOT.username);
    await firefox.click("input[type='password']");
    await firefox.type(ROOT.password);
    await firefox.click("button[type='submit']");
    await firefox.until("!location.pathname.endsWith('/login')");
    await firefox.settled();
  });
  afterAll(() => firefox?.close());

  const pages: readonly (readonly [string, () => string])[] = [
    ["overview", () => "/"],
    ["nodes", () => "/nodes"],
    ["a node in error", () => `/nodes/${stage.records.silent}`],
    ["users", () => "/users"],
    ["a user", () => `/users/${stage.records.users[0] ?? 0}`],
    ["a new user", () => "/users/new"],
    ["events", () => "/events"],
    ["all machines", () => "/inspect"],
    ["a node's actor", () => `/inspect/node/${stage.records.silent}`],
    ["the own account", () => "/me"],
  ];
  test.each(pages)("%s", async (_page, path) => {
    await firefox.go(stage.panel.url + path());
    expect(await firefox.evaluate("looks.overflow()")).toBeNull();
    expect(await firefox.evaluate("looks.overlaps()")).toEqual([]);
    expect(await firefox.evaluate("document.documentElement.dir")).toBe(look.locale === "fa-IR" ? "rtl" : "ltr");
    expect(await firefox.problems()).toEqual([]);
  });
});
