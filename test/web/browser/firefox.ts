// Firefox as Debian ships it, driven by WebDriver BiDi over its own socket: the library that drives Chromium asks this
// release for a command that it does not know. Only what a walk through the pages needs.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { z } from "zod";

const PLACES = [process.env["FIREFOX"] ?? "", "/usr/bin/firefox-esr", "/usr/bin/firefox"];
const program = PLACES.find((place) => place !== "" && existsSync(place));
if (program === undefined && process.env["CI"] === "true") throw new Error("firefox-esr must be installed in CI");
if (program === undefined) console.warn("skipped: tests in Firefox (none is installed; FIREFOX may name one)");

/** Whether this run can open Firefox: `describe.skipIf(!hasFirefox)(…)`. */
export const hasFirefox = program !== undefined;

const IN_PAGE = stripTypeScriptTypes(readFileSync(new URL("./in-page.ts", import.meta.url), "utf8"));
const LISTENS = /WebDriver BiDi listening on (ws:\S+)/;

const Reply = z.object({ id: z.number(), result: z.unknown().optional(), error: z.string().optional() });
const Failed = z.object({ message: z.string() });
const Entry = z.object({
  method: z.literal("log.entryAdded"),
  params: z.object({ level: z.string(), text: z.string().nullable(), source: z.object({ realm: z.string() }) }),
});
const Context = z.object({ context: z.string() });
const Evaluated = z.union([
  z.object({
    type: z.literal("success"),
    realm: z.string(),
    result: z.object({ type: z.string(), value: z.unknown().optional() }),
  }),
  z.object({ type: z.literal("exception"), exceptionDetails: z.object({ text: z.string() }) }),
]);
const Place = z.object({ x: z.number(), y: z.number() });

export interface FirefoxLook {
  /** As the browser asks for it: `fa-IR`. */
  readonly locale: string;
  readonly dark: boolean;
  readonly size: { readonly width: number; readonly height: number };
}

export class Firefox {
  /** What the console was told, by which page. */
  readonly #told: { readonly page: string; readonly problem: string }[] = [];
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #asked = 0;
  #context = "";

  private constructor(process: ChildProcess, profile: string, socket: WebSocket) {
    this.#process = process;
    this.#profile = profile;
    this.#socket = socket;
    socket.on("message", (data: Buffer) => this.#take(JSON.parse(data.toString("utf8"))));
    socket.on("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("Firefox closed its connection"));
    });
  }

  /** One window with a profile of its own. Call `close`. */
  static async open({ locale, dark, size }: FirefoxLook): Promise<Firefox> {
    if (program === undefined) throw new Error("there is no Firefox");
    const profile = await mkdtemp(join(tmpdir(), "signalbox-firefox-"));
    const preferences = {
      "intl.accept_languages": locale,
      "ui.prefersReducedMotion": 1,
      "ui.systemUsesDarkTheme": dark ? 1 : 0,
      "layout.css.prefers-color-scheme.content-override": dark ? 0 : 1,
    };
    const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
    await writeFile(join(profile, "user.js"), lines.join("\n"));
    const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
    const child = spawn(program, args, {
      env: { ...process.env, HOME: profile, MOZ_HEADLESS_WIDTH: String(size.width) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const firefox = new Firefox(child, profile, await connected(child));
    await firefox.#send("session.new", { capabilities: {} });
    await firefox.#send("session.subscribe", { events: ["log.entryAdded"] });
    await firefox.#send("script.addPreloadScript", { functionDeclaration: `() => {${IN_PAGE}}` });
    firefox.#context = Context.parse(await firefox.#send("browsingContext.create", { type: "window" })).context;
    await firefox.#send("browsingContext.setViewport", { context: firefox.#context, viewport: size });
    return firefox;
  }

  /** Opens a page and waits until it shows what it has to say. */
  async go(url: string): Promise<void> {
    await this.#send("browsingContext.navigate", { context: this.#context, url, wait: "complete" });
    await this.settled();
  }

  /** Resolves once nothing is being loaded. */
  settled(): Promise<void> {
    return this.until("!looks.isBusy()");
  }

  /** Resolves once the expression holds in the page; the test's own limit ends it. */
  async until(expression: string): Promise<void> {
    while ((await this.evaluate(expression)) !== true) await pause(50);
  }

  /** The value of an expression in the page: JSON, whatever the page's policy says. */
  async evaluate(expression: string): Promise<unknown> {
    return (await this.#evaluated(expression)).value;
  }

  /**
   * Errors and warnings of the page that is open, and contents that its policy refused. A page that is left gives up
   * what it still loads and says so, often when the next one is there already: that is no problem of either.
   */
  async problems(): Promise<string[]> {
    const { page } = await this.#evaluated("null");
    return this.#told.filter((told) => told.page === page).map(({ problem }) => problem);
  }

  async #evaluated(expression: string): Promise<{ readonly page: string; readonly value: unknown }> {
    const told = Evaluated.parse(
      await this.#send("script.evaluate", {
        expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
        target: { context: this.#context },
        awaitPromise: true,
      }),
    );
    if (told.type === "exception") throw new Error(told.exceptionDetails.text);
    return { page: told.realm, value: JSON.parse(z.string().parse(told.result.value)) };
  }

  /** A real click in the middle of what the selector finds first. */
  async click(selector: string): Promise<void> {
    const { x, y } = Place.parse(
      await this.evaluate(`(() => {
        const element = document.querySelector(${JSON.stringify(selector)});
        element.scrollIntoView({ block: "center" });
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
      })()`),
    );
    const actions = [
      { type: "pointerMove", x, y },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    await this.#send("input.performActions", {
      context: this.#context,
      actions: [{ type: "pointer", id: "mouse", actions }],
    });
  }

  /** Types into what has the focus, key by key. */
  async type(text: string): Promise<void> {
    const actions = text.split("").flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    await this.#send("input.performActions", {
      context: this.#context,
      actions: [{ type: "key", id: "keys", actions }],
    });
  }

  async close(): Promise<void> {
    const ended = new Promise((done) => this.#process.once("exit", done));
    this.#process.kill("SIGKILL");
    this.#socket.terminate();
    if (this.#process.exitCode === null && this.#process.signalCode === null) await ended;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  #send(method: string, params: object): Promise<unknown> {
    const id = ++this.#asked;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return answer.promise;
  }

  #take(message: unknown): void {
    const entry = Entry.safeParse(message);
    if (entry.success && ["error", "warn"].includes(entry.data.params.level)) {
      const { level, text, source } = entry.data.params;
      this.#told.push({ page: source.realm, problem: `${level}: ${text ?? ""}` });
    }
    const reply = Reply.safeParse(message);
    if (!reply.success) return;
    const answer = this.#waiting.get(reply.data.id);
    this.#waiting.delete(reply.data.id);
    if (reply.data.error === undefined) answer?.resolve(reply.data.result);
    else answer?.reject(new Error(`${reply.data.error}: ${Failed.safeParse(message).data?.message ?? ""}`));
  }
}

/** The socket that a starting browser names on its standard error. */
async function connected(child: ChildProcess): Promise<WebSocket> {
  if (!child.stderr) throw new Error("Firefox has no standard error");
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.once("error", reject).once("exit", (code) => reject(new Error(`Firefox ended with ${code}`)));
  createInterface(child.stderr).on("line", (line) => {
    const [, url] = LISTENS.exec(line) ?? [];
    if (url !== undefined) resolve(url);
  });
  const socket = new WebSocket(`${await promise}/session`, { perMessageDeflate: false });
  await new Promise((done, fail) => socket.once("open", done).once("error", fail));
  return socket;
}
