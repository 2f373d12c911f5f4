// The credentials of an account by which others may not be known: what each is called, and the keyed hash under which
// it is entered.
import { createHmac, hash } from "node:crypto";

/** Of SHA-256, in bytes. */
const BLOCK = 64;

const KINDS = ["uuid", "password", "ss16", "ss32"] as const;
export type CredentialKind = (typeof KINDS)[number];

export interface Credential {
  /** On the wire: `config.uuid`. */
  readonly field: string;
  readonly kind: CredentialKind;
  /** As engines compare it. */
  readonly value: string;
  /** Key of its row. */
  readonly id: string;
}

/**
 * The parts of `config` that say who connects, hashed: equal values of one kind have equal ids, and without the panel's
 * key nobody can tell which value an id stands for.
 */
export class CredentialKeys {
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  constructor(secretKey: Uint8Array) {
    // A separate key, so that a leak in one use reveals nothing about another.
    const key = createHmac("sha256", secretKey).update("credentials of accounts").digest();
    const block = Buffer.concat([key, Buffer.alloc(BLOCK - key.length)]);
    this.#inner = Buffer.from(block.map((byte) => byte ^ 0x36));
    this.#outer = Buffer.from(block.map((byte) => byte ^ 0x5c));
  }

  /** Empty and absent parts are nobody's. */
  of(config: Readonly<Record<string, unknown>> | undefined): Credential[] {
    return KINDS.flatMap((kind) => {
      const given = config?.[kind];
      if (typeof given !== "string" || given === "") return [];
      const value = kind === "uuid" ? given.toLowerCase() : given;
      return [{ field: `config.${kind}`, kind, value, id: this.#idOf(kind, value) }];
    });
  }

  /**
   * HMAC-SHA-256 by its definition: two hashes at one call each cost a tenth of what an object of `createHmac` does,
   * and every new account asks for four. 96 bits of it: among a million accounts two different values meet once in 10¹⁶
   * panels.
   */
  #idOf(kind: CredentialKind, value: string): string {
    const inner = hash("sha256", Buffer.concat([this.#inner, Buffer.from(`${kind}\n${value}`)]), "buffer");
    return hash("sha256", Buffer.concat([this.#outer, inner]), "buffer")
      .subarray(0, 12)
      .toString("base64url");
  }
}
