// Processes of the benches: started with an order, answering with messages, ended by the bench. Each message is parsed
// where it arrives.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:net";
import { fileURLToPath } from "node:url";
import type { z } from "zod";

/** Clock ticks a second in /proc. */
const TICKS = 100;

/**
 * A program of `test/bench/` in a process of its own. It asks nothing of the bench; it answers each message with one.
 */
export class Child {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  /** `program` relative to `test/bench/`; `flags` are Node's, `env` is added to this process's own. */
  constructor(
    program: string,
    { flags = [], env = {} }: { flags?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
  ) {
    this.#child = fork(fileURLToPath(new URL(`../${program}`, import.meta.url)), [], {
      execArgv: [...flags],
      env: { ...process.env, ...env },
      serialization: "advanced",
    });
    this.#exited = once(this.#child, "exit");
  }

  /** Sends a message and resolves to the answer. Rejects when the process ends without one. */
  async ask<S extends z.ZodType>(message: unknown, answer: S): Promise<z.output<S>> {
    const ended = this.#exited.then((code) => {
      throw new Error(`a process of the bench ended: ${String(code)}`);
    });
    // The process ends at some time in any case; that is an error only for who still waits.
    ended.catch(() => {});
    const answered = once(this.#child, "message");
    this.#child.send(message as object);
    const [said] = (await Promise.race([answered, ended])) as [unknown];
    return answer.parse(said);
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error("the process was not started");
    return this.#child.pid;
  }

  /** Processor seconds used so far, all threads. */
  get cpuSeconds(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  }

  /**
   * Ends it and resolves when it is gone: at SIGTERM a child puts its things in order, SIGKILL leaves them as they are.
   */
  async end(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    this.#child.kill(signal);
    await this.#exited;
  }
}

/** In the child: answers every message by `handle`. What it throws ends the process. */
export function answerParent(handle: (message: unknown) => Promise<object>): void {
  process.on("message", (message: unknown) => {
    handle(message).then(
      (answer) => process.send?.(answer),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  // A bench that is interrupted takes its processes with it.
  process.on("disconnect", () => process.exit(1));
}

/** In the child: what is done before it ends by SIGTERM. */
export function beforeEnd(work: () => Promise<void>): void {
  process.once("SIGTERM", () => {
    work().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}

/** The port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server does not listen on a port");
  return address.port;
}
