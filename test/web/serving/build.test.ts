// The build at the start of a panel, in a copy of the checkout: the API serves meanwhile, one build for all panels,
// failures with their reason.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Program, ROOT } from "../../e2e/processes.ts";
import { quietPorts } from "../../quiet-ports.ts";

const HTML = { accept: "text/html" };
const BUILT = /"msg":"the interface was built"/;
const TOKEN = "setup-token-of-the-test";

const WEB = join(ROOT, "src", "web");

let checkout: string;
let programs: Program[];
// What no test changes is copied once: a start finds what the one before has compiled.
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), "signalbox-checkout-"));
  for (const name of ["src", "machines", "migrations", "package.json", "package-lock.json"])
    cpSync(join(ROOT, name), join(checkout, name), { recursive: true, filter: (from) => from !== WEB });
});
afterAll(() => rmSync(checkout, { recursive: true, force: true, maxRetries: 5 }));
beforeEach(() => {
  linkPackages(() => true);
  // A page that is quick to build and shows what it was built from.
  mkdirSync(join(checkout, "src", "web"));
  for (const name of ["vite.config.ts", "vite", "index.html", "before-paint.js", "icon.svg"])
    cpSync(join(WEB, name), join(checkout, "src", "web", name), { recursive: true });
  writeFileSync(
    join(checkout, "src", "web", "pages.ts"),
    'export const PAGES = [{ path: "/", page: lazy(() => import("./Page.tsx")) }];\n',
  );
  writeFileSync(join(checkout, "src", "web", "Page.tsx"), 'export default "page";\n');
  source("one");
  programs = [];
});
afterEach(async () => {
  await Promise.all(programs.filter(({ running }) => running).map((program) => program.end("SIGTERM")));
  for (const name of [join("src", "web"), ".web", "a", "b", "c"])
    rmSync(join(checkout, name), { recursive: true, force: true, maxRetries: 5 });
});

function source(word: string): void {
  writeFileSync(join(checkout, "src", "web", "main.tsx"), `document.title = "${word}";\nvoid import("./Page.tsx");\n`);
}

function linkPackages(wanted: (name: string) => boolean): void {
  rmSync(join(checkout, "node_modules"), { recursive: true, force: true });
  mkdirSync(join(checkout, "node_modules"));
  for (const name of readdirSync(join(ROOT, "node_modules")).filter((each) => wanted(each) && !each.startsWith(".")))
    symlinkSync(join(ROOT, "node_modules", name), join(checkout, "node_modules", name));
}

interface Started {
  readonly program: Program;
  readonly url: string;
  /** Answers the page of setup. */
  page(): Promise<Response>;
}

async function start(name: string): Promise<Started> {
  const [port = 0] = await quietPorts(1);
  const program = new Program({
    command: process.execPath,
    args: [join(checkout, "src", "main.ts"), "serve"],
    env: {
      SIGNALBOX_DATA_DIR: join(checkout, name),
      SIGNALBOX_DATABASE_URL: "",
      SIGNALBOX_LISTEN: `127.0.0.1:${port}`,
      SIGNALBOX_SETUP_TOKEN: TOKEN,
      SIGNALBOX_ENGINE: "none",
      SIGNALBOX_WEB: "auto",
    },
  });
  programs.push(program);
  const url = `http://127.0.0.1:${port}`;
  await program.says(/waits for setup/);
  return { program, url, page: () => builtPage(`${url}/setup?t=${TOKEN}`) };
}

/** As a browser has it: a page that waited in vain for the build loads itself again. */
async function builtPage(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url, { headers: HTML });
    if (!(await response.clone().text()).includes("The interface is being built")) return response;
    await pause(100);
  }
}

/** Its title, as the script of the page sets it. */
async function titleOf({ url, page }: Started): Promise<string> {
  const response = await page();
  const [, script = ""] = /type="module" crossorigin src="\.\/([^"]+\.js)"/.exec(await response.text()) ?? [];
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  return (
    /title\s*=\s*["`](\w+)/.exec(await (await fetch(`${url}/${script}`, { headers: { cookie } })).text())?.[1] ?? ""
  );
}

