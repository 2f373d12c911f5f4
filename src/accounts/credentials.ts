// The `config` of a user: the credentials that inbounds know it by (document 1, Credential generation).
import { z } from "zod";
import { invalid, line } from "../http/index.ts";
import { accountPassword, shadowsocksKey, subId, subToken, uuidV4 } from "../lib/ids.ts";
import type { UserCredentials } from "./user.entity.ts";

const VISION = "xtls-rprx-vision";
const LARGEST = 8192;

/** A Shadowsocks 2022 key: engines refuse a whole inbound over one user's key of another length. */
function key(bytes: 16 | 32) {
  return z.string().refine((text) => text === "" || isKey(text, bytes), `must be base64 of ${bytes} bytes`);
}

function isKey(text: string, bytes: number): boolean {
  const raw = Buffer.from(text, "base64");
  return raw.length === bytes && raw.toString("base64") === text;
}

/** `config` in a body. Parts beyond the five are kept as they came. */
export const Credentials = z
  .looseObject({
    uuid: z.union([z.literal(""), z.guid("must be a UUID")]).optional(),
    password: line(256).optional(),
    ss16: key(16).optional(),
    ss32: key(32).optional(),
    flow: z.enum(["", VISION]).optional(),
  })
  .refine((config) => JSON.stringify(config).length <= LARGEST, `must have at most ${LARGEST} bytes`);
export type CredentialsBody = z.output<typeof Credentials>;

/** Everything random about a new account, drawn before its change is decided, since that may be decided twice. */
export interface FreshSecrets {
  readonly uuid: string;
  readonly password: string;
  readonly ss16: string;
  readonly ss32: string;
  readonly subId: string;
  readonly subToken: string;
}

export function freshSecrets(): FreshSecrets {
  return {
    uuid: uuidV4(),
    password: accountPassword(),
    ss16: shadowsocksKey(16),
    ss32: shadowsocksKey(32),
    subId: subId(),
    subToken: subToken(),
  };
}

/** The credentials of a new account: what is missing or empty is generated; a body with none of the four also gets the vision flow unless it names one. */
export function createCredentials(given: CredentialsBody | undefined, fresh: FreshSecrets): UserCredentials {
  const config = given ?? {};
  const none = !config.uuid && !config.password && !config.ss16 && !config.ss32;
  return {
    ...config,
    uuid: config.uuid || fresh.uuid,
    password: config.password || fresh.password,
    ss16: config.ss16 || fresh.ss16,
    ss32: config.ss32 || fresh.ss32,
    ...(none && config.flow === undefined ? { flow: VISION } : {}),
  };
}

/** Stored credentials with the given parts in place; the four are never emptied. */
export function mergeCredentials(stored: UserCredentials, given: CredentialsBody): UserCredentials {
  const merged: UserCredentials = {
    ...stored,
    ...given,
    uuid: given.uuid || stored.uuid,
    password: given.password || stored.password,
    ss16: given.ss16 || stored.ss16,
    ss32: given.ss32 || stored.ss32,
  };
  if (JSON.stringify(merged).length > LARGEST) invalid("config", `must have at most ${LARGEST} bytes`);
  return merged;
}
