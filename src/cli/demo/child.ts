// A `signalbox` command as a child of the demo: its announcements are awaited, its logs go to a file, its end is a
// sentence.
import { spawn, type ChildProcess } from "node:child_process";
import { createWriteStream, type WriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { recordProcess } from "./directory.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

/** Variables that do not say where data is. */
const KEPT: readonly string[] = ["SIGNALBOX_LOG_LEVEL", "SIGNALBOX_WEB"];

export interface ChildOptions {
  /** `panel` or `simulate`: name of the log and pid files. */
  readonly name: string;
  readonly directory: string;
  readonly argv: readonly string[];
  /**
   * Added to the demo's own environment without its `SIGNALBOX_` variables: a demo must not reach the operator's
   * database.
   */
  readonly env: Readonly<Record<string, string>>;
}

export class Child {
  /** Resolves when the process has ended, to a sentence that says how. Never rejects. */
  readonly ended: Promise<string>;
  readonly #process: ChildProcess;
  readonly #listeners = new Set<(line: string) => void>();
  #lastError = "";

  constructor({ name, directory, argv, env }: ChildOptions) {
    const log = createWriteStream(join(directory, `${name}.log`), { flags: "a", mode: 0o600 });
    // In a process group of its own: Ctrl-C in the terminal reaches the demo alone, which ends its children in order.
    this.#process = spawn(process.execPath, [MAIN, ...argv], {
      env: { ...inherited(process.env), ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const { promise, resolve } = Promise.withResolvers<string>();
    this.ended = promise;
    this.#process.on("error", (error) => resolve(`${name} could not be started: ${error.message}`));
    this.#process.on("close", (code, signal) => {
      log.end();
      resolve(`${name} ended (${signal ?? `code ${code}`})${this.#lastError === "" ? "" : `: ${this.#lastError}`}`);
    });
    if (this.#process.pid !== undefined) recordProcess(directory, name, this.#process.pid);
    this.#follow(this.#process.stdout, log, (line) => {
      for (const listener of this.#listeners) listener(line);
    });
    this.#follow(this.#process.stderr, log, (line) => {
      this.#lastError = line.replace(/^signalbox: /, "");
    });
  }

  /** The first match in a line of standard output from now on. Rejects with the signal's reason. */
  async said(pattern: RegExp, signal: AbortSignal): Promise<RegExpExecArray> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    const listener = (line: string) => {
      const match = pattern.exec(line);
      if (match) resolve(match);
    };
    const onAbort = () => reject(signal.reason);
    this.#listeners.add(listener);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await promise;
    } finally {
      this.#listeners.delete(listener);
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Asks for a clean stop. */
  stop(): void {
    this.#process.kill("SIGTERM");
  }

  kill(): void {
    this.#process.kill("SIGKILL");
  }

  #follow(stream: NodeJS.ReadableStream | null, log: WriteStream, onLine: (line: string) => void): void {
    if (!stream) return;
    createInterface({ input: stream }).on("line", (line) => {
      log.write(`${line}\n`);
      onLine(line);
    });
  }
}

function inherited(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("SIGNALBOX_") || KEPT.includes(name)),
  );
}
