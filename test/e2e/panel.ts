// A whole panel for a test: a real process on a database of its own, set up over HTTP, with a token, makers of records
// and an origin to download from.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { quietPorts } from "../quiet-ports.ts";
import type { Dialect } from "../../src/db/table.ts";
import { createEmptyDatabase, createMigratedDatabase } from "../database.ts";
import { startStopwatch } from "../stopwatch.ts";
import { Api, type UserAnswer } from "./api.ts";
import { startClient, type ProxyClient } from "./client.ts";
import { Download } from "./download.ts";
import { startOrigin, type Origin } from "./origin.ts";
import { processesOf, Program, SIGNALBOX, type Exit } from "./processes.ts";
import { logIn, setUpPanel } from "./set-up.ts";

export const SETUP_TOKEN = "setup-token-of-the-test";
/** An agent and its engine are started long before. */
const PATIENCE_MS = 120_000;
const LISTENS = /Signalbox listens on (\S+)/;

export interface E2eOptions {
  readonly dialect?: Dialect;
  /** Engine of local nodes. */
  readonly engine?: "embedded" | "v2ray" | "xray" | "sing-box" | "none";
  /** Environment variables of the panel's process, besides the settings of `signalbox`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What starts the panel: words before its command, and where. */
  readonly starter?: Starter;
  /** The program's entry file, where it is not the one of this checkout. */
  readonly main?: string;
  /** Setup is left to the test. */
  readonly pending?: true;
  /** Puts into the empty database what an older version would have left there. */
  readonly prepare?: (databaseUrl: string) => Promise<void>;
}

export interface Starter {
  readonly words: readonly [string, ...string[]];
  readonly cwd: string;
}

export interface LocalNode {
  readonly id: number;
  readonly port: number;
  readonly inboundPort: number;
  readonly templateId: number;
  readonly inboundId: number;
}

/** A panel that is set up and serves. Call `dispose` in `afterAll`. */
export async function startPanel(options: E2eOptions = {}): Promise<E2ePanel> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-e2e-"));
  const [port = 0] = await quietPorts(1);
  const database = await (options.prepare ? createEmptyDatabase : createMigratedDatabase)(options.dialect ?? "sqlite");
  const panel = new E2ePanel({
    directory,
    port,
    databaseUrl: database.url,
    dropDatabase: database.drop,
    engine: options.engine ?? "embedded",
    origin: await startOrigin(),
    ...(options.variables && { variables: options.variables }),
    ...(options.starter && { starter: options.starter }),
    ...(options.main !== undefined && { main: options.main }),
  });
  try {
    await options.prepare?.(database.url);
    await (options.pending ? panel.start() : panel.setUp());
  } catch (error) {
    await panel.dispose();
    throw error;
  }
  return panel;
}

