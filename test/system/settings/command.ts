// The `signalbox` command in a process of its own, on a panel's data.
import { execFile } from "node:child_process";
import { MAIN } from "../../program/index.ts";
import type { ListeningPanel } from "./panel.ts";

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs it to its end. */
export function signalbox(panel: Pick<ListeningPanel, "variables">, ...args: readonly string[]): Promise<Said> {
  const env = { ...process.env, ...panel.variables, SIGNALBOX_LOG_LEVEL: "silent" };
  return new Promise((resolveSaid, reject) => {
    const child = execFile(process.execPath, [MAIN, ...args], { env }, (error, out, err) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === "number") resolveSaid({ code, out, err });
      else reject(error ?? new Error("signalbox did not end"));
    });
    child.stdin?.end();
  });
}
