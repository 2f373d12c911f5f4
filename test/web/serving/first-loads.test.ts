// How many round trips a page takes: the page itself, and everything else at once. Counted on a line so slow that what
// waits for an answer is seen to wait.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "../browser/chromium.ts";
import { firstSeen } from "../browser/first-seen.ts";
import { openStage, type BrowserStage } from "../browser/stage.ts";
import type { Visit } from "../browser/visit.ts";

/** Nothing waits for these: words are shown in another font until theirs is there. */
const BESIDE = /\.(svg|woff2)$/;
/** What never comes is told apart from what is slow. */
const LIMIT = 90_000;
/** Longer than a busy machine takes to read a page and to begin what it names. */
const LATENCY = 1500;

interface Loaded {
  readonly name: string;
  readonly begun: number;
  ended: number;
}

/**
 * What was loaded until `selector` was there, each in its round: one more than the last round that had ended when it
 * was begun.
 */
async function rounds(visit: Visit, path: string, selector: string): Promise<string[][]> {
  const session = await visit.context.newCDPSession(visit.page);
  await session.send("Network.enable");
  const line = { offline: false, latency: LATENCY, downloadThroughput: -1, uploadThroughput: -1 };
  await session.send("Network.emulateNetworkConditions", line);
  const loads = new Map<string, Loaded>();
  session.on("Network.requestWillBeSent", ({ requestId, request, timestamp }) => {
    const { pathname } = new URL(request.url);
    loads.set(requestId, { name: pathname, begun: timestamp, ended: Infinity });
  });
  session.on("Network.loadingFinished", ({ requestId, timestamp }) => {
    const load = loads.get(requestId);
    if (load) load.ended = timestamp;
  });
  const { seen } = await firstSeen(visit.page, selector);
  const needed = seen.then(() =>
    [...loads.values()].filter(({ name, ended }) => ended < Infinity && !BESIDE.test(name)),
  );
  await visit.page.goto(visit.url + path);
  const rounded = new Map<Loaded, number>();
  for (const load of (await needed).toSorted((a, b) => a.begun - b.begun)) {
    const awaited = [...rounded].filter(([{ ended }]) => ended <= load.begun).map(([, round]) => round);
    rounded.set(load, 1 + Math.max(0, ...awaited));
  }
  await session.send("Network.emulateNetworkConditions", { ...line, latency: 0 });
  await session.detach();
  return [...rounded].reduce<string[][]>((all, [{ name }, round]) => {
    (all[round - 1] ??= []).push(name);
    return all;
  }, []);
}

describe.skipIf(!hasBrowser)("round trips to the first content", () => {
  let stage: BrowserStage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.dispose());

  const CHART = "svg [data-state]";
  test.each([
    ["a chart of all machines", () => "/inspect", CHART, "en-GB"],
    ["the same in Persian", () => "/inspect", CHART, "fa-IR"],
    ["a list of users", () => "/users", "tbody td a[href]", "en-GB"],
    ["an actor's chart", () => `/inspect/node/${stage.records.silent}`, CHART, "en-GB"],
  ])(
    "%s is there after two",
    async (_name, path, selector, locale) => {
      const visit = await stage.visit({ locale });
      try {
        const [page, rest = [], ...later] = await rounds(visit, path(), selector);
        expect(page).toEqual([path()]);
        expect(rest).toContain("/api/v1/me");
        expect(later).toEqual([]);
        // Nothing is fetched twice: what the page named is what its scripts then took.
        expect(rest.filter((name, index) => rest.indexOf(name) !== index)).toEqual([]);
        expect(await visit.unused()).toEqual([]);
        expect({ problems: visit.problems, refused: visit.refused }).toEqual({ problems: [], refused: [] });
      } finally {
        await visit.close();
      }
    },
    LIMIT,
  );

  test("who is not signed in is told to ask for nothing", async () => {
    const visit = await stage.visit({ signedIn: false });
    try {
      const answer = await visit.page.goto(`${visit.url}/inspect`);
      expect(await answer?.text()).not.toContain('as="fetch"');
      await visit.page.waitForURL(/\/login/);
      await visit.settled();
      // The question whether there is a session.
      expect(new Set(visit.refused)).toEqual(new Set(["401 GET /api/v1/me"]));
      expect(visit.problems).toEqual([]);
    } finally {
      await visit.close();
    }
  });
});
