// One browser window before the panel, and everything in it that must not happen: errors on the console, refused
// contents, failed requests.
import { readFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const IN_PAGE = stripTypeScriptTypes(readFileSync(new URL("./in-page.ts", import.meta.url), "utf8"));

/** What axe judges a page by: all that the guidelines ask, or whether its colours can be told apart. */
export const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];
export const COLOURS = ["color-contrast"];

export interface VisitOptions {
  readonly scheme?: "light" | "dark";
  /** Locale of the browser, as the interface finds it: `en-GB`, `fa-IR`. */
  readonly locale?: string;
  readonly size?: { readonly width: number; readonly height: number };
  /** Cookies and storage of an earlier visit. */
  readonly state?: BrowserContextOptions["storageState"];
}

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 360, height: 740 };

/** What the browser said on its own about a failed request; the request itself is judged by `refused`. */
const LOAD_FAILED = /^Failed to load resource/;

/**
 * On a busy machine the browser says this of what is used a moment later. `unused` tells what is fetched in vain, on
 * any machine.
 */
const NOT_YET_USED = /was preloaded using link preload but not used within a few seconds/;

export class Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of the page and contents that its policy refused. */
  readonly problems: string[] = [];
  /** `401 GET /api/me`: answers of 400 and above, in order. */
  readonly refused: string[] = [];
  readonly url: string;

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.context = context;
    this.page = page;
    this.url = url;
  }

  static async open(browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> {
    const { scheme = "light", locale = "en-GB", size = DESK, state } = options;
    const phone = size.width < 600;
    const context = await browser.newContext({
      viewport: size,
      locale,
      colorScheme: scheme,
      reducedMotion: "reduce",
      timezoneId: "Europe/Oslo",
      ...(phone && { hasTouch: true, isMobile: true }),
      ...(state !== undefined && { storageState: state }),
    });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => undefined);
    await context.addInitScript({ content: `(() => {${IN_PAGE}})()` });
    // On a busy machine what is awaited comes later; the test's own limit ends it.
    context.setDefaultTimeout(90_000);
    const page = await context.newPage();
    const visit = new Visit(context, page, url);
    page.on("pageerror", (error) => visit.problems.push(`error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      const said = [LOAD_FAILED, NOT_YET_USED].some((pattern) => pattern.test(message.text()));
      if (!said) visit.problems.push(`${message.type()}: ${message.text()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400)
        visit.refused.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
    });
    return visit;
  }

  /** Opens a page of the panel and waits until it shows what it has to say. */
  async go(path: string): Promise<void> {
    await this.page.goto(this.url + path);
    await this.settled();
  }

  /** Goes on to a page as the interface's own links do: its code is loaded, the document is not. */
  async follow(path: string): Promise<void> {
    const here = this.page.url();
    const there = new URL(this.url + path);
    // A page whose address alone changes is not left: nothing would say that it is complete.
    if (!here.startsWith(`${this.url}/`) || new URL(here).pathname === there.pathname) return this.go(path);
    await this.page.evaluate(`looks.follow(${JSON.stringify(there.pathname + there.search)})`);
    for (let calm = 0; calm < 2; await pause(50)) calm = (await this.#asks("looks.isUnderWay()")) ? 0 : calm + 1;
  }

  /**
   * Resolves once nothing is being loaded: a heading stands there, no skeleton, no request of the page's own is under
   * way.
   */
  async settled(): Promise<void> {
    await this.page.waitForLoadState("networkidle");
    while (await this.#asks("looks.isBusy()")) await pause(50);
  }

  /**
   * Asked from outside: the page's policy lets no test evaluate anything in it on its own. A page that is being left is
   * busy.
   */
  async #asks(question: "looks.isBusy()" | "looks.isUnderWay()"): Promise<boolean> {
    try {
      return await this.page.evaluate<boolean>(question);
    } catch (error) {
      if (error instanceof Error && /context was destroyed|navigation/i.test(error.message)) return true;
      throw error;
    }
  }

  /** Signs in through the page. */
  async signIn(username: string, password: string): Promise<void> {
    await this.page.goto(`${this.url}/login`);
    await this.page.locator("input[autocomplete~='username']").fill(username);
    await this.page.locator("input[type='password']").fill(password);
    await this.page.locator("button[type='submit']").click();
    await this.page.waitForURL((url) => !url.pathname.endsWith("/login"));
    await this.settled();
  }

  /** What hinders people who do not see, or do not use a mouse. */
  async barriers(rules: readonly string[] = STANDARDS): Promise<string[]> {
    if (!(await this.page.evaluate<boolean>("'axe' in window"))) await this.page.evaluate(AXE);
    return this.page.evaluate(`looks.barriers(${JSON.stringify(rules)})`);
  }

  /** How many titles, landmarks and places for messages there are. */
  outline(): Promise<object> {
    return this.page.evaluate("looks.outline()");
  }

  /** By how much the page is wider than the window, and what sticks out first. */
  overflow(): Promise<string | undefined> {
    return this.page.evaluate("looks.overflow()");
  }

  /** Answers that the page's head asked for and its scripts did not. */
  unused(): Promise<string[]> {
    return this.page.evaluate("looks.unused()");
  }

  /** Labels of drawings that lie over each other. */
  overlaps(): Promise<string[]> {
    return this.page.evaluate("looks.overlaps()");
  }

  /** What a mouse reaches and the keyboard does not, and what does not show that it has the focus. */
  keyboard(): Promise<string[]> {
    return this.page.evaluate("looks.keyboard()");
  }

  /** Lines with what was meant for a program, or with a word that is missing. People write `{n}` in patterns. */
  async wordless(): Promise<string[]> {
    const text = await this.page.locator("body").innerText();
    return text
      .split("\n")
      .filter((line) => /\bundefined\b|\bNaN\b|\[object |\{(?!n\})\w+\}|Invalid Date|=>/.test(line));
  }

  /** What the page's scripts hold after all garbage is collected. */
  async heapBytes(): Promise<number> {
    const session = await this.context.newCDPSession(this.page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    await session.detach();
    return usedSize;
  }

  /** The number that a chart shows in a state; NaN while it shows none. */
  async countShown(kind: string, state: string): Promise<number> {
    const box = this.page.locator(`svg [data-state='${state}'][href*='inspect/${kind}?']`).first();
    const name = (await box.locator("title").first().textContent()) ?? "";
    return Number(/^\S+ (\d[\d,.\s]*)/.exec(name)?.[1]?.replace(/\D/g, "") ?? Number.NaN);
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
