// The Xray program: which version is installed, whether it accepts a configuration, and parts of one in the form that
// the live interface takes.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../process/dialect.ts";
import { engineEnvironment, runProgram } from "../process/program.ts";
import { lastReason } from "../rays/last-reason.ts";

export const XRAY = "xray";

/** The installed version, such as `26.7.28`; undefined when Xray is not there. */
export async function installedVersion(): Promise<string | undefined> {
  try {
    const { text } = await runProgram(XRAY, ["version"], "");
    return /^Xray (\S+)/m.exec(text)?.[1];
  } catch {
    return undefined;
  }
}

/** Whether a version such as `26.7.28` is this one or later. */
export function isSince(version: string, since: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, wanted] of since.entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

/** What Xray has against a configuration, in one line; undefined when it takes it. */
export async function objection(config: Json): Promise<string | undefined> {
  const { code, text } = await runProgram(XRAY, ["run", "-test", "-c", "stdin:"], JSON.stringify(config));
  return code === 0 ? undefined : lastReason(text);
}

/**
 * A configuration as its protobuf bytes. It passes through a file that has lost its name before anything is written to
 * it: it holds secrets. Throws with the converter's reason.
 */
export async function convert(config: Json): Promise<Uint8Array> {
  const path = join(tmpdir(), `signalbox-${randomUUID()}`);
  const file = openSync(path, "wx+", 0o600);
  rmSync(path);
  try {
    const child = spawn(XRAY, ["convert", "pb", "-outpbfile", "/proc/self/fd/3", "stdin:"], {
      stdio: ["pipe", "pipe", "pipe", file],
      timeout: 60_000,
      env: engineEnvironment(),
    });
    const words: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => words.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => words.push(chunk));
    // A converter that ends early closes its input; its exit code says why.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(JSON.stringify(config));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", (error) =>
        reject(new Error(`${XRAY} could not be started: ${error.message}`, { cause: error })),
      );
      child.once("close", resolve);
    });
    if (code !== 0) throw new Error(lastReason(Buffer.concat(words).toString("utf8")));
    const bytes = Buffer.alloc(fstatSync(file).size);
    readSync(file, bytes, 0, bytes.length, 0);
    return bytes;
  } finally {
    closeSync(file);
  }
}
