// `signalbox demo` as a visitor has it: what it prints can be pasted, the subscription answers, transitions appear,
// Ctrl-C leaves nothing behind.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { hasPrograms } from "../programs.ts";
import { startStopwatch } from "../stopwatch.ts";
import { builtInterface } from "../web/built.ts";

const MAIN = resolve("src/main.ts");
const run = promisify(execFile);
const hasCurl = hasPrograms("pasting what the demo prints", "curl");

/** A demo in a directory of its own, with everything it has printed. */
class Demo {
  readonly lines: string[] = [];
  readonly exit: Promise<number | null>;
  readonly #process: ChildProcess;
  #woken = Promise.withResolvers<void>();

  constructor(directory: string, argv: readonly string[]) {
    this.#process = spawn(process.execPath, [MAIN, "demo", ...argv], {
      cwd: directory,
      env: { ...process.env, SIGNALBOX_WEB: web },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.exit = new Promise((done) => this.#process.on("close", (code) => done(code)));
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on("line", (line) => {
        this.lines.push(line);
        this.#woken.resolve();
        this.#woken = Promise.withResolvers();
      });
    }
  }

  /** The first match in what was printed. Fails with the whole output when the demo ends before. */
  async line(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      for (const line of this.lines) {
        const match = pattern.exec(line);
        if (match) return match;
      }
      const ended = await Promise.race([this.#woken.promise.then(() => false), this.exit.then(() => true)]);
      if (ended) throw new Error(`the demo ended before ${String(pattern)}:\n${this.lines.join("\n")}`);
    }
  }

  interrupt(): void {
    this.#process.kill("SIGINT");
  }

  kill(): void {
    this.#process.kill("SIGKILL");
  }
}

let web: string;
beforeAll(async () => {
  web = await builtInterface();
});

let directory: string;
let port: number;
let demo: Demo | undefined;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-demo-"));
  port = await freePort();
});
afterEach(async () => {
  demo?.interrupt();
  await demo?.exit;
  demo = undefined;
  rmSync(directory, { recursive: true, force: true });
});

function start(...argv: string[]): Demo {
  return (demo = new Demo(directory, ["--listen", `127.0.0.1:${port}`, ...argv]));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/**
 * Command lines of processes that know this test's directory: the panel's children by their arguments, the panel by its
 * environment.
 */
function processesOf(path: string): string[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      const environment = readFileSync(`/proc/${name}/environ`, "utf8");
      return command.includes(path) || environment.includes(`SIGNALBOX_DATA_DIR=${path}`) ? [command] : [];
    } catch {
      // Gone meanwhile, or not ours to look at.
      return [];
    }
  });
}

/** Status and body of a printed line, run by a shell as a visitor would. */
async function paste(line: string): Promise<{ status: string; body: string }> {
  const { stdout } = await run("sh", ["-c", `${line} -w '\\n%{http_code}'`]);
  const cut = stdout.lastIndexOf("\n");
  return { status: stdout.slice(cut + 1), body: stdout.slice(0, cut) };
}

test.skipIf(!hasCurl)("what the demo prints works when pasted; Ctrl-C ends all of it", async () => {
  const running = start();
  await running.line(/Ctrl-C/);
  const curls = running.lines.map((line) => line.trim()).filter((line) => line.startsWith("curl "));
  expect(curls).toHaveLength(3);
  const [nodes, why, more] = await Promise.all(curls.map((line) => paste(line)));
  expect([nodes?.status, why?.status, more?.status]).toEqual(["200", "200", "200"]);
  expect(JSON.parse(why?.body ?? "")).toMatchObject({ kind: "node", name: "unplugged" });

  const pages = running.lines.map((line) => line.trim()).filter((line) => /^http:\S+$/.test(line));
  expect(pages).toHaveLength(3);
  for (const page of pages) {
    const opened = await fetch(page, { headers: { accept: "text/html" } });
    expect([page, opened.status, opened.headers.get("content-type")]).toEqual([page, 200, "text/html; charset=utf-8"]);
  }

  // The third one brings an account back, and the terminal says so.
  const { name } = JSON.parse(more?.body ?? "") as { name: string };
  await running.line(new RegExp(`user\\s+${name}\\s+disabled\\.volume → enabled\\.started\\s+edited`));

  const [, subscription = ""] = await running.line(/Subscription\s+(\S+)/);
  const links = await fetch(`${subscription}/links`);
  expect(links.status).toBe(200);
  expect(await links.text()).toMatch(/^vless:\/\/\S+@127\.0\.0\.1:\d+/m);

  // Traffic of a client on this machine goes through the local node and begins the account's month.
  const [, proxied = ""] = await running.line(/or a proxy\s+(curl .*)$/);
  expect(await paste(`${proxied} -s`)).toEqual({ status: "200", body: '{"status":"ok"}' });
  await running.line(/user\s+you\s+enabled\.waiting → enabled\.started/);

  expect(processesOf(directory).length).toBeGreaterThanOrEqual(3);
  const elapsed = startStopwatch();
  running.interrupt();
  expect(await running.exit).toBe(0);
  expect(elapsed()).toBeLessThan(6000);
  expect(processesOf(directory)).toEqual([]);
});

test("a demo that was killed leaves nothing that the next one would not end; --keep goes on with its panel", async () => {
  const first = start();
  const [, subscription] = await first.line(/Subscription\s+(\S+)/);
  first.kill();
  await first.exit;
  const second = start("--keep");
  expect((await second.line(/Subscription\s+(\S+)/))[1]).toBe(subscription);
  second.interrupt();
  expect(await second.exit).toBe(0);
  expect(processesOf(directory)).toEqual([]);
});

test("a taken port, a second demo and bad usage are sentences", async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const taken = start();
  expect(await taken.exit).toBe(1);
  expect(taken.lines).toEqual([`signalbox: 127.0.0.1:${port} is in use: name another with --listen HOST:PORT`]);
  await new Promise((done) => server.close(done));

  const running = start();
  await running.line(/Starting a panel/);
  const second = new Demo(directory, ["--listen", `127.0.0.1:${await freePort()}`]);
  expect(await second.exit).toBe(1);
  expect(second.lines.join("\n")).toMatch(/^signalbox: a demo runs already on \S+ \(process \d+\): end it first$/);
  running.interrupt();
  expect(await running.exit).toBe(0);
  expect(processesOf(directory)).toEqual([]);

  const wrong = new Demo(directory, ["--listen", "nowhere"]);
  expect(await wrong.exit).toBe(2);
  expect(wrong.lines[0]).toBe("--listen must be HOST:PORT, with a port of its own");
});
