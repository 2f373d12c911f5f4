// Every page, in both themes, right to left, and on a phone: nothing on the console, nothing refused, no barrier, no
// word missing, nothing wider than the window.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import { DESK, PHONE, type Visit, type VisitOptions } from "./visit.ts";

const LOOKS: Readonly<Record<string, VisitOptions>> = {
  "in the light": { scheme: "light", size: DESK },
  "in the dark": { scheme: "dark", size: DESK },
  "right to left": { scheme: "light", size: DESK, locale: "fa-IR" },
  "on a phone": { scheme: "dark", size: PHONE },
  "on a phone right to left": { scheme: "light", size: PHONE, locale: "fa-IR" },
};

async function judge(visit: Visit): Promise<object> {
  return {
    problems: visit.problems,
    unused: await visit.unused(),
    overflow: await visit.overflow(),
    wordless: await visit.wordless(),
    overlaps: await visit.overlaps(),
    barriers: await visit.barriers(),
  };
}
const CLEAN = { problems: [], unused: [], overflow: undefined, wordless: [], overlaps: [], barriers: [] };

describe.skipIf(!hasBrowser).each(Object.entries(LOOKS))("pages %s", (_name, look) => {
  let stage: BrowserStage;
  let visit: Visit;
  beforeAll(async () => {
    stage = await sharedStage();
    visit = await stage.visit(look);
  });
  afterAll(() => visit?.close());

  const pages: readonly (readonly [string, () => string])[] = [
    ["overview", () => "/"],
    ["nodes", () => "/nodes"],
    ["a connected node", () => `/nodes/${stage.records.nodes[0] ?? 0}`],
    ["a node in error", () => `/nodes/${stage.records.silent}`],
    ["a new node", () => "/nodes/new"],
    ["users", () => "/users"],
    ["a user", () => `/users/${stage.records.users[0] ?? 0}`],
    ["a user that is switched off", () => `/users/${stage.records.users[5] ?? 0}`],
    ["a new user", () => "/users/new"],
    ["the own account", () => "/me"],
    ["all machines", () => "/inspect"],
    ["the actors of a kind", () => "/inspect/user"],
    ["a node's actor", () => `/inspect/node/${stage.records.silent}`],
    ["a user's actor", () => `/inspect/user/${stage.records.users[5] ?? 0}`],
    ["no such page", () => "/nodes/999999"],
  ];
  test.each(pages)("%s", async (name, path) => {
    visit.problems.length = 0;
    visit.refused.length = 0;
    await visit.go(path());
    expect(await judge(visit)).toEqual(CLEAN);
    if (name !== "no such page") expect(visit.refused).toEqual([]);
  });

  test("sign in", async () => {
    const stranger = await stage.visit({ ...look, signedIn: false });
    await stranger.go("/login");
    expect(await judge(stranger)).toEqual(CLEAN);
    await stranger.close();
  });
});

let opened: Promise<BrowserStage> | undefined;
function sharedStage(): Promise<BrowserStage> {
  opened ??= openStage();
  return opened;
}
afterAll(async () => (await opened)?.dispose());
