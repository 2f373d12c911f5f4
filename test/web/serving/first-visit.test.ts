// What a browser loads at a first visit: page, scripts, styles, words, font and the API's answers, as they go over the
// wire. And that the page shows what has come.
import { pino } from "pino";
import type { Browser, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openInterface } from "../../../src/interface/index.ts";
import { ListeningPanel } from "../../system/settings/panel.ts";
import { hasBrowser, launchBrowser } from "../browser/chromium.ts";
import { BUILD_MS, builtInterface } from "../built.ts";

let panel: ListeningPanel | undefined;
let browser: Browser | undefined;
beforeAll(async () => {
  if (!hasBrowser) return;
  const web = openInterface({ web: await builtInterface(), dataDirectory: "/nowhere", log: pino({ level: "silent" }) });
  [panel, browser] = await Promise.all([ListeningPanel.open("sqlite", { web_tls_mode: "none" }, web), launchBrowser()]);
  for (let user = 1; user <= 50; user++)
    expect(await panel.ask("POST", "/api/v1/users", { body: { name: `user-${user}` } })).toMatchObject({ status: 200 });
}, BUILD_MS);
afterAll(async () => {
  await browser?.close();
  await panel?.dispose();
});

/**
 * React shows what replaces a fallback no sooner than 300 ms after that: it sets a timer for a function of its own that
 * is bound to what has been rendered. `held` has what these timers wait for.
 */
const HOLDS = `{
  const { setTimeout } = window;
  window.held = [];
  window.setTimeout = (run, ms, ...rest) => {
    if (ms > 0 && typeof run === "function" && run.name.startsWith("bound ")) held.push(Math.round(ms));
    return setTimeout(run, ms, ...rest);
  };
}`;

interface FirstVisit {
  /** Bytes of each file and answer. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Milliseconds for which the page held back what it had rendered. */
  readonly held: readonly number[];
}

/** A visit of a window without any cache, until `path` is shown. */
async function loaded(path: string, signedIn: boolean): Promise<FirstVisit> {
  if (!panel || !browser) throw new Error("nothing was started");
  const context = await browser.newContext({ locale: "en-GB" });
  try {
    const [name = "", value = ""] = panel.cookie.split("=");
    if (signedIn) await context.addCookies([{ name, value, url: panel.url }]);
    await context.addInitScript({ content: HOLDS });
    const page = await context.newPage();
    const sizes = new Map<string, number>();
    const weighed: Promise<void>[] = [];
    const weigh = async (request: Request): Promise<void> => {
      const { pathname, search } = new URL(request.url());
      // What the reference shows is the whole description of the API.
      if (!pathname.endsWith("/openapi.json")) sizes.set(pathname + search, (await request.sizes()).responseBodySize);
    };
    const take = (request: Request): void => void weighed.push(weigh(request));
    page.on("requestfinished", take);
    await page.goto(panel.url + path, { waitUntil: "networkidle" });
    await page.waitForSelector("h1, h2, form");
    await page.waitForLoadState("networkidle");
    // Once the window is closed nobody can say how large an answer was.
    page.off("requestfinished", take);
    await Promise.all(weighed);
    return { sizes, held: await page.evaluate<number[]>("held") };
  } finally {
    await context.close();
  }
}

test.runIf(hasBrowser).each([
  ["the sign-in", 250, "/login", false],
  ["the overview of a new panel", 250, "/", true],
  ["the reference", 250, "/api/docs", false],
  ["the list of users", 250, "/users", true],
  ["an account", 250, "/users/1", true],
  ["the list of nodes", 250, "/nodes", true],
  ["a list of actors", 250, "/inspect/user", true],
  ["an actor", 250, "/inspect/user/1", true],
])(
  "the first visit of %s is under %i kB, font and answers included, and not held back",
  async (_name, limit, path, signedIn) => {
    const { sizes, held } = await loaded(path, signedIn);
    expect(held).toEqual([]);
    const files = Object.fromEntries(sizes);
    expect([...sizes.keys()].some((name) => name.endsWith(".woff2"))).toBe(true);
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect({ total, files }).toEqual({
      total: expect.toSatisfy((value: number) => value > 100_000 && value < limit * 1000),
      files,
    });
  },
);
