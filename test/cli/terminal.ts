// The `signalbox` command in a process of its own: in a pipe, and on a terminal (a pseudo-terminal of `script`).
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { MAIN } from "../program/index.ts";
import { hasPrograms } from "../programs.ts";

/** Whether `onTerminal` works here. */
export const hasTerminal = hasPrograms("commands on a terminal", "script", "stty");

/** Where a panel keeps its data. */
export interface Place {
  readonly directory: string;
  readonly databaseUrl: string;
  /** Where it serves; absent: nobody does. */
  readonly url?: string;
}

export interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A command under way. */
export class Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Said>;
  out = "";
  err = "";

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    child.stdout.on("data", (chunk: Buffer) => (this.out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (this.err += chunk.toString()));
    this.ended = new Promise((done, failed) => {
      child.on("error", failed);
      child.on("close", (code) => done({ code, out: this.out, err: this.err }));
    });
  }
}

function variables(panel: Place): NodeJS.ProcessEnv {
  // The person who runs the tests may have their own colour settings.
  const { NO_COLOR: _without, FORCE_COLOR: _with, CI: _unattended, ...environment } = process.env;
  return {
    ...environment,
    SIGNALBOX_DATA_DIR: panel.directory,
    SIGNALBOX_DATABASE_URL: panel.databaseUrl,
    // Where a command reads the database itself, links have the panel's port.
    SIGNALBOX_LISTEN: panel.url === undefined ? "127.0.0.1:0" : new URL(panel.url).host,
    TZ: "Asia/Tehran",
  };
}

/** Begins a command whose output goes into a pipe. */
export function inPipe(panel: Place, ...args: readonly string[]): Running {
  return new Running(spawn(process.execPath, [MAIN, ...args], { env: variables(panel) }));
}

/**
 * Begins a command on a terminal of so many columns and 30 rows. `out` is what the terminal is sent; the code is the
 * command's.
 */
export function onTerminal(
  panel: Place,
  columns: number,
  more: NodeJS.ProcessEnv,
  ...args: readonly string[]
): Running {
  const quoted = [process.execPath, MAIN, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const command = `stty cols ${columns} rows 30; exec ${quoted}`;
  const env = { ...variables(panel), TERM: "xterm-256color", ...more };
  return new Running(spawn("script", ["--quiet", "--return", "--flush", "--command", command, "/dev/null"], { env }));
}

/** Runs it in a pipe to its end. */
export function signalbox(panel: Place, ...args: readonly string[]): Promise<Said> {
  return inPipe(panel, ...args).ended;
}
