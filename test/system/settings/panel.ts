// A whole panel in this process whose listener is what is tested: set up with the settings that a test names, asked
// over plain HTTP or TLS under any host name.
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket, type SecureVersion } from "node:tls";
import { pino } from "pino";
import type { Dialect } from "../../../src/db/index.ts";
import { readEnvironment } from "../../../src/panel/environment.ts";
import { Door, type InterfaceSource } from "../../../src/http/index.ts";
import { startPanel, type Panel } from "../../../src/panel/panel.ts";
import { createMigratedDatabase } from "../../database.ts";

export const PASSWORD = "correct horse";
export const SETUP_TOKEN = "the-setup-token-of-the-tests";

export interface Ask {
  readonly body?: unknown;
  /** `Host` header. */
  readonly host?: string;
  /** A session's cookie header; the main admin's unless said. Empty: none. */
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxVersion?: SecureVersion;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  // Tests look into answers freely; their shapes are what is being tested.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names of the certificate that was shown; empty over plain HTTP. */
  readonly names: readonly string[];
  /** Serial number of that certificate. */
  readonly serial: string;
}

export class ListeningPanel {
  readonly directory: string;
  readonly databaseUrl: string;
  readonly #drop: () => Promise<void>;
  #panel: Panel | undefined;
  cookie = "";
  /** Log lines from `warn` on. */
  readonly complaints: string[] = [];

  readonly #web: InterfaceSource | undefined;
  /** What the process listens on. */
  readonly door = new Door();

  private constructor(directory: string, databaseUrl: string, drop: () => Promise<void>, web?: InterfaceSource) {
    this.directory = directory;
    this.databaseUrl = databaseUrl;
    this.#drop = drop;
    this.#web = web;
  }

  /** Listens and waits for setup. `web`: the interface that it serves. */
  static async pending(dialect: Dialect, web?: InterfaceSource): Promise<ListeningPanel> {
    const { url, drop } = await createMigratedDatabase(dialect);
    const panel = new ListeningPanel(await mkdtemp(join(tmpdir(), "signalbox-listening-")), url, drop, web);
    await panel.start();
    return panel;
  }

  /** Set up with these settings, restarted, its main admin signed in. */
  static async open(
    dialect: Dialect,
    settings: Readonly<Record<string, string>>,
    web?: InterfaceSource,
  ): Promise<ListeningPanel> {
    const panel = await ListeningPanel.pending(dialect, web);
    await panel.setUp(settings);
    return panel;
  }

  async setUp(settings: Readonly<Record<string, string>>): Promise<void> {
    const done = await this.ask("POST", `/api/setup?t=${SETUP_TOKEN}`, {
      body: { username: "root", password: PASSWORD, settings },
    });
    if (done.status !== 200) throw new Error(`setup: ${done.text}`);
    await this.#running.restartWanted;
    await this.restart();
    this.cookie = await this.signIn("root", settings["web_basepath"] ?? "");
  }

  /** Another process's panel on the same database, with the same key. */
  async neighbour(): Promise<ListeningPanel> {
    const directory = await mkdtemp(join(tmpdir(), "signalbox-listening-"));
    await copyFile(join(this.directory, "secret.key"), join(directory, "secret.key"));
    const panel = new ListeningPanel(directory, this.databaseUrl, async () => {});
    await panel.start();
    panel.cookie = this.cookie;
    return panel;
  }

  get #running(): Panel {
    if (!this.#panel) throw new Error("the panel is stopped");
    return this.#panel;
  }

  get restartWanted(): Promise<void> {
    return this.#running.restartWanted;
  }

  get url(): string {
    return this.#running.url;
  }

  /** What `signalbox` in a process of its own needs to speak of this panel. */
  get variables(): Readonly<Record<string, string>> {
    return {
      SIGNALBOX_DATA_DIR: this.directory,
      SIGNALBOX_DATABASE_URL: this.databaseUrl,
      SIGNALBOX_LISTEN: "127.0.0.1:0",
      SIGNALBOX_SETUP_TOKEN: SETUP_TOKEN,
      SIGNALBOX_ENGINE: "none",
    };
  }

  async start(): Promise<void> {
    const log = pino({ level: "warn" }, { write: (line: string) => void this.complaints.push(line) });
    this.#panel = await startPanel({
      environment: readEnvironment(this.variables),
      log,
      web: this.#web,
      door: this.door,
      // No load balancer is before it.
      leaveMs: 0,
    });
  }

  async stop(): Promise<void> {
    await this.#panel?.stop("stop");
    this.#panel = undefined;
  }

  async restart(): Promise<void> {
    await this.#running.stop("restart");
    await this.start();
  }

  /** Resolves to the session's cookie header. */
  async signIn(username: string, basePath = ""): Promise<string> {
    const login = await this.ask("POST", `${basePath}/api/login`, {
      body: { username, password: PASSWORD },
      cookie: "",
    });
    if (login.status !== 200) throw new Error(`login: ${login.text}`);
    return String(login.headers["set-cookie"]).split(";")[0] ?? "";
  }

  put(key: string, value: string, basePath = ""): Promise<Answer> {
    return this.ask("PUT", `${basePath}/api/settings/${key}`, { body: { value } });
  }

  /** On a connection of its own. The path is sent as it is written. */
  ask(
    method: string,
    path: string,
    { body, host, cookie = this.cookie, headers = {}, maxVersion }: Ask = {},
  ): Promise<Answer> {
    const { hostname, port, protocol } = new URL(this.url);
    const tls = protocol === "https:";
    const options = {
      host: hostname,
      port,
      method,
      path,
      agent: false,
      rejectUnauthorized: false,
      ...(maxVersion && { maxVersion }),
      headers: {
        ...(host === undefined ? {} : { host }),
        ...(cookie === "" ? {} : { cookie }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
    };
    return new Promise((resolve, reject) => {
      const outgoing = (tls ? httpsRequest : httpRequest)(options, (incoming) => {
        const shown = incoming.socket instanceof TLSSocket ? incoming.socket.getPeerCertificate() : undefined;
        const names = (shown?.subjectaltname ?? "").split(", ").map((name) => name.slice(name.indexOf(":") + 1));
        const serial = shown?.serialNumber ?? "";
        let text = "";
        incoming.setEncoding("utf8").on("data", (part: string) => (text += part));
        incoming.on("end", () => {
          const json = String(incoming.headers["content-type"]).startsWith("application/json") && text !== "";
          resolve({
            status: incoming.statusCode ?? 0,
            text,
            body: json ? JSON.parse(text) : {},
            headers: incoming.headers,
            names,
            serial,
          });
        });
      });
      outgoing.on("error", reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async dispose(): Promise<void> {
    await this.stop();
    await this.door.close();
    await this.#drop();
    await rm(this.directory, { recursive: true, force: true });
  }
}
