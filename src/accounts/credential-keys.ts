// The credentials of an account by which others may not be known: what each is called, and the keyed hash under which it is entered.
import { createHmac } from "node:crypto";

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

/** The parts of `config` that say who connects, hashed: equal values of one kind have equal ids, and without the panel's key nobody can tell which value an id stands for. */
export class CredentialKeys {
  readonly #key: Uint8Array;

  constructor(secretKey: Uint8Array) {
    // A key of its own, so that what is learned of one use says nothing of another.
    this.#key = createHmac("sha256", secretKey).update("credentials of accounts").digest();
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

  /** 96 bits: among a million accounts two different values meet once in 10¹⁶ panels. */
  #idOf(kind: CredentialKind, value: string): string {
    return createHmac("sha256", this.#key).update(`${kind}\n${value}`).digest().subarray(0, 12).toString("base64url");
  }
}
