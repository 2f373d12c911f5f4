// One process to be killed: started ahead of its use, driven by lines, ended by SIGKILL alone.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Answer, type Command } from "./wire.ts";

const program = fileURLToPath(new URL("child.ts", import.meta.url));

export class Victim {
  readonly answers: Answer[] = [];
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #ready: Promise<void>;
  readonly #closed: Promise<unknown>;
  #complaints = "";
  #awaited = { count: 0, reached: () => {} };

  constructor() {
    this.#child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "pipe"] });
    this.#closed = once(this.#child, "close");
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.on("data", (chunk: Buffer) => (this.#complaints += chunk.toString()));
    let ready = () => {};
    let failed = (_: Error) => {};
    this.#ready = new Promise((resolve, reject) => {
      ready = resolve;
      failed = reject;
    });
    this.#ready.catch(() => {});
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      const said: unknown = JSON.parse(line);
      if (typeof said === "object" && said !== null && "ready" in said) ready();
      else {
        this.answers.push(Answer.parse(said));
        if (this.answers.length >= this.#awaited.count) this.#awaited.reached();
      }
    });
    void this.#closed.then(() => {
      failed(new Error(`the process ended before it was ready: ${this.#complaints}`));
      this.#awaited.reached();
    });
  }

  /** Opens the database and starts the runtime. Resolves when it takes commands. */
  open(url: string, effects: string): Promise<void> {
    this.#child.stdin.write(`${JSON.stringify({ url, effects })}\n`);
    return this.#ready;
  }

  /** Resolves when it has given so many answers, or has ended. */
  answered(count: number): Promise<void> {
    if (this.answers.length >= count) return Promise.resolve();
    return new Promise((reached) => (this.#awaited = { count, reached }));
  }

  send(commands: readonly Command[]): void {
    this.#child.stdin.write(commands.map((command) => `${JSON.stringify(command)}\n`).join(""));
  }

  /** SIGKILL; resolves when everything that it said has been read. Throws what it complained of. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
    if (this.#complaints !== "") throw new Error(`the process complained: ${this.#complaints}`);
  }
}
