// Credentials that a user has for one protocol alone (`config.by`): they win over the common ones there, so that a
// client that was set up elsewhere and never fetches again goes on (rules users.own).
import { z } from "zod";

/** Protocols that may have credentials of their own. */
export const OWN_PROTOCOLS = [
  "vless",
  "vmess",
  "tuic",
  "trojan",
  "hysteria2",
  "anytls",
  "socks",
  "http",
  "shadowsocks",
] as const;
export type OwnProtocol = (typeof OWN_PROTOCOLS)[number];

/** `method`: of shadowsocks, the cipher for which the password is. */
const Own = z.object({
  uuid: z.string().exactOptional(),
  password: z.string().exactOptional(),
  method: z.string().exactOptional(),
});
export type Own = z.infer<typeof Own>;

export const OwnCredentials = z.partialRecord(z.enum(OWN_PROTOCOLS), Own);
export type OwnCredentials = z.infer<typeof OwnCredentials>;

/** The credentials by which inbounds know a user. */
interface Secrets {
  readonly uuid: string;
  readonly password: string;
  readonly ss16: string;
  readonly ss32: string;
  readonly by?: OwnCredentials | undefined;
}
export type Secret = Exclude<keyof Secrets, "by">;

const KEYS: Readonly<Record<string, Secret>> = { "2022-blake3-aes-128-gcm": "ss16", "2022-blake3-aes-256-gcm": "ss32" };

/** As whose protocol an inbound's type counts; a `mixed` one is told of by its socks. */
export function protocolOf(type: string): OwnProtocol | undefined {
  if (type === "mixed") return "socks";
  return OWN_PROTOCOLS.find((each) => each === type);
}

/**
 * The credentials that a user has on an inbound of this type instead of the common ones. `method`: the cipher of a
 * shadowsocks inbound; a password for another cipher is of no use there.
 */
export function ownOn(
  { by }: Pick<Secrets, "by">,
  type: string,
  method = "",
): Readonly<Partial<Record<Secret, string>>> {
  const protocol = by === undefined ? undefined : protocolOf(type);
  const own = protocol && by?.[protocol];
  if (!own) return NOTHING;
  if (protocol !== "shadowsocks")
    return { ...(own.uuid ? { uuid: own.uuid } : {}), ...(own.password ? { password: own.password } : {}) };
  return own.password && plain(own.method ?? "") === plain(method)
    ? { [KEYS[method] ?? "password"]: own.password }
    : NOTHING;
}

const NOTHING = {};

/** Engines write a cipher with or without this. */
const plain = (method: string) => method.replace("-ietf", "");

/** A user as an inbound of this type knows them. */
export function onInbound<U extends Secrets>(user: U, type: string, method = ""): U {
  return user.by === undefined ? user : { ...user, ...ownOn(user, type, method) };
}

/** What is stored as `config.by`; undefined for nothing, and for what is none: older versions took anything. */
export function storedOwn(by: unknown): OwnCredentials | undefined {
  if (by === undefined || by === null) return undefined;
  const parsed = OwnCredentials.safeParse(by);
  return parsed.success && Object.keys(parsed.data).length > 0 ? parsed.data : undefined;
}
