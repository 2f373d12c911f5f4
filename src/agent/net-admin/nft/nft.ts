// Runs the `nft` program: whole transactions from its standard input, never through a shell.
import { spawn } from "node:child_process";

const TIMEOUT_MS = 20_000;
const REASON_LENGTH = 600;

/**
 * Carries out `script` as one transaction: all of it or nothing. Resolves to what nft printed.
 * Throws with nft's own words when the kernel or nft refuses it, or when nft cannot be started.
 */
export async function nft(script: string, args: readonly string[] = []): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("nft", [...args, "-f", "-"], {
      stdio: ["pipe", "pipe", "pipe"],
      timeout: TIMEOUT_MS,
      // The program is in a directory that an unprivileged user's PATH may not have.
      env: { PATH: `${process.env["PATH"] ?? "/usr/bin:/bin"}:/usr/sbin:/sbin`, LC_ALL: "C" },
    });
    const out: Buffer[] = [];
    const words: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => words.push(chunk));
    // A program that ends early closes its input; its exit code says why.
    child.stdin.on("error", () => undefined);
    child.stdin.end(script);
    child.once("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "ENOENT"
          ? "nft is not installed (package nftables)"
          : `nft could not be started: ${error.message}`;
      reject(new Error(reason, { cause: error }));
    });
    child.once("close", (code, signal) => {
      if (code === 0) return resolve(Buffer.concat(out).toString("utf8"));
      const said = reasonOf(Buffer.concat(words).toString("utf8"));
      reject(new Error(said === "" ? `nft ended with ${code ?? signal}` : `nft: ${said}`));
    });
  });
}

/** The complaints alone, in one line: nft also prints the lines it complains of, with marks below. */
function reasonOf(words: string): string {
  const lines = words.split("\n").filter((line) => line.trim() !== "");
  const complaints = lines.flatMap((line) => /(?:Error: |netlink: )(.*)$/.exec(line)?.[1] ?? []);
  const chosen = complaints.length > 0 ? [...new Set(complaints)] : lines.map((line) => line.trim());
  return chosen.join("; ").slice(0, REASON_LENGTH);
}
