// Real processes on a shared database, from the outside: started, driven, paused, killed, and what they said.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Said, type Order, type Settings } from "./process-child.ts";

const program = fileURLToPath(new URL("process-child.ts", import.meta.url));

export class ChildProcess {
  /** All that it said, with when (`performance.now`). */
  readonly said: (Said & { readonly at: number })[] = [];
  boot = "";
  complaints = "";
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #closed: Promise<unknown>;
  #heard: (() => void)[] = [];

  private constructor(settings: Settings) {
    this.#child = spawn(process.execPath, [program, JSON.stringify(settings)], { stdio: ["pipe", "pipe", "pipe"] });
    this.#closed = once(this.#child, "close");
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.on("data", (chunk: Buffer) => (this.complaints += chunk.toString()));
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      this.said.push({ ...Said.parse(JSON.parse(line)), at: performance.now() });
      this.#wake();
    });
    void this.#closed.then(() => this.#wake());
  }

  /** Resolves when it takes commands. */
  static async start(settings: Settings): Promise<ChildProcess> {
    const child = new ChildProcess(settings);
    const ready = await child.#saying("ready", 0);
    if (ready.what === "ready") child.boot = ready.boot;
    return child;
  }

  /** Carries out an order; resolves to how many of its commands failed. */
  async drive(order: Order): Promise<number> {
    const from = this.said.length;
    this.#child.stdin.write(`${JSON.stringify(order)}\n`);
    const done = await this.#saying("done", from);
    return done.what === "done" ? done.failed : order.count;
  }

  signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
    this.#child.kill(name);
  }

  /** Residents that run there as far as it said, by actor: their tokens. */
  get lines(): Map<number, number> {
    const running = new Map<number, number>();
    for (const each of this.said) {
      if (each.what === "begin") running.set(each.id, each.fence);
      else if (each.what === "end" && running.get(each.id) === each.fence) running.delete(each.id);
    }
    return running;
  }

  /** Ends it cleanly where it still runs. */
  async stop(): Promise<void> {
    this.#child.kill("SIGCONT");
    this.#child.stdin.end();
    await this.#closed;
  }

  async #saying(what: Said["what"], from: number): Promise<Said> {
    for (;;) {
      const found = this.said.slice(from).find((each) => each.what === what);
      if (found) return found;
      if (this.#child.exitCode !== null || this.#child.signalCode !== null)
        throw new Error(`the process ended: ${this.complaints}`);
      await new Promise<void>((resolve) => this.#heard.push(resolve));
    }
  }

  #wake(): void {
    const heard = this.#heard;
    this.#heard = [];
    for (const resolve of heard) resolve();
  }
}
