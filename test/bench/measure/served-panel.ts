// The panel as an operator starts it: `signalbox serve`, with nothing of a bench in its process.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const MAIN = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));
/** As `bin/signalbox.mjs` starts it. */
const FLAGS = ["--max-semi-space-size=8"];
const SETUP_TOKEN = "setup-token-of-the-bench";
const ADMIN = { username: "root", password: "correct horse battery" };

export class ServedPanel {
  readonly #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #url = "";
  #token = "";

  constructor(directory: string, databaseUrl: string) {
    this.#environment = {
      SIGNALBOX_DATA_DIR: directory,
      SIGNALBOX_DATABASE_URL: databaseUrl,
      SIGNALBOX_LISTEN: "127.0.0.1:0",
      SIGNALBOX_SETUP_TOKEN: SETUP_TOKEN,
      SIGNALBOX_WEB: "off",
    };
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error("the panel is not started");
    return this.#child.pid;
  }

  async start(): Promise<void> {
    this.#child = spawn(process.execPath, [...FLAGS, MAIN, "serve"], {
      env: { ...process.env, ...this.#environment },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await this.#listens();
  }

  async stop(): Promise<void> {
    const ended = this.#child && once(this.#child, "exit");
    this.#child?.kill("SIGTERM");
    await ended;
  }

  /**
   * Finishes setup, signs in and makes a token and a user; resolves to that user's id. The panel has started again
   * within its process then.
   */
  async setUp(): Promise<number> {
    const again = this.#listens();
    await this.#post(`/api/v1/setup?t=${SETUP_TOKEN}`, { ...ADMIN, settings: { web_tls_mode: "none" } });
    await again;
    const login = await this.#post("/api/v1/login", ADMIN);
    const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    const made = await this.#post("/api/v1/tokens", { desc: "bench", rateLimit: 1_000_000 }, { cookie });
    this.#token = z.object({ token: z.string() }).parse(await made.json()).token;
    const user = await this.#post("/api/v1/users", { name: "user" }, { authorization: `Bearer ${this.#token}` });
    return z.object({ id: z.int() }).parse(await user.json()).id;
  }

  async get(path: string): Promise<unknown> {
    const answer = await fetch(`${this.#url}${path}`, { headers: { authorization: `Bearer ${this.#token}` } });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  }

  async #post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    const answer = await fetch(`${this.#url}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer;
  }

  /** Resolves when the next line says that it listens. */
  async #listens(): Promise<void> {
    let said = "";
    for await (const [chunk] of chunksOf(this.#child)) {
      said += chunk;
      const url = /listens on (http:\/\/\S+)/.exec(said)?.[1];
      if (url === undefined) continue;
      this.#url = url.replace(/\/$/, "");
      return;
    }
    throw new Error(`the panel ended: ${said}`);
  }
}

async function* chunksOf(child: ChildProcess | undefined): AsyncGenerator<[string]> {
  if (!child?.stdout) return;
  child.stdout.setEncoding("utf8");
  const ended = new AbortController();
  child.once("exit", () => ended.abort());
  while (true) yield (await once(child.stdout, "data", { signal: ended.signal })) as [string];
}
