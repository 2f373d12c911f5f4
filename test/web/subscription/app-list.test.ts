// Apps by platform: what is done in the list of one leaves the others as they are.
import { expect, test } from "vitest";
import { appsOn, linesOf, movedOn, withoutOn, type App } from "../../../src/web/subscription/apps/app-list.ts";

const app = (name: string, ...on: (keyof App["stores"])[]): App => ({
  name,
  stores: Object.fromEntries(on.map((platform) => [platform, "https://store.example/"])),
});
const APPS = [app("a", "ios"), app("b", "android"), app("c", "ios", "android"), app("d", "android")];
const names = (apps: readonly App[]) => apps.map(({ name }) => name).join("");

test("an app that is moved on one platform passes none that is not there", () => {
  expect(appsOn(APPS, "android").map(({ place }) => place)).toEqual([1, 2, 3]);
  const next = movedOn(APPS, "android", 2, 0);
  expect(names(next)).toBe("adbc");
  expect(names(appsOn(next, "ios").map((each) => each.app))).toBe("ac");
  expect(movedOn(APPS, "android", 0, 3)).toEqual(APPS);
  expect(movedOn(APPS, "linux", 0, 0)).toEqual(APPS);
});

test("taken from one platform, an app stays on the others; from its last one, it is gone", () => {
  expect(withoutOn(APPS, "android", 2)[2]).toEqual(app("c", "ios"));
  expect(names(withoutOn(APPS, "android", 1))).toBe("acd");
});

test("empty lines are no steps", () => {
  expect(linesOf(" one \n\n two\n")).toEqual(["one", "two"]);
});
