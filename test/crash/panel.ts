// The real panel as a process to be killed: loaded ahead of its use, sent off with its plan, ended by SIGKILL alone.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { ROOT } from "../e2e/processes.ts";
import { MAIN, SERVE } from "../program/index.ts";
import { HOLD_VARIABLE } from "./faults/kill.ts";
import type { Fault, Plan } from "./plan.ts";

const PRELOAD = fileURLToPath(new URL("faults/preload.ts", import.meta.url));
const LISTENS = /Signalbox listens on/;
const WARNING_LEVEL = 40;
const ERROR_LEVEL = 50;
const LogEntry = z.object({ level: z.number(), msg: z.string(), err: z.object({ message: z.string() }).optional() });

/** A line of the log; undefined for what was said besides, and for one that the kill cut off. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export interface PanelOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly plan: Plan;
  /** The file in which it names its fault point as its last act. */
  readonly log: string;
}

export class PanelProcess {
  readonly plan: Plan;
  /** Resolves when it is gone and all that it said was read. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #log: string;
  readonly #listening: Promise<boolean>;
  #output = "";
  #running = true;
  #killed = false;

  /** Starts a process that loads the panel's modules and waits. */
  constructor({ environment, plan, log }: PanelOptions) {
    this.plan = plan;
    this.#log = log;
    const [command, ...prefix] = plan.by === "syscall" ? straced(plan) : [process.execPath];
    this.#child = spawn(command ?? "", [...prefix, "--import", PRELOAD, MAIN, "serve"], {
      cwd: ROOT,
      env: {
        ...process.env,
        ...environment,
        [HOLD_VARIABLE]: SERVE,
        NODE_COMPILE_CACHE: join(tmpdir(), "signalbox-compile-cache"),
      },
    });
    this.#child.stdin.on("error", () => undefined);
    this.ended = once(this.#child, "close").then(() => {
      this.#running = false;
    });
    this.#listening = new Promise((resolve) => {
      for (const stream of [this.#child.stdout, this.#child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          this.#output += text;
          if (LISTENS.test(this.#output)) resolve(true);
        });
      }
      void this.ended.then(() => resolve(false));
    });
  }

  get running(): boolean {
    return this.#running;
  }

  /** Lets it begin. Resolves to whether it came to listen. */
  go(): Promise<boolean> {
    const { plan } = this;
    const fault: Fault | undefined =
      plan.by === "point" ? { point: plan.point, occurrence: plan.occurrence, log: this.#log } : undefined;
    this.#child.stdin.end(`${fault ? JSON.stringify(fault) : ""}\n`);
    return this.#listening;
  }

  /** SIGKILL; resolves when it is gone. */
  async kill(): Promise<void> {
    if (this.#running) {
      this.#killed = true;
      this.#signal("SIGKILL");
    }
    await this.ended;
  }

  /** SIGTERM, as by a service manager; rejects when it does not end well. */
  async stop(): Promise<void> {
    if (this.#running) this.#signal("SIGTERM");
    await this.ended;
    if (this.#child.exitCode !== 0)
      throw new Error(`the panel ended with ${this.#child.exitCode ?? this.#child.signalCode}:\n${this.#tail()}`);
  }

  /**
   * What it did not survive, as it names it itself; undefined when the parent killed it. Throws when it ended in
   * another way.
   */
  diedAt(): string | undefined {
    if (this.#child.signalCode !== "SIGKILL")
      throw new Error(`the panel ended by itself (${this.#child.exitCode}):\n${this.#tail()}`);
    if (this.plan.by === "syscall") return this.#killed ? undefined : this.plan.syscalls;
    if (this.plan.by === "moment") return undefined;
    const last = readFileSync(this.#log, "utf8").trimEnd().split("\n").at(-1) ?? "";
    return last === `${this.plan.point} ${this.plan.occurrence}` ? this.plan.point : undefined;
  }

  /** What it logged, by severity: a panel that is only killed has no errors, and few warnings. */
  logged(): { readonly errors: string[]; readonly warnings: string[] } {
    const entries = this.#output.split("\n").flatMap((line) => LogEntry.safeParse(parsed(line)).data ?? []);
    const text = ({ msg, err }: z.output<typeof LogEntry>) => (err ? `${msg}: ${err.message}` : msg);
    const [errors, others] = [
      entries.filter(({ level }) => level >= ERROR_LEVEL),
      entries.filter(({ level }) => level < ERROR_LEVEL),
    ];
    return { errors: errors.map(text), warnings: others.filter(({ level }) => level >= WARNING_LEVEL).map(text) };
  }

  #tail(): string {
    return this.#output.slice(-3000);
  }

  /** Under strace the child is strace: the panel is its child. */
  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    const target = this.plan.by === "syscall" ? tracedBy(pid) : pid;
    if (target !== undefined) process.kill(target, signal);
  }
}

/**
 * Ends the panel with SIGKILL as it enters a system call, counted for each of its threads. (strace's own filter by
 * seccomp would be quicker; with it nothing is injected.)
 */
function straced({ syscalls, occurrence }: Extract<Plan, { by: "syscall" }>): string[] {
  const inject = `inject=${syscalls}:signal=KILL:when=${occurrence}`;
  return ["strace", "-f", "-qq", "-o", "/dev/null", "-e", `trace=${syscalls}`, "-e", inject, process.execPath];
}

function tracedBy(pid: number): number | undefined {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    return first === undefined || first === "" ? undefined : Number(first);
  } catch {
    // It has just ended by itself.
    return undefined;
  }
}
