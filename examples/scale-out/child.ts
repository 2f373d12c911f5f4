// A program of the example: its output is watched for a line and shown under its name; it is ended with SIGTERM, at
// last with SIGKILL.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";

const END_MS = 10_000;

export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly running: boolean;
  /**
   * Resolves to the match of the first line that matches, from what is written from `from` characters on; rejects when
   * the program ends before.
   */
  says(line: RegExp, from?: number): Promise<RegExpExecArray>;
  /** Characters written so far. */
  readonly written: number;
  /** Resolves when it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a program. `show` is given its output, line by line. */
export function startChild(
  name: string,
  command: readonly [string, ...string[]],
  options: { readonly env?: Readonly<Record<string, string>>; readonly show: (text: string) => void },
): Child {
  const [program, ...parameters] = command;
  const child: ChildProcess = spawn(program, parameters, {
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let ended = false;
  const watchers = new Set<() => void>();
  const look = () => {
    for (const watcher of watchers) watcher();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      for (const line of text.trimEnd().split("\n")) options.show(`${name}: ${line}`);
      look();
    });
  }
  const gone = once(child, "close").then(
    () => {
      ended = true;
      look();
    },
    (error: unknown) => {
      output += String(error);
      ended = true;
      look();
    },
  );
  return {
    name,
    pid: child.pid ?? 0,
    get running() {
      return !ended;
    },
    get written() {
      return output.length;
    },
    says: (line, from = 0) =>
      new Promise((resolve, reject) => {
        const watcher = () => {
          const found = line.exec(output.slice(from));
          if (!found && !ended) return;
          watchers.delete(watcher);
          if (found) resolve(found);
          else reject(new Error(`${name} ended: ${output.slice(-2000)}`));
        };
        watchers.add(watcher);
        watcher();
      }),
    end: async (signal = "SIGTERM") => {
      if (ended) return;
      child.kill(signal);
      const late = setTimeout(() => child.kill("SIGKILL"), END_MS);
      await gone;
      clearTimeout(late);
    },
  };
}
