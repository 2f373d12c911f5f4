// The second factor itself (rules access.totp): TOTP of RFC 6238 with six digits and steps of thirty seconds, and
// recovery codes. It uses no account and no database.
import { randomBytes } from "node:crypto";
import { generateURI, verifySync } from "otplib";
import { sha256Hex, type RandomSource } from "../../lib/ids.ts";

const STEP = 30;
/** 160 bits, as RFC 4226 recommends. */
const SEED_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 bits: too many to be tried against a stolen hash. */
const RECOVERY_BYTES = 10;
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** Base32 without padding, in lower case; the length of `bytes` is a multiple of five. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replace(/.{5}/g, (five) => BASE32.charAt(Number.parseInt(five, 2)));
}

/** A new seed: base32 without padding. */
export function newSeed(random: RandomSource = randomBytes): string {
  return base32(random(SEED_BYTES)).toUpperCase();
}

/** What an authenticator reads from a QR code. */
export function otpauthUri(seed: string, username: string): string {
  return generateURI({ issuer: "Signalbox", label: username, secret: seed });
}

/** Six digits as they were typed; undefined for anything else. Spaces do not count. */
function totpOf(typed: string): string | undefined {
  const digits = typed.replace(/\s/g, "");
  return /^\d{6}$/.test(digits) ? digits : undefined;
}

/**
 * The time step whose code was typed, at most one step off the clock's (`time`: Unix seconds); undefined where it is
 * none of those.
 */
export function matchingStep(seed: string, typed: string, time: number): number | undefined {
  const token = totpOf(typed);
  if (token === undefined) return undefined;
  const found = verifySync({ secret: seed, token, epoch: time, epochTolerance: STEP });
  return found.valid && "timeStep" in found ? found.timeStep : undefined;
}

/** Ten new recovery codes, four groups of four each. */
export function newRecoveryCodes(random: RandomSource = randomBytes): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    base32(random(RECOVERY_BYTES)).replace(/.{4}/g, "$&-").slice(0, -1),
  );
}

/**
 * The stored form of a recovery code as it was typed, without regard to case, dashes and spaces; undefined where it
 * cannot be one.
 */
export function recoveryHash(typed: string): string | undefined {
  const code = typed.toLowerCase().replace(/[\s-]/g, "");
  return /^[a-z2-7]{16}$/.test(code) ? sha256Hex(code) : undefined;
}