const builds = (): string[] => (existsSync(join(checkout, ".web")) ? readdirSync(join(checkout, ".web")) : []);

test("the page waits for the build while the API answers; a restart builds again only what changed", async () => {
  const first = await start("a");
  const page = first.page();
  expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${first.url}/api/setup?t=${TOKEN}`)).status).toBe(200);
  expect(first.program.output).not.toMatch(BUILT);
  expect((await page).status).toBe(200);
  await first.program.says(BUILT);
  expect(await titleOf(first)).toBe("one");
  expect((await first.program.end("SIGTERM")).code).toBe(0);

  const again = await start("a");
  expect(await titleOf(again)).toBe("one");
  await again.program.end("SIGTERM");
  expect(again.program.output).not.toMatch(BUILT);

  source("two");
  const changed = await start("a");
  expect(await titleOf(changed)).toBe("two");
  await changed.program.says(BUILT);
  expect(builds()).toHaveLength(2);
});

test("panels that start together in one checkout share one build", async () => {
  const panels = await Promise.all([start("a"), start("b"), start("c")]);
  expect(await Promise.all(panels.map(titleOf))).toEqual(["one", "one", "one"]);
  expect(builds()).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
});

test("a build that fails is a line in the log, and a page that says so; the panel serves on", async () => {
  writeFileSync(join(checkout, "src", "web", "main.tsx"), 'import { nothing } from "./absent.ts";\nnothing();\n');
  const panel = await start("a");
  const page = await panel.page();
  expect([page.status, page.headers.get("retry-after"), page.headers.get("content-type")]).toEqual([
    503,
    "30",
    "text/html; charset=utf-8",
  ]);
  expect(await page.text()).toMatch(/could not be built; the panel's log says why/);
  await panel.program.says(/"reason":"[^"\n]*absent\.ts.*the interface could not be built/);
  expect((await fetch(`${panel.url}/healthz`)).status).toBe(200);
  expect(builds()).toEqual([]);
});

test("a failed build leaves the last one in service", async () => {
  const good = await start("a");
  expect(await titleOf(good)).toBe("one");
  await good.program.end("SIGTERM");
  writeFileSync(join(checkout, "src", "web", "main.tsx"), "const = 1;\n");
  expect(await titleOf(await start("a"))).toBe("one");
});

test("without the packages that build it a release serves what it brought, and a bare checkout says what to do", async () => {
  linkPackages((name) => name !== "vite");
  const bare = await start("a");
  const page = await bare.page();
  expect(page.status).toBe(503);
  expect(await page.text()).toMatch(/npm ci/);
  await bare.program.end("SIGTERM");

  linkPackages(() => true);
  const release = new Program({
    command: process.execPath,
    args: [join(checkout, "src", "interface", "build-main.ts")],
  });
  expect(await release.exited).toEqual({ code: 0, signal: null });
  linkPackages((name) => name !== "vite");
  expect(await titleOf(await start("a"))).toBe("one");
});

test("a stop during the build ends it and leaves nothing half done", async () => {
  const panel = await start("a");
  while (!builds().some((name) => name.startsWith("unfinished-")) && !/"msg":"the interface/.test(panel.program.output))
    await pause(5);
  const child = Number(
    builds()
      .find((name) => name.startsWith("unfinished-"))
      ?.split("-")[1] ?? 0,
  );
  expect((await panel.program.end("SIGTERM")).code).toBe(0);
  expect(builds().filter((name) => !/^[0-9a-f]{16}$/.test(name))).toEqual([]);
  expect(
    child === 0 || !existsSync(`/proc/${child}`) || readFileSync(`/proc/${child}/stat`, "utf8").includes(") Z "),
  ).toBe(true);
});
