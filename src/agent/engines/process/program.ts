// Runs a program of an engine to its end: to ask for its version, to have a configuration checked or converted.
import { spawn } from "node:child_process";

export interface Outcome {
  readonly code: number;
  readonly stdout: Buffer;
  /** Standard output and error together, in the order they came. */
  readonly text: string;
}

const KEPT = ["PATH", "HOME", "TZ", "LANG", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/** What an engine gets to see of the agent's environment: nothing that could be a secret. */
export function engineEnvironment(): Record<string, string> {
  return Object.fromEntries(
    KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** Runs a program to its end with `input` as its standard input. Rejects only when it cannot be started. */
export async function runProgram(
  program: string,
  args: readonly string[],
  input: string | Uint8Array,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      stdio: ["pipe", "pipe", "pipe"],
      timeout: 60_000,
      env: engineEnvironment(),
    });
    const out: Buffer[] = [];
    const all: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => {
      out.push(chunk);
      all.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => all.push(chunk));
    // A program that ends early closes its input; its exit code says why.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.once("error", (error) =>
      reject(new Error(`${program} could not be started: ${error.message}`, { cause: error })),
    );
    child.once("close", (code) =>
      resolve({ code: code ?? -1, stdout: Buffer.concat(out), text: Buffer.concat(all).toString("utf8") }),
    );
  });
}
