// `npm run pictures [NAME…]`: runs the demo, signs in with a browser and takes the pictures of README and documents, in
// light, dark and on a phone.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContextOptions } from "playwright-core";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const PICTURES = fileURLToPath(new URL("../docs/pictures", import.meta.url));
const LISTEN = process.env["SIGNALBOX_LISTEN"] ?? "127.0.0.1:18090";
const LOGIN = { username: "demo", password: "green over red" };
/** Until the charts have something to tell: transitions a minute, nodes that came and went. */
const PLAY_MS = 75_000;
/** Time for numbers to stop moving and for charts to be laid out. */
const SETTLE_MS = 2500;

const DESKTOP: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
/** Every chart whole. */
const TALL = { width: 1440, height: 1160 };
const DARK: BrowserContextOptions = { ...DESKTOP, colorScheme: "dark" };
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly window: BrowserContextOptions;
}

/** `node`: the one that is in error. `user`: one that ran out. */
function wanted({ node, user }: { readonly node: string; readonly user: string }): Picture[] {
  const both = (name: string, path: string): Picture[] => [
    { name, path, window: DESKTOP },
    { name: `${name}-dark`, path, window: DARK },
  ];
  return [
    { name: "fleet", path: "inspect", window: { ...DESKTOP, viewport: TALL } },
    { name: "fleet-dark", path: "inspect", window: { ...DARK, viewport: TALL } },
    ...both("actor", node),
    ...both("overview", ""),
    ...both("nodes", "nodes"),
    ...both("users", "users"),
    { name: "user", path: user, window: DESKTOP },
    { name: "fleet-phone", path: "inspect", window: PHONE },
    { name: "actor-phone", path: node, window: { ...PHONE, colorScheme: "dark" } },
    { name: "users-phone", path: "users", window: PHONE },
  ];
}

/** Runs the demo until `work` is done with the addresses that it prints. */
async function withDemo(work: (pages: readonly string[]) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-pictures-"));
  const demo = spawn(process.execPath, [MAIN, "demo", "--listen", LISTEN], {
    cwd: directory,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<never>((_resolve, reject) => {
    demo.once("close", (code) => reject(new Error(`the demo ended with ${code}`)));
  });
  const pages: string[] = [];
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: demo.stdout }).on("line", (line) => {
      if (/^\s+http:\S+$/.test(line)) pages.push(line.trim());
      if (line.includes("Ctrl-C")) resolve();
    });
  });
  try {
    await Promise.race([ready, ended]);
    await Promise.race([work(pages), ended]);
  } finally {
    const gone = ended.catch(() => undefined);
    demo.kill("SIGINT");
    await gone;
    rmSync(directory, { recursive: true, force: true });
  }
}

async function take(browser: Browser, url: string, cookie: string, { name, path, window }: Picture): Promise<void> {
  const context = await browser.newContext({ ...window, locale: "en-GB", reducedMotion: "reduce" });
  const [key = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name: key, value, url }]);
  const page = await context.newPage();
  await page.goto(`${url}/${path}`);
  await page.waitForSelector("h1, h2");
  // A chart is a chunk and a drawing of its own; on a phone the fleet is a list.
  if (path.startsWith("inspect") && window.isMobile !== true)
    await page.waitForSelector("svg text", { timeout: 60_000 });
  await pause(SETTLE_MS);
  const file = join(PICTURES, `${name}.png`);
  await page.screenshot({ path: file });
  await context.close();
  process.stdout.write(`${name}.png  ${Math.round(statSync(file).size / 1000)} kB\n`);
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(LOGIN),
  });
  if (response.status !== 200) throw new Error(`login: ${response.status} ${await response.text()}`);
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

const names = process.argv.slice(2);
mkdirSync(PICTURES, { recursive: true });
await withDemo(async (pages) => {
  const url = `http://${LISTEN}`;
  const below = (part: string): string => pages.find((page) => page.includes(part))?.slice(url.length + 1) ?? "";
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  try {
    const cookie = await signIn(url);
    await pause(PLAY_MS);
    for (const picture of wanted({ node: below("/inspect/node/"), user: below("/users/") }))
      if (names.length === 0 || names.includes(picture.name)) await take(browser, url, cookie, picture);
  } finally {
    await browser.close();
  }
});
