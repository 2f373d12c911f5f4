// The `config` of a user: the credentials that inbounds know it by (rule users.create.1).
import { z } from "zod";
import { FLOWS, VISION } from "../../dialect/index.ts";
import { invalid, line, rule } from "../../http/index.ts";
import { accountPassword, pooledRandom, shadowsocksKey, subId, subToken, uuidV4 } from "../../lib/ids.ts";
import { SHADOWSOCKS_METHODS, shadowsocksKeyBytes } from "../../pool/index.ts";
import type { UserCredentials } from "../records/user.entity.ts";

const LARGEST = 8192;
/** Bytes that the secrets of an account are made of: 112, and as `subId` throws some away, a few more. */
const DRAWN = 128;

/** A Shadowsocks 2022 key: engines refuse a whole inbound over one user's key of another length. */
function key(bytes: 16 | 32) {
  return z.string().refine((text) => text === "" || isKey(text, bytes), rule("base64", bytes));
}

function isKey(text: string, bytes: number): boolean {
  const raw = Buffer.from(text, "base64");
  return raw.length === bytes && raw.toString("base64") === text;
}

/** Credentials for one protocol alone. */
const own = z
  .strictObject({ uuid: z.guid("must be a UUID").exactOptional(), password: line(256).min(1).exactOptional() })
  .meta({ id: "OwnCredentialsBody" });

/**
 * Credentials for shadowsocks, with their cipher: a password for another cipher than the inbound's is of no use there.
 */
const ownShadowsocks = z
  .strictObject({ password: line(256).min(1), method: z.enum(SHADOWSOCKS_METHODS) })
  .superRefine(({ method, password }, check) => {
    const bytes = shadowsocksKeyBytes(method);
    if (bytes !== undefined && !isKey(password, bytes))
      check.addIssue({ code: "custom", path: ["password"], ...rule("base64", bytes) });
  })
  .meta({ id: "OwnShadowsocksBody" });

/** `config.by`: unknown protocols, and unknown parts of one, are refused by name. */
const Own = z
  .strictObject({
    vless: own.exactOptional(),
    vmess: own.exactOptional(),
    tuic: own.exactOptional(),
    trojan: own.exactOptional(),
    hysteria2: own.exactOptional(),
    anytls: own.exactOptional(),
    socks: own.exactOptional(),
    http: own.exactOptional(),
    shadowsocks: ownShadowsocks.exactOptional(),
  })
  .meta({ id: "CredentialsByProtocol" });

/** `config` in a body. Parts beyond the five are kept as they came. */
export const Credentials = z
  .looseObject({
    uuid: z.union([z.literal(""), z.guid("must be a UUID")]).optional(),
    password: line(256).optional(),
    ss16: key(16).optional(),
    ss32: key(32).optional(),
    flow: z.enum(FLOWS).optional(),
    by: Own.nullable().optional(),
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
  // One draw for all of them: a draw costs more than a secret is made of. What is left of it goes with it.
  const random = pooledRandom(DRAWN);
  return {
    uuid: uuidV4(random),
    password: accountPassword(random),
    ss16: shadowsocksKey(16, random),
    ss32: shadowsocksKey(32, random),
    subId: subId(random),
    subToken: subToken(random),
  };
}

/** The parts that are given and not empty; `flow` may be empty on purpose. An empty `by` takes away what there is. */
function givenParts({ uuid, password, ss16, ss32, flow, by, ...others }: CredentialsBody): Partial<UserCredentials> {
  return {
    ...others,
    ...(uuid ? { uuid } : {}),
    ...(password ? { password } : {}),
    ...(ss16 ? { ss16 } : {}),
    ...(ss32 ? { ss32 } : {}),
    ...(flow === undefined ? {} : { flow }),
    ...(by === undefined ? {} : { by: by ?? {} }),
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
  return withoutEmptyOwn({ uuid, password, ss16, ss32, ...(none ? { flow: VISION } : {}), ...parts });
}

function withoutEmptyOwn({ by, ...common }: UserCredentials): UserCredentials {
  const isEmpty = by === undefined || by === null || (typeof by === "object" && Object.keys(by).length === 0);
  return isEmpty ? common : { ...common, by };
}

/** Stored credentials with the given parts in place; the four are never emptied. */
export function mergeCredentials(stored: UserCredentials, given: CredentialsBody): UserCredentials {
  const merged = withoutEmptyOwn({ ...stored, ...givenParts(given) });
  if (JSON.stringify(merged).length > LARGEST) invalid("config", rule("too_many_bytes", LARGEST));
  return merged;
}
