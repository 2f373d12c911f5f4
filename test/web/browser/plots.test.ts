// Plots and spans of time on a page of their own, under the policy of the panel's pages: in both themes and directions,
// on a phone, with a gap that stays a gap, and a table that says the same.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { BUILD_MS } from "../built.ts";
import { hasBrowser, launchBrowser } from "./chromium.ts";
import { DESK, PHONE, STANDARDS, Visit, type VisitOptions } from "./visit.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-tested'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'self'";
const TYPES: Readonly<Record<string, string>> = { js: "text/javascript", css: "text/css", html: "text/html" };

/** What a build of the page made, by its path. */
async function builtPage(): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const made = await build({
    root: fileURLToPath(new URL("../plots/", import.meta.url)),
    configFile: false,
    base: "./",
    logLevel: "error",
    plugins: [react()],
    build: { write: false, target: "es2023", minify: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  });
  if (!("output" in made)) throw new Error("one build has one output");
  return new Map(made.output.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : file.source]));
}

describe.skipIf(!hasBrowser)("plots", () => {
  let browser: Browser;
  let server: Server;
  let url = "";
  beforeAll(async () => {
    const files = await builtPage();
    server = createServer((request, answer) => {
      const path = new URL(request.url ?? "/", "http://test").pathname;
      const name = files.has(path) ? path : "/index.html";
      answer.setHeader("content-type", TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream");
      answer.setHeader("content-security-policy", POLICY);
      answer.end(files.get(name));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
  }, BUILD_MS);
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  const LOOKS: readonly (readonly [string, VisitOptions])[] = [
    ["in the light", { scheme: "light", size: DESK }],
    ["in the dark, right to left", { scheme: "dark", size: DESK, locale: "fa-IR" }],
    ["on a phone", { scheme: "dark", size: PHONE }],
  ];
  test.each(LOOKS)(
    "%s: nothing refused, no barrier, nothing too wide; time runs from left to right",
    async (_, look) => {
      const visit = await Visit.open(browser, url, look);
      await visit.go("/");
      expect(await visit.page.getByRole("figure").count()).toBe(3);
      // Two lines of the first plot: what is not known of two hours splits one of them, around a dot.
      const [lines, stack] = [visit.page.locator("figure").first(), visit.page.locator("figure").nth(1)];
      expect(await lines.locator("polyline").count()).toBe(3);
      expect(await lines.locator("circle").count()).toBe(1);
      // In a stack the one hour has its height.
      expect((await stack.locator("rect").boundingBox())?.height).toBeGreaterThan(4);
      const places = await visit.page.evaluate<number[]>(
        "[...document.querySelectorAll('figure:nth-of-type(3) rect')].slice(0, 22).map((bar) => bar.getBoundingClientRect().x)",
      );
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      await visit.page.locator("summary").first().click();
      expect([visit.problems, await visit.overflow(), await visit.wordless()]).toEqual([[], undefined, []]);
      expect(await visit.barriers(STANDARDS)).toEqual([]);
      await visit.close();
    },
  );

  test("the table says what the plot says, and which moments nothing is known of", async () => {
    const visit = await Visit.open(browser, url);
    await visit.go("/");
    const { page } = visit;
    await page.getByText(words.parts.plot.table).first().click();
    const rows = page.locator("table").first().locator("tbody tr");
    expect(await rows.count()).toBe(24);
    expect(await rows.nth(8).innerText()).toContain(words.parts.plot.unknown);
    expect(await rows.nth(1).innerText()).toMatch(/7\sGiB[\s\S]*0\sB/);
    await visit.close();
  });

  test("a span is chosen by keys, stands in the address, and names its zone", async () => {
    const visit = await Visit.open(browser, url);
    await visit.go("/");
    const { page } = visit;
    const { timeRange } = words.parts;
    await page.getByRole("button", { name: timeRange.presets["24h"] }).press("Enter");
    const dialog = page.getByRole("dialog", { name: timeRange.title });
    await dialog.getByText("Asia/Tehran").waitFor();
    await dialog.getByRole("button", { name: timeRange.presets["7d"] }).press("Enter");
    await page.waitForURL(/\?range=7d$/);
    await page.getByRole("button", { name: timeRange.presets["7d"] }).click();
    await dialog.getByLabel(timeRange.from, { exact: true }).fill("2026-09-01 00:00");
    await dialog.getByLabel(timeRange.to, { exact: true }).fill("1405-06-12 00:00");
    await dialog.getByRole("button", { name: timeRange.show, exact: true }).click();
    // Two days in Tehran, the one end Gregorian, the other Jalali.
    await page.waitForURL(/\?from=1788208200&to=\d+$/);
    expect(visit.problems).toEqual([]);
    await visit.close();
  });
});
