// The panel as `main` composes it, in this process, on a database of its own and a free port; set up, with an API
// token.
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino, type Logger } from "pino";
import { Door } from "../src/http/index.ts";
import { readEnvironment } from "../src/panel/environment.ts";
import type { PanelParts } from "../src/panel/features.ts";
import { startPanel, type Panel, type PanelOptions } from "../src/panel/panel.ts";
import type { Dialect } from "../src/db/index.ts";
import { createEmptyDatabase, createMigratedDatabase } from "./database.ts";

export interface Answer {
  readonly status: number;
  // Tests look into answers freely; their shapes are what is being tested.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  /** The body as it was sent. */
  readonly text: string;
  readonly headers: Headers;
}

/** What a panel is made of, and stands on. */
interface Made {
  readonly panel?: PanelParts;
  readonly database?: Awaited<ReturnType<typeof createEmptyDatabase>>;
}

export class WholePanel {
  readonly directory: string;
  readonly #environment: ReturnType<typeof readEnvironment>;
  readonly databaseUrl: string;
  readonly #drop: () => Promise<void>;
  #panel: Panel | undefined;
  token = "";
  /** `Cookie` header of the first admin's session. */
  cookie = "";

  readonly #log: Logger;
  readonly #pause: PanelOptions["pause"];
  readonly #door = new Door();

  readonly #parts: PanelParts | undefined;

  private constructor(
    directory: string,
    databaseUrl: string,
    drop: () => Promise<void>,
    log: Logger,
    pause: PanelOptions["pause"],
    parts: PanelParts | undefined,
  ) {
    this.directory = directory;
    this.#parts = parts;
    this.#log = log;
    this.#pause = pause;
    this.databaseUrl = databaseUrl;
    this.#drop = drop;
    this.#environment = readEnvironment({
      SIGNALBOX_DATA_DIR: directory,
      SIGNALBOX_DATABASE_URL: databaseUrl,
      SIGNALBOX_LISTEN: "127.0.0.1:0",
      SIGNALBOX_SETUP_TOKEN: "setup-token-of-the-test",
    });
  }

  /**
   * `pause`: how codes wait for their turn. `made`: what the panel is made of, and its database, where they are not the
   * usual ones.
   */
  static async open(
    dialect: Dialect,
    log = pino({ level: "silent" }),
    pause?: PanelOptions["pause"],
    { panel: parts, database }: Made = {},
  ): Promise<WholePanel> {
    const directory = await mkdtemp(join(tmpdir(), "signalbox-panel-"));
    // What is made of other parts has other tables, which its first start makes.
    const { url, drop } = database ?? (await (parts ? createEmptyDatabase : createMigratedDatabase)(dialect));
    const panel = new WholePanel(directory, url, drop, log, pause, parts);
    await panel.start();
    await panel.call("POST", "/api/v1/setup?t=setup-token-of-the-test", {
      username: "root",
      password: "correct horse",
      settings: { web_tls_mode: "none" },
    });
    await panel.#running.restartWanted;
    await panel.restart();
    const login = await panel.call("POST", "/api/v1/login", { username: "root", password: "correct horse" });
    panel.cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    const created = await panel.call(
      "POST",
      "/api/v1/tokens",
      { desc: "test", rateLimit: 1_000_000 },
      { cookie: panel.cookie },
    );
    panel.token = created.body.token;
    return panel;
  }

  /** Another process's panel on the same database, with the same key. */
  async neighbour(): Promise<WholePanel> {
    const directory = await mkdtemp(join(tmpdir(), "signalbox-panel-"));
    await copyFile(join(this.directory, "secret.key"), join(directory, "secret.key"));
    const panel = new WholePanel(directory, this.databaseUrl, async () => {}, this.#log, this.#pause, this.#parts);
    await panel.start();
    panel.token = this.token;
    panel.cookie = this.cookie;
    return panel;
  }

  /** Another panel, with the same key, on a copy of this one's database. This one must be stopped. */
  async copy(dialect: Dialect): Promise<WholePanel> {
    const directory = await mkdtemp(join(tmpdir(), "signalbox-panel-"));
    await copyFile(join(this.directory, "secret.key"), join(directory, "secret.key"));
    const template =
      dialect === "sqlite" ? this.databaseUrl.slice("sqlite:".length) : new URL(this.databaseUrl).pathname.slice(1);
    const { url, drop } = await createEmptyDatabase(dialect, template);
    // What SQLite has not yet taken over from its log.
    const [log, its] = [`${template}-wal`, `${url.slice("sqlite:".length)}-wal`];
    if (dialect === "sqlite" && existsSync(log)) await copyFile(log, its);
    const panel = new WholePanel(directory, url, drop, this.#log, this.#pause, this.#parts);
    await panel.start();
    panel.token = this.token;
    panel.cookie = this.cookie;
    return panel;
  }

  get #running(): Panel {
    if (!this.#panel) throw new Error("the panel is stopped");
    return this.#panel;
  }

  /** Resolves when the panel asked for a restart of itself. */
  get restartWanted(): Promise<void> {
    return this.#running.restartWanted;
  }

  get url(): string {
    return this.#running.url;
  }

  async start(): Promise<void> {
    const pause = this.#pause && { pause: this.#pause };
    this.#panel = await startPanel({
      environment: this.#environment,
      log: this.#log,
      door: this.#door,
      // No load balancer is before it.
      leaveMs: 0,
      ...pause,
      ...(this.#parts && { panel: this.#parts }),
    });
  }

  async stop(how: "stop" | "restart" = "stop"): Promise<void> {
    await this.#running.stop(how);
  }

  async restart(): Promise<void> {
    await this.stop("restart");
    await this.start();
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(this.token && !headers["cookie"] ? { authorization: `Bearer ${this.token}` } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const lines = response.headers.get("content-type")?.includes("ndjson") === true;
    return {
      status: response.status,
      text,
      body: /^[{[]/.test(text) && !lines ? JSON.parse(text) : text,
      headers: response.headers,
    };
  }

  async dispose(): Promise<void> {
    await this.#panel?.stop("stop");
    await this.#door.close();
    await this.#drop();
    await rm(this.directory, { recursive: true, force: true });
  }
}
