// Every page, light and dark, left to right and right to left, at a desk and on a phone: nothing on the console,
// nothing refused, no barrier, no word missing, nothing wider than the window, nothing for the mouse alone. Four looks
// have each pair of these. Whether a page can be read does not depend on its direction, nor its structure on its
// colours, so each look asks for what is new in it. In one look a person opens each page by its address; in the others
// by a link of the page before.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import { COLOURS, DESK, PHONE, STANDARDS, type Visit, type VisitOptions } from "./visit.ts";

interface Look extends VisitOptions {
  /** What axe looks at. */
  readonly rules: readonly string[];
  readonly reached: "by address" | "by link";
}

const LOOKS: Readonly<Record<string, Look>> = {
  "in the light": { scheme: "light", size: DESK, rules: STANDARDS, reached: "by address" },
  "in the dark, right to left": { scheme: "dark", size: DESK, locale: "fa-IR", rules: COLOURS, reached: "by link" },
  "on a phone in the dark": { scheme: "dark", size: PHONE, rules: STANDARDS, reached: "by link" },
  "on a phone, right to left": { scheme: "light", size: PHONE, locale: "fa-IR", rules: COLOURS, reached: "by link" },
};

async function judge(visit: Visit, rules: readonly string[]): Promise<object> {
  return {
    problems: visit.problems,
    unused: await visit.unused(),
    overflow: await visit.overflow(),
    wordless: await visit.wordless(),
    overlaps: await visit.overlaps(),
    barriers: await visit.barriers(rules),
  };
}
/** Outline of a page with a session. The sign-in page has no navigation and no banner. */
const OUTLINE = { titles: 1, mains: 1, banners: 1, navigations: 1, messages: 1 };
const CLEAN = { problems: [], unused: [], overflow: undefined, wordless: [], overlaps: [], barriers: [] };

// A new page needs one line here.
const PAGES: readonly (readonly [string, (stage: BrowserStage) => string])[] = [
  ["overview", () => "/"],
  ["nodes", () => "/nodes"],
  ["a connected node", ({ records }) => `/nodes/${records.nodes[0] ?? 0}`],
  ["a node's health", ({ records }) => `/nodes/${records.nodes[0] ?? 0}?tab=health`],
  ["a node's users", ({ records }) => `/nodes/${records.nodes[0] ?? 0}?tab=users`],
  ["a node's traffic", ({ records }) => `/nodes/${records.nodes[0] ?? 0}?tab=traffic`],
  ["a node in error", ({ records }) => `/nodes/${records.silent}`],
  ["a new node", () => "/nodes/new"],
  ["inbounds", () => "/inbounds"],
  ["an inbound", () => "/inbounds/1"],
  ["a new inbound", () => "/inbounds/new?preset=reality"],
  ["fronts", () => "/fronts"],
  ["a front", () => "/fronts/1"],
  ["a new front", () => "/fronts/new"],
  ["outbounds", () => "/outbounds"],
  ["an inbound as JSON", () => "/inbounds/1?as=json"],
  ["a new outbound", () => "/outbounds/new"],
  ["templates", () => "/templates"],
  ["a template", () => "/templates/1"],
  ["the subscription page", () => "/subscription"],
  ["users", () => "/users"],
  ["a user", ({ records }) => `/users/${records.users[0] ?? 0}`],
  ["a user that is switched off", ({ records }) => `/users/${records.users[5] ?? 0}`],
  ["a new user", () => "/users/new"],
  ["generating users", () => "/users/generate"],
  ["deleted users", () => "/users/deleted"],
  ["importing users", () => "/users/import"],
  ["jobs", () => "/jobs"],
  ["plans", () => "/plans"],
  ["a new plan", () => "/plans/new"],
  ["resellers", () => "/resellers"],
  ["operators", () => "/admins"],
  ["an operator", () => "/admins/1"],
  ["roles", () => "/roles"],
  ["a role", () => "/roles/1"],
  ["a new role", () => "/roles/new"],
  ["sign-in providers", () => "/providers"],
  ["a new sign-in provider", () => "/providers/new"],
  ["tokens", () => "/tokens"],
  ["a new token", () => "/tokens/new"],
  ["the own account", () => "/me"],
  ["an account's access", ({ records }) => `/users/${records.users[0] ?? 0}?tab=access`],
  ["an account's devices", ({ records }) => `/users/${records.users[0] ?? 0}?tab=devices`],
  ["an account's usage", ({ records }) => `/users/${records.users[0] ?? 0}?tab=usage`],
  ["reports", () => "/reports"],
  ["events", () => "/events"],
  ["webhooks", () => "/webhooks"],
  ["a new webhook", () => "/webhooks/new"],
  ["the settings", () => "/settings"],
  ["the audit log", () => "/audit"],
  ["a change", () => "/audit/1"],
  ["backups", () => "/backups"],
  ["the schedule of backups", () => "/backups/schedule"],
  ["an archive file", () => "/backups/file"],
  ["bans", () => "/security"],
  ["all machines", () => "/inspect"],
  ["the actors of a kind", () => "/inspect/user"],
  ["a node's actor", ({ records }) => `/inspect/node/${records.silent}`],
  ["a user's actor", ({ records }) => `/inspect/user/${records.users[5] ?? 0}`],
  ["no such page", () => "/nodes/999999"],
];

describe.skipIf(!hasBrowser).each(Object.entries(LOOKS))("pages %s", (_name, { rules, reached, ...look }) => {
  let stage: BrowserStage;
  let visit: Visit;
  beforeAll(async () => {
    stage = await sharedStage();
    visit = await stage.visit(look);
  });
  afterAll(() => visit?.close());

  test.each(PAGES)("%s", async (name, path) => {
    visit.problems.length = 0;
    visit.refused.length = 0;
    await (reached === "by link" ? visit.follow(path(stage)) : visit.go(path(stage)));
    expect({ ...(await judge(visit, rules)), ...(await visit.outline()) }).toEqual({ ...CLEAN, ...OUTLINE });
    if (reached === "by address") expect(await visit.keyboard()).toEqual([]);
    if (name !== "no such page") expect(visit.refused).toEqual([]);
  });

  test("sign in", async () => {
    const stranger = await stage.visit({ ...look, signedIn: false });
    await stranger.go("/login");
    expect({ ...(await judge(stranger, rules)), ...(await stranger.outline()) }).toEqual({
      ...CLEAN,
      ...OUTLINE,
      banners: 0,
      navigations: 0,
    });
    await stranger.close();
  });
});

let opened: Promise<BrowserStage> | undefined;
function sharedStage(): Promise<BrowserStage> {
  opened ??= openStage({ users: 20 });
  return opened;
}
afterAll(async () => (await opened)?.dispose());
