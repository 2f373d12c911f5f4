// The trust file: the certificates that a panel's own must chain to.
import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { hasCode } from "./durable-file.ts";

export interface Trust {
  readonly pem: string;
  readonly certificates: readonly X509Certificate[];
  /** Differs when the file was written again. */
  readonly stamp: string;
}

const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** Throws a sentence naming the file when it is missing or holds no certificates. */
export function readTrust(path: string): Trust {
  let stamp: string;
  let pem: string;
  try {
    stamp = stampOf(path);
    pem = readFileSync(path, "utf8");
  } catch (error) {
    const reason = hasCode(error, "ENOENT")
      ? "does not exist"
      : hasCode(error, "EACCES")
        ? "may not be read by this user"
        : "cannot be read";
    throw new Error(`the trust file ${path} ${reason}; it is the panel's certificate (GET /api/nodes/install/trust)`, {
      cause: error,
    });
  }
  const blocks = pem.match(BLOCK) ?? [];
  if (blocks.length === 0) throw new Error(`the trust file ${path} holds no certificate (PEM)`);
  try {
    return { pem, stamp, certificates: blocks.map((block) => new X509Certificate(block)) };
  } catch (error) {
    throw new Error(`the trust file ${path} holds a certificate that cannot be read`, { cause: error });
  }
}

/** Throws when the file is not there. */
export function stampOf(path: string): string {
  const { ino, size, mtimeMs } = statSync(path);
  return `${ino} ${size} ${mtimeMs}`;
}

/**
 * What the clock has against the certificates: a machine whose clock is wrong refuses its own panel. `now` in
 * milliseconds.
 */
export function clockProblems({ certificates }: Trust, now: number): string[] {
  const clock = new Date(now).toISOString();
  return certificates.flatMap(({ subject, validFrom, validTo }) => {
    const name = subject.replaceAll("\n", ", ");
    if (now < Date.parse(validFrom))
      return [
        `this machine's clock says ${clock}, which is before the panel's certificate (${name}) is valid, ${validFrom}: set the clock`,
      ];
    if (now > Date.parse(validTo))
      return [
        `the panel's certificate (${name}) ended ${validTo} by this machine's clock, ${clock}: set the clock, or fetch the panel's new one`,
      ];
    return [];
  });
}
