// X25519 key pairs as engines write them: REALITY in base64url without padding, WireGuard in base64.
import { createPrivateKey, createPublicKey, randomBytes } from "node:crypto";
import type { RandomSource } from "../lib/ids.ts";

/** Before the 32 bytes of an X25519 private key in PKCS #8. */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b656e04220420", "hex");

export interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

function keyPair(encoding: "base64" | "base64url", random: RandomSource): KeyPair {
  const secret = Buffer.from(random(32));
  // Clamped as RFC 7748 requires: engines print keys in this form and some compare them as text.
  secret.writeUInt8(secret.readUInt8(0) & 248, 0);
  secret.writeUInt8((secret.readUInt8(31) & 127) | 64, 31);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, secret]), format: "der", type: "pkcs8" });
  const der = createPublicKey(key).export({ format: "der", type: "spki" });
  return { privateKey: secret.toString(encoding), publicKey: der.subarray(-32).toString(encoding) };
}

/** A REALITY key pair with a short id of 8 bytes in hex. */
export function realityKeyPair(random: RandomSource = randomBytes): KeyPair & { readonly shortId: string } {
  return { ...keyPair("base64url", random), shortId: Buffer.from(random(8)).toString("hex") };
}

export function wireguardKeyPair(random: RandomSource = randomBytes): KeyPair {
  return keyPair("base64", random);
}
