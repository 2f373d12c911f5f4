// Passwords of operators: argon2id (memory 19 MiB, 2 passes, parallelism 1; rule access.login.7) in the PHC text form.
import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import type { RandomSource } from "./ids.ts";

const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

interface Parameters {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/**
 * One derivation on the thread pool. The text is brought to NFKC first, so that one password typed on two keyboards is
 * one password.
 */
function derive(plain: string, salt: Uint8Array, length: number, cost: Parameters): Promise<Buffer> {
  const options = { message: plain.normalize("NFKC"), nonce: salt, tagLength: length, ...cost };
  return new Promise((resolve, reject) => {
    argon2("argon2id", options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}

/** `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. Takes some 60 ms of one core and 19 MiB. */
export async function hashPassword(plain: string, random: RandomSource = randomBytes): Promise<string> {
  const salt = random(SALT_BYTES);
  const hash = await derive(plain, salt, HASH_BYTES, { memory: MEMORY_KIB, passes: PASSES, parallelism: PARALLELISM });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** A hash that has the form and the cost of a stored password, and is nobody's. */
export const DECOY_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${"A".repeat(22)}$${"A".repeat(43)}`;

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,88})\$([A-Za-z0-9+/]{16,88})$/;

/**
 * Whether `plain` is the password behind `stored`; compared in constant time. Throws when `stored` is not of the form
 * that `hashPassword` writes.
 */
export async function verifyPassword(stored: string, plain: string): Promise<boolean> {
  const match = PHC.exec(stored);
  if (!match) throw new Error("stored password hash: not an argon2id PHC text");
  const [, memory = "", passes = "", parallelism = "", salt = "", hash = ""] = match;
  const expected = Buffer.from(hash, "base64");
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const actual = await derive(plain, Buffer.from(salt, "base64"), expected.length, cost);
  return timingSafeEqual(actual, expected);
}
