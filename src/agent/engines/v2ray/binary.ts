// The v2ray programs: which version is installed, whether they accept a configuration, and an inbound in the form that the live interface takes.
import { spawn } from "node:child_process";
import { inboundBytes } from "../process/grpc.ts";

export const V2RAY = "v2ray";
const CONVERTER = "v2ctl";

interface Outcome {
  readonly code: number;
  readonly stdout: Buffer;
  readonly text: string;
}

/** Runs a program to its end with `input` as its standard input. Rejects only when it cannot be started. */
async function run(program: string, args: readonly string[], input: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { stdio: ["pipe", "pipe", "pipe"], timeout: 60_000 });
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
    child.once("error", (error) => reject(new Error(`${program} could not be started: ${error.message}`, { cause: error })));
    child.once("close", (code) => resolve({ code: code ?? -1, stdout: Buffer.concat(out), text: Buffer.concat(all).toString("utf8") }));
  });
}

/** The installed version, such as `4.34.0`; undefined when v2ray is not there. */
export async function installedVersion(): Promise<string | undefined> {
  try {
    const { text } = await run(V2RAY, ["-version"], "");
    return /^V2Ray (\S+)/m.exec(text)?.[1];
  } catch {
    return undefined;
  }
}

/** What v2ray has against a configuration, in one line; undefined when it takes it. */
export async function objection(config: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  const { code, text } = await run(V2RAY, ["-test", "-config", "stdin:"], JSON.stringify(config));
  return code === 0 ? undefined : lastReason(text);
}

/** The innermost cause of a v2ray error, whose lines read `a > b > c`. */
export function lastReason(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  const line =
    lines.findLast((candidate) => /failed|error|panic/i.test(candidate)) ??
    lines.findLast((candidate) => candidate !== "") ??
    "no reason given";
  return (line.split(" > ").slice(-2).join(": ") || line).slice(0, 300);
}

/** An inbound of the JSON configuration as bytes for `EngineApi.addInbound`. Throws with the converter's reason. */
export async function convertInbound(inbound: Readonly<Record<string, unknown>>): Promise<Uint8Array> {
  const { code, stdout, text } = await run(CONVERTER, ["config", "stdin:"], JSON.stringify({ inbounds: [inbound] }));
  if (code !== 0) throw new Error(lastReason(text));
  return inboundBytes(stdout);
}
