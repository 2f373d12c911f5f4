// Secrets at rest: AES-256-GCM with a random nonce, bound to the table, column and row that hold the value (rules
// certificates.secret), so that a sealed text copied into another row does not open there.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { RandomSource } from "./ids.ts";

/** Where a sealed value lives. */
export interface SealContext {
  readonly table: string;
  readonly column: string;
  readonly id: string | number;
}

/** A sealed value that cannot be opened, or a key that is none. Never carries key or plaintext. */
export class SealError extends Error {
  override readonly name = "SealError";
}

declare const sealedText: unique symbol;
/** A text that `sealSecret` made. */
export type SealedText = string & { readonly [sealedText]: true };
/** What a column for sealed texts holds; empty: there is no secret. */
export type Sealed = SealedText | "";

const PREFIX = "s1.";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function boundTo(context: SealContext): Buffer {
  return Buffer.from(`${context.table}|${context.column}|${context.id}`, "utf8");
}

/**
 * `s1.` + base64url(nonce[12] ‖ ciphertext ‖ tag[16]). `key` is 32 bytes; `random` gives the nonce and must never
 * repeat one.
 */
export function sealSecret(
  key: Uint8Array,
  plain: string,
  context: SealContext,
  random: RandomSource = randomBytes,
): SealedText {
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(boundTo(context));
  const sealed = Buffer.concat([nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return (PREFIX + sealed.toString("base64url")) as SealedText;
}

/** The shortest sealed text: nonce and tag of an empty one. */
const SHORTEST = PREFIX.length + Math.ceil(((NONCE_BYTES + TAG_BYTES) * 4) / 3);

/** Whether a text looks like one that `sealSecret` made. Only a key says whether it is. */
export function isSealed(text: string): text is SealedText {
  return text.length >= SHORTEST && text.startsWith(PREFIX) && /^[\w-]+$/.test(text.slice(PREFIX.length));
}

/**
 * The plaintext of `sealSecret`. Throws SealError when the key is another, the text was altered, or it was sealed for
 * another place.
 */
export function openSecret(key: Uint8Array, sealed: string, context: SealContext): string {
  const place = `${context.table}.${context.column} of ${context.id}`;
  if (!sealed.startsWith(PREFIX)) throw new SealError(`${place} is not a sealed value`);
  const text = sealed.slice(PREFIX.length);
  const bytes = Buffer.from(text, "base64url");
  // Node decodes leniently; a value has exactly one spelling.
  if (bytes.toString("base64url") !== text) throw new SealError(`${place} is not base64url`);
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SealError(`${place} is too short for a sealed value`);
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(boundTo(context)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
    return Buffer.concat(plain).toString("utf8");
  } catch (cause) {
    throw new SealError(`${place} does not open: sealed under another key or for another row, or altered`, { cause });
  }
}

/**
 * The 32 bytes that `text` writes down: 64 hex digits, or base64 (either alphabet, padding optional). `source` names
 * where it came from.
 */
export function parseKey(text: string, source: string): Uint8Array {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return Buffer.from(trimmed, "hex");
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) {
    const bytes = Buffer.from(trimmed, "base64");
    if (bytes.length === KEY_BYTES) return bytes;
  }
  throw new SealError(`${source} must be 32 bytes, written as 64 hex digits or as base64`);
}

/** Where the key may be. `fromEnvironment` is the value of SIGNALBOX_SECRET_KEY, where it is set. */
export interface KeyPlace {
  readonly file: string;
  readonly fromEnvironment?: string | undefined;
}

/**
 * The panel's key: SIGNALBOX_SECRET_KEY when set, else the key file, kept at mode 0600; undefined where there is
 * neither. Throws SealError when either holds anything but a key.
 */
export function findKey(place: KeyPlace): Uint8Array | undefined {
  if (place.fromEnvironment !== undefined) return parseKey(place.fromEnvironment, "SIGNALBOX_SECRET_KEY");
  if (!existsSync(place.file)) return undefined;
  // A restored data directory may have lost the mode; only the owner may read the key.
  if ((statSync(place.file).mode & 0o077) !== 0) chmodSync(place.file, 0o600);
  return parseKey(readFileSync(place.file, "utf8"), `the key file ${place.file}`);
}

/** Makes the key file with a new key, unless there is one by now; resolves to the key that it holds. */
export function makeKey(place: KeyPlace, random: RandomSource = randomBytes): Uint8Array {
  createKeyFile(place.file, random);
  return parseKey(readFileSync(place.file, "utf8"), `the key file ${place.file}`);
}

/** Linking a finished file in makes it whole or absent, also when two processes start together or one is killed. */
function createKeyFile(file: string, random: RandomSource): void {
  const draft = `${file}.${Buffer.from(randomBytes(6)).toString("hex")}`;
  const handle = openSync(draft, "wx", 0o600);
  try {
    writeSync(handle, `${Buffer.from(random(KEY_BYTES)).toString("hex")}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    unlinkSync(draft);
  }
}
