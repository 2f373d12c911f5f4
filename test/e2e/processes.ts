// Programs as the tests run them: started, read line by line, ended, and searched for leftovers.
import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MAIN } from "../program/index.ts";

/** The checkout. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** `signalbox …` */
export const SIGNALBOX: readonly string[] = [MAIN];

export interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Besides that of the tests; what is undefined here is taken out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  /** The checkout, unless it says otherwise. */
  readonly cwd?: string | undefined;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class Program {
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #watchers = new Set<() => void>();
  #text = "";
  #ended = false;

  constructor({ command, args, env = {}, stdin, cwd = ROOT }: ProgramOptions) {
    this.#name = [command, ...args].join(" ");
    const child = spawn(command, [...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#text += text;
        for (const look of this.#watchers) look();
      });
    }
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin);
    this.exited = new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => {
        this.#ended = true;
        resolve({ code, signal });
        for (const look of this.#watchers) look();
      });
    });
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error(`${this.#name} was not started`);
    return this.#child.pid;
  }

  get running(): boolean {
    return !this.#ended;
  }

  /** Everything it wrote so far, both streams. */
  get output(): string {
    return this.#text;
  }

  /** The first match in what it writes from character `from` on. Rejects when it ends without one. */
  says(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(this.#text.slice(from));
        if (!match && !this.#ended) return;
        this.#watchers.delete(look);
        if (match) resolve(match);
        else reject(new Error(`${this.#name} ended without saying ${pattern}:\n${this.#text.slice(-2000)}`));
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Sends a signal and resolves when the process is gone. */
  async end(signal: NodeJS.Signals): Promise<Exit> {
    this.#child.kill(signal);
    return this.exited;
  }
}

/** Processes whose command line or directory names a path: what a data directory left behind. */
export function processesOf(path: string): { pid: number; command: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const command = readProc(name, "cmdline").replaceAll("\0", " ");
      return command.includes(path) || readProc(name, "environ").includes(`SIGNALBOX_ENGINE_DIRECTORY=${path}`)
        ? [{ pid: Number(name), command }]
        : [];
    });
}

/** Empty for a process that is gone, a zombie or another's. */
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
