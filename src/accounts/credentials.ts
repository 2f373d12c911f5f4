// The `config` of a user: the credentials that inbounds know it by (rule users.create.1).
import { z } from "zod";
import { FLOWS, VISION } from "../dialect/index.ts";
import { invalid, line, rule } from "../http/index.ts";
import { accountPassword, shadowsocksKey, subId, subToken, uuidV4 } from "../lib/ids.ts";
import type { UserCredentials } from "./user.entity.ts";

const LARGEST = 8192;

/** A Shadowsocks 2022 key: engines refuse a whole inbound over one user's key of another length. */
function key(bytes: 16 | 32) {
  return z.string().refine((text) => text === "" || isKey(text, bytes), rule("base64", bytes));
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
    flow: z.enum(FLOWS).optional(),
  })
  .refine((config) => JSON.stringify(config).length <= LARGEST, rule("too_many_bytes", LARGEST));
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

/** The parts that are given and not empty; `flow` may be empty on purpose. */
function givenParts({ uuid, password, ss16, ss32, flow, ...others }: CredentialsBody): Partial<UserCredentials> {
  return {
    ...others,
    ...(uuid ? { uuid } : {}),
    ...(password ? { password } : {}),
    ...(ss16 ? { ss16 } : {}),
    ...(ss32 ? { ss32 } : {}),
    ...(flow === undefined ? {} : { flow }),
  };
}

/**
 * The credentials of a new account: what is missing or empty is generated; a body with none of the four also gets the
 * vision flow unless it names one.
 */
export function createCredentials(
  given: CredentialsBody | undefined,
  { uuid, password, ss16, ss32 }: FreshSecrets,
): UserCredentials {
  const parts = givenParts(given ?? {});
  const none = !parts.uuid && !parts.password && !parts.ss16 && !parts.ss32;
  return { uuid, password, ss16, ss32, ...(none ? { flow: VISION } : {}), ...parts };
}

/** Stored credentials with the given parts in place; the four are never emptied. */
export function mergeCredentials(stored: UserCredentials, given: CredentialsBody): UserCredentials {
  const merged: UserCredentials = { ...stored, ...givenParts(given) };
  if (JSON.stringify(merged).length > LARGEST) invalid("config", rule("too_many_bytes", LARGEST));
  return merged;
}