interface Parts {
  readonly directory: string;
  readonly port: number;
  readonly databaseUrl: string;
  readonly dropDatabase: () => Promise<void>;
  readonly engine: string;
  readonly origin: Origin;
  /** Environment variables of the panel's process, besides the settings of `signalbox`. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly starter?: Starter;
  readonly main?: string;
}

export class E2ePanel {
  readonly url: string;
  readonly directory: string;
  readonly #parts: Parts;
  readonly #clients: ProxyClient[] = [];
  #program: Program | undefined;
  #api: Api | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.directory = parts.directory;
    this.url = `http://127.0.0.1:${parts.port}`;
  }

  /** With the token of a main admin. */
  get api(): Api {
    if (!this.#api) throw new Error("the panel was not set up");
    return this.#api;
  }

  get originPort(): number {
    return this.#parts.origin.port;
  }

  get databaseUrl(): string {
    return this.#parts.databaseUrl;
  }

  /** Everything the running or last process wrote. */
  get output(): string {
    return this.#program?.output ?? "";
  }

  get pid(): number {
    if (!this.#program) throw new Error("the panel was not started");
    return this.#program.pid;
  }

  /** What `signalbox` needs to know to speak of this panel. */
  get environment(): Readonly<Record<string, string>> {
    const { directory, databaseUrl, port, engine } = this.#parts;
    return {
      SIGNALBOX_DATA_DIR: directory,
      SIGNALBOX_DATABASE_URL: databaseUrl,
      SIGNALBOX_LISTEN: `127.0.0.1:${port}`,
      SIGNALBOX_SETUP_TOKEN: SETUP_TOKEN,
      SIGNALBOX_ENGINE: engine,
      SIGNALBOX_PRIVATE_TARGETS: "allow",
      SIGNALBOX_LOG_LEVEL: "info",
      ...this.#parts.variables,
    };
  }

  /** First start, setup as a person does it over HTTP, restart of the panel by itself, login, token. */
  async setUp(): Promise<void> {
    await this.start();
    const before = this.#program?.output.length ?? 0;
    const restarted = async () => this.#program?.says(LISTENS, before);
    const { token } = await setUpPanel(this.url, { setupToken: SETUP_TOKEN, desc: "end to end", restarted });
    this.#api = new Api(this.url, { authorization: `Bearer ${token}` });
  }

  /** The API with a session of a main admin, for what no token may do. */
  logIn(): Promise<Api> {
    return logIn(this.url);
  }

  /** Resolves once the panel listens. */
  async start(): Promise<void> {
    this.spawn();
    await this.listening();
  }

  /** Starts the process and does not wait. */
  spawn(): void {
    const { main, starter } = this.#parts;
    const { words = [], cwd } = starter ?? {};
    const [first, ...more] = words;
    const own = [...(main === undefined ? SIGNALBOX : [main]), "serve"];
    const command = first ?? process.execPath;
    const args = first === undefined ? own : [...more, process.execPath, ...own];
    this.#program = new Program({ command, args, cwd, env: this.environment });
  }

  async listening(): Promise<void> {
    await this.#program?.says(LISTENS);
  }

  /** As by a power cut, for the panel alone. Resolves when the process is gone. */
  async kill(): Promise<void> {
    await this.#program?.end("SIGKILL");
  }

  /** SIGTERM, as by a service manager. */
  async stop(): Promise<Exit> {
    if (!this.#program) throw new Error("the panel was not started");
    return this.#program.end("SIGTERM");
  }

  /** `signalbox <args>` on this panel's data; everything it printed and its exit code. */
  async command(...args: string[]): Promise<{ code: number | null; output: string }> {
    const program = new Program({ command: process.execPath, args: [...SIGNALBOX, ...args], env: this.environment });
    const { code } = await program.exited;
    return { code, output: program.output };
  }

  /** A template with one VLESS inbound, and a local node that serves it; not yet connected. */
  async makeLocalNode(name = "here"): Promise<LocalNode> {
    const [port = 0, inboundPort = 0] = await quietPorts(2);
    const inboundId = await this.api.make("inbounds", {
      tag: `in-${name}`,
      type: "vless",
      config: { listen: "127.0.0.1", listen_port: inboundPort },
    });
    const templateId = await this.api.make("templates", { name: `template-${name}`, inboundIds: [inboundId] });
    const id = await this.api.make("nodes", { name, address: "127.0.0.1", port, isLocal: true, templateId });
    return { id, port, inboundPort, templateId, inboundId };
  }

  /**
   * Resolves once the node's agent has told this process of the panel that it runs what is wanted. Its status alone
   * says nothing after a start: a node that served before counts as connected from then on, before anybody has dialled
   * it.
   */
  async serves(nodeId: number): Promise<void> {
    const waited = startStopwatch();
    while (!(await this.#servesNow(nodeId))) {
      if (waited() > PATIENCE_MS)
        throw new Error(`node ${nodeId} does not serve: ${JSON.stringify(await this.api.node(nodeId))}`);
      await pause(50);
    }
  }

  async #servesNow(nodeId: number): Promise<boolean> {
    if ((await this.api.node(nodeId)).status !== "connected") return false;
    const synced = await this.api.request("POST", `/api/v1/nodes/${nodeId}/sync`);
    return synced.status === 200 && (await this.api.node(nodeId)).status === "connected";
  }

  async makeUser(name: string, fields: object = {}): Promise<UserAnswer> {
    return this.api.user(await this.api.make("users", { name, ...fields }));
  }

  /** The user's proxy client, from the subscription; ended by `dispose`. */
  async clientOf(user: UserAnswer): Promise<ProxyClient> {
    const client = await startClient(this.api, user);
    this.#clients.push(client);
    return client;
  }

  download(client: ProxyClient, bytes: number, rate?: number): Download {
    return new Download({
      socksPort: client.socksPort,
      originPort: this.originPort,
      bytes,
      ...(rate === undefined ? {} : { rate }),
    });
  }

  /** The pid of a local node's agent, from its pid file. */
  agentPid(nodeId: number): number {
    return z
      .object({ pid: z.number() })
      .parse(JSON.parse(readFileSync(join(this.directory, "agents", `${nodeId}.pid`), "utf8"))).pid;
  }

  /** Processes of this panel's data directory besides the panel: agents and engines. */
  leftovers(): { pid: number; command: string }[] {
    return processesOf(this.directory).filter(({ pid }) => pid !== this.#program?.pid || !this.#program.running);
  }

  /**
   * Ends everything that was started and removes everything that was written. A failed test may have left agents whose
   * panel is dead: they are ended too.
   */
  async dispose(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    if (this.#program?.running) await this.#program.end("SIGTERM");
    if (process.env["SIGNALBOX_E2E_LOGS"]) process.stdout.write(this.#program?.output ?? "");
    for (const { pid } of this.leftovers()) process.kill(pid, "SIGKILL");
    await this.#parts.origin.close();
    await this.#parts.dropDatabase();
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
