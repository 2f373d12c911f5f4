// The credentials of an account by which others may not be known: what each is called, and the keyed hash under which
// it is entered.
import { createHmac, hash } from "node:crypto";
import { OWN_PROTOCOLS, storedOwn, type OwnCredentials, type OwnProtocol } from "../../lib/own-credentials.ts";

/** Block and digest of SHA-256, in bytes. */
const BLOCK = 64;
const DIGEST = 32;
/** 96 bits. */
const ID_LETTERS = 16;

const KINDS = ["uuid", "password", "ss16", "ss32"] as const;
type Kind = (typeof KINDS)[number];
/** A kind of credential: for all protocols, or for one alone. */
export type CredentialKind = Kind | `${OwnProtocol}.uuid` | `${OwnProtocol}.password`;

/** Protocols that a common credential of a kind is shown to. */
const SHOWN_TO: Readonly<Record<Kind, readonly OwnProtocol[]>> = {
  uuid: ["vless", "vmess", "tuic", "socks", "http"],
  password: ["tuic", "trojan", "hysteria2", "anytls", "socks", "http", "shadowsocks"],
  ss16: ["shadowsocks"],
  ss32: ["shadowsocks"],
};

export interface Credential {
  /** On the wire: `config.uuid`. */
  readonly field: string;
  readonly kind: CredentialKind;
  /** As engines compare it. */
  readonly value: string;
  /** Key of its row. */
  readonly id: string;
  /** Keys of the rows of others that would be the same on some protocol: one's common and another's own. */
  readonly rivals: () => readonly string[];
}

/** The rows of which another account may have none: a credential's own, and its rivals'. */
export const namesOf = ({ id, rivals }: Credential): readonly string[] => [id, ...rivals()];

/**
 * The parts of `config` that say who connects, hashed: equal values of one kind have equal ids, and without the panel's
 * key nobody can tell which value an id stands for.
 */
export class CredentialKeys {
  readonly #inner: Buffer;
  /** The key's block, and room for the digest that is hashed with it. */
  readonly #outer: Buffer;

  constructor(secretKey: Uint8Array) {
    // A separate key, so that a leak in one use reveals nothing about another.
    const key = createHmac("sha256", secretKey).update("credentials of accounts").digest();
    const block = Buffer.concat([key, Buffer.alloc(BLOCK - key.length)]);
    this.#inner = Buffer.from(block.map((byte) => byte ^ 0x36));
    this.#outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(DIGEST)]);
  }

  /** Empty and absent parts are nobody's. */
  of(config: Readonly<Record<string, unknown>> | undefined): Credential[] {
    const common = KINDS.flatMap((kind): Credential[] => {
      const given = config?.[kind];
      if (typeof given !== "string" || given === "") return [];
      const value = kind === "uuid" ? given.toLowerCase() : given;
      const part = kind === "uuid" ? "uuid" : "password";
      const rivals = () => SHOWN_TO[kind].map((protocol) => this.#idOf(`${protocol}.${part}`, value));
      return [{ field: `config.${kind}`, kind, value, id: this.#idOf(kind, value), rivals }];
    });
    const by = config?.["by"];
    return by === undefined ? common : [...common, ...this.#own(storedOwn(by) ?? {})];
  }

  #own(by: OwnCredentials): Credential[] {
    return OWN_PROTOCOLS.flatMap((protocol) =>
      (["uuid", "password"] as const).flatMap((part): Credential[] => {
        const given = by[protocol]?.[part];
        if (!given) return [];
        const value = part === "uuid" ? given.toLowerCase() : given;
        const kind = `${protocol}.${part}` as const;
        const rivals = () =>
          KINDS.filter((each) => SHOWN_TO[each].includes(protocol) && (each === "uuid") === (part === "uuid")).map(
            (each) => this.#idOf(each, value),
          );
        return [{ field: `config.by.${kind}`, kind, value, id: this.#idOf(kind, value), rivals }];
      }),
    );
  }

  /**
   * HMAC-SHA-256 by its definition: two hashes at one call each cost a tenth of what an object of `createHmac` does,
   * and every new account asks for four. 96 bits of it: among a million accounts two different values meet once in 10¹⁶
   * panels.
   */
  #idOf(kind: CredentialKind, value: string): string {
    const text = `${kind}\n${value}`;
    const inner = Buffer.allocUnsafe(BLOCK + Buffer.byteLength(text));
    this.#inner.copy(inner);
    inner.write(text, BLOCK);
    hash("sha256", inner, "buffer").copy(this.#outer, BLOCK);
    return hash("sha256", this.#outer, "base64url").slice(0, ID_LETTERS);
  }
}
