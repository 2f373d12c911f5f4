// One process of the runtime to be killed: started ahead of its use, driven by lines, ended by SIGKILL alone.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FAULT_VARIABLE } from "../faults/kill.ts";
import type { Fault, Plan } from "../plan.ts";
import { Answer, type Command } from "./wire.ts";

const preload = fileURLToPath(new URL("../faults/preload.ts", import.meta.url));
const program = fileURLToPath(new URL("child.ts", import.meta.url));

export class Victim {
  readonly answers: Answer[] = [];
  readonly plan: Plan | undefined;
  readonly #log: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #ready: Promise<boolean>;
  readonly closed: Promise<unknown>;
  #complaints = "";
  #awaited = { count: 0, reached: () => {} };

  /** `log`: the file in which it names its fault point as its last act. */
  constructor(plan: Plan | undefined, log: string) {
    this.plan = plan;
    this.#log = log;
    const fault: Fault | undefined =
      plan?.by === "point" ? { point: plan.point, occurrence: plan.occurrence, log } : undefined;
    this.#child = spawn(process.execPath, ["--import", preload, program], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, ...(fault && { [FAULT_VARIABLE]: JSON.stringify(fault) }) },
    });
    this.closed = once(this.#child, "close");
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.on("data", (chunk: Buffer) => (this.#complaints += chunk.toString()));
    let ready = (_: boolean) => {};
    this.#ready = new Promise((resolve) => {
      ready = resolve;
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      const said: unknown = JSON.parse(line);
      if (typeof said === "object" && said !== null && "ready" in said) ready(true);
      else {
        this.answers.push(Answer.parse(said));
        if (this.answers.length >= this.#awaited.count) this.#awaited.reached();
      }
    });
    void this.closed.then(() => {
      ready(false);
      this.#awaited.reached();
    });
  }

  /** Opens the database and starts the runtime. Resolves to whether it came to take commands. */
  open(url: string, effects: string): Promise<boolean> {
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

  /** SIGKILL; resolves when everything that it said has been read, to where it died. Throws what it complained of. */
  async kill(): Promise<string> {
    this.#child.kill("SIGKILL");
    await this.closed;
    if (this.#complaints !== "") throw new Error(`the process complained: ${this.#complaints}`);
    if (this.plan?.by !== "point") return "moment";
    const last = readFileSync(this.#log, "utf8").trimEnd().split("\n").at(-1);
    return last === `${this.plan.point} ${this.plan.occurrence}` ? this.plan.point : "after the last command";
  }
}
