// Where records are read and changed: in the running panel, or in its database. A source is read again and again while
// somebody watches, and outlasts restarts of the panel.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { askPanel } from "../panel/control-call.ts";
import { readEnvironment, type Environment } from "../panel/environment.ts";
import type { Offline } from "./offline.ts";

/** A panel that starts holds its directory before it answers. */
const STARTING_TRIES = 20;
const STARTING_MS = 250;

export interface Source {
  /** Answers of GETs, each below `/api/v1`. */
  read(targets: readonly string[]): Promise<unknown[]>;
  /** Carries out a change below `/api/v1` and resolves to its answer. */
  write(method: string, target: string, body?: object): Promise<unknown>;
  /** A note about the source of the data; undefined if it comes from a running panel. */
  readonly note: string | undefined;
  close(): Promise<void>;
}

/** The source that the environment names. Throws a sentence when there is no database. */
export async function openSource(): Promise<Source> {
  const environment = readEnvironment(process.env);
  const { databaseUrl } = environment;
  if (!databaseUrl.startsWith("sqlite:")) return new SharedSource(await open(environment));
  const file = databaseUrl.slice("sqlite:".length);
  if (!existsSync(file))
    throw new Error(`there is no database ${file}: name the panel's directory in SIGNALBOX_DATA_DIR`);
  return new OwnSource(environment);
}

/**
 * Database modules are loaded only if the database is read: with a running panel an answer takes a fraction of a
 * second.
 */
async function open(environment: Environment): Promise<Offline> {
  const { openOffline } = await import("./offline.ts");
  return openOffline(environment);
}

/** The values of a call that changes something. */
function changeOf(method: string, target: string, body?: object): Readonly<Record<string, string>> {
  return { method, target, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}

async function writeOnce({ deps }: Offline, values: Readonly<Record<string, string>>): Promise<unknown> {
  const { runCommand } = await import("../panel/panel.cli.ts");
  return runCommand(deps, "write", values);
}

async function readAll({ deps }: Offline, targets: readonly string[]): Promise<unknown[]> {
  const { runCommand } = await import("../panel/panel.cli.ts");
  return Promise.all(targets.map((target) => runCommand(deps, "read", { target })));
}

/** A database that running panels share. */
class SharedSource implements Source {
  readonly note = undefined;
  readonly #offline: Offline;

  constructor(offline: Offline) {
    this.#offline = offline;
  }

  read(targets: readonly string[]): Promise<unknown[]> {
    return readAll(this.#offline, targets);
  }

  write(method: string, target: string, body?: object): Promise<unknown> {
    return writeOnce(this.#offline, changeOf(method, target, body));
  }

  close(): Promise<void> {
    return this.#offline.close();
  }
}

/**
 * A database of one panel: it is asked, and where none runs the database is read once, since nobody changes it then.
 * The directory is free again in between, so that a panel can start.
 */
class OwnSource implements Source {
  readonly #environment: Environment;
  #resting: { readonly key: string; readonly answers: unknown[] } | undefined;
  note: string | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  read(targets: readonly string[]): Promise<unknown[]> {
    return this.#until(async () => (await this.#ask(targets)) ?? (await this.#rest(targets)));
  }

  async write(method: string, target: string, body?: object): Promise<unknown> {
    const values = changeOf(method, target, body);
    const path = join(this.#environment.dataDirectory, "control.sock");
    this.#resting = undefined;
    const { answer } = await this.#until(async () => {
      try {
        return { answer: await askPanel(path, "write", values) };
      } catch (error) {
        if (isCode(error, BROKEN))
          throw new Error("the panel ended while it was asked: look whether the change was made", { cause: error });
        if (!isCode(error, NOBODY)) throw error;
      }
      return this.#alone(async (offline) => ({ answer: await writeOnce(offline, values) }));
    });
    return answer;
  }

  /** Tries again while a panel holds the directory and does not answer yet. */
  async #until<T>(attempt: () => Promise<T | undefined>): Promise<T> {
    for (let tries = 1; ; tries++) {
      const done = await attempt();
      if (done !== undefined) return done;
      if (tries === STARTING_TRIES)
        throw new Error(`the panel in ${this.#environment.dataDirectory} does not answer: it starts, or ends`);
      await pause(STARTING_MS);
    }
  }

  async #ask(targets: readonly string[]): Promise<unknown[] | undefined> {
    const path = join(this.#environment.dataDirectory, "control.sock");
    try {
      const answers = await Promise.all(targets.map((target) => askPanel(path, "read", { target })));
      this.#resting = undefined;
      this.note = undefined;
      return answers;
    } catch (error) {
      if (isCode(error, [...NOBODY, ...BROKEN])) return undefined;
      throw error;
    }
  }

  async #rest(targets: readonly string[]): Promise<unknown[] | undefined> {
    const key = targets.join("\n");
    if (this.#resting?.key === key) return this.#resting.answers;
    return this.#alone(async (offline) => {
      const answers = await readAll(offline, targets);
      this.#resting = { key, answers };
      this.note = "no panel runs: this is what its database holds";
      return answers;
    });
  }

  /** Works on the database while no panel does; undefined when somebody else holds the directory. */
  async #alone<T>(work: (offline: Offline) => Promise<T>): Promise<T | undefined> {
    const { DataDirectoryTaken, takeDirectoryLock } = await import("../db/index.ts");
    let release: () => void;
    try {
      release = takeDirectoryLock(join(this.#environment.dataDirectory, "panel.lock"));
    } catch (error) {
      if (error instanceof DataDirectoryTaken) return undefined;
      throw error;
    }
    try {
      const offline = await open(this.#environment);
      try {
        return await work(offline);
      } finally {
        await offline.close();
      }
    } finally {
      release();
    }
  }

  async close(): Promise<void> {}
}

/** No process listens on the control socket: nothing was asked. */
const NOBODY = ["ENOENT", "ECONNREFUSED"];
/** It ended during the request. */
const BROKEN = ["ECONNRESET", "EPIPE"];

function isCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
