// Users as accounts of an inbound: who can be served, under which name, and by which secret.
import { hash } from "node:crypto";
import { engineUserName, isOnInbound, type PlanUser } from "../../../protocol/plan.ts";
import type { CompiledInbound, EngineAccount, LiveAccount, Screening } from "../process/dialect.ts";
import { isUuid } from "./refusal.ts";
import { type AgentNotice, hostNotice } from "../../notices.ts";
import { OwnSecrets } from "../rays/own-secrets.ts";
import { usersNamed } from "../rays/screening.ts";
import { onInbound, ownOn, type Secret } from "../../../lib/own-credentials.ts";

const VISION = "xtls-rprx-vision";

/** Users that are left out, by the secret that is of no use. */
export interface SingBoxScreening extends Screening {
  readonly without: Readonly<Record<Secret, ReadonlySet<number>>>;
  /** Users whose secret for one protocol alone is of no use. */
  readonly own: OwnSecrets;
}

function isOwn(screening: Screening): screening is SingBoxScreening {
  return "without" in screening;
}

const SERVED_BY: Readonly<Record<Secret, string>> = {
  uuid: "vless, vmess, tuic, socks, http, mixed and naive",
  password: "trojan, shadowsocks, hysteria2, tuic, anytls, shadowtls, socks, http, mixed and naive",
  ss16: "shadowsocks 2022 (aes-128)",
  ss32: "shadowsocks 2022 (aes-256)",
};

/** What each protocol asks for. */
function secretsFor(inbound: CompiledInbound): readonly Secret[] {
  const { protocol, body } = inbound;
  if (protocol === "vless" || protocol === "vmess") return ["uuid"];
  if (
    protocol === "tuic" ||
    protocol === "socks" ||
    protocol === "http" ||
    protocol === "mixed" ||
    protocol === "naive"
  )
    return ["uuid", "password"];
  if (protocol === "shadowsocks-2022") return [body["method"] === "2022-blake3-aes-128-gcm" ? "ss16" : "ss32"];
  return ["password"];
}

/**
 * One pass over all users. Of several with the same secret the one with the lowest id keeps it: the engine would count
 * all as one.
 */
export function screenUsers(users: ReadonlyMap<number, PlanUser>): SingBoxScreening {
  const owners = {
    uuid: new Map<string, number>(),
    password: new Map<string, number>(),
    ss16: new Map<string, number>(),
    ss32: new Map<string, number>(),
  };
  const without = {
    uuid: new Set<number>(),
    password: new Set<number>(),
    ss16: new Set<number>(),
    ss32: new Set<number>(),
  };
  const claim = (kind: Secret, secret: string | undefined, id: number): void => {
    if (secret === undefined) {
      without[kind].add(id);
      return;
    }
    const owner = owners[kind].get(secret);
    if (owner === undefined || id < owner) owners[kind].set(secret, id);
    if (owner !== undefined) without[kind].add(Math.max(id, owner));
  };
  for (const user of users.values()) {
    claim("uuid", isUuid(user.uuid) ? user.uuid.toLowerCase() : undefined, user.id);
    claim("password", user.password === "" ? undefined : user.password, user.id);
    claim("ss16", isKey(user.ss16, 16) ? user.ss16 : undefined, user.id);
    claim("ss32", isKey(user.ss32, 32) ? user.ss32 : undefined, user.id);
  }
  const own = new OwnSecrets(users, {
    known(secret, value) {
      if (secret === "uuid") return isUuid(value) ? value.toLowerCase() : undefined;
      if (secret === "password") return value;
      return isKey(value, secret === "ss16" ? 16 : 32) ? value : undefined;
    },
    commonOwner: (secret, known) => owners[secret].get(known),
  });
  const kinds: readonly Secret[] = ["uuid", "password", "ss16", "ss32"];
  return {
    without,
    own,
    key: [...kinds.map((kind) => [...without[kind]].toSorted((a, b) => a - b).join(",")), own.key].join(";"),
    warnings: kinds.flatMap((kind): AgentNotice[] =>
      without[kind].size === 0 || (kind.startsWith("ss") && without[kind].size === users.size)
        ? []
        : [hostNotice("secret_unusable", ...usersNamed(without[kind]), kind, SERVED_BY[kind])],
    ),
  };
}

function isKey(text: string, bytes: number): boolean {
  const key = Buffer.from(text, "base64");
  return key.length === bytes && key.toString("base64") === text;
}

/** The account of a user on an inbound; undefined for one who is not on it, or was screened out. */
export function accountOf(inbound: CompiledInbound, user: PlanUser, screening: Screening): LiveAccount | undefined {
  if (!isOwn(screening)) throw new Error("the screening of another engine");
  if (!isOnInbound(user, inbound.id)) return undefined;
  const { type, method } = dialectOf(inbound);
  const own = ownOn(user, type, method);
  const isOfNoUse = (secret: Secret) =>
    own[secret] === undefined ? screening.without[secret].has(user.id) : screening.own.lost(user.id, type, secret);
  if (secretsFor(inbound).some(isOfNoUse)) return undefined;
  const account = secretOf(inbound, onInbound(user, type, method));
  const text = Object.values(account).join("\n");
  return { email: engineUserName(user.id, inbound.id), account, digest: hash("sha256", text).slice(0, 24) };
}

/** The inbound's type and cipher as operators write them. */
function dialectOf({ protocol, body }: CompiledInbound): { readonly type: string; readonly method: string } {
  const { method } = body;
  const type = protocol === "shadowsocks-2022" ? "shadowsocks" : protocol;
  return { type, method: typeof method === "string" ? method : "" };
}

function secretOf(inbound: CompiledInbound, user: PlanUser): EngineAccount {
  const uuid = user.uuid.toLowerCase();
  const { password } = user;
  switch (inbound.protocol) {
    case "vless":
      // Elsewhere than over TLS without a transport every connection with a flow would fail.
      return { protocol: "vless", uuid, flow: inbound.vision && user.flow === VISION ? VISION : "" };
    case "vmess":
      return { protocol: "vmess", uuid };
    case "tuic":
      return { protocol: "tuic", uuid, password };
    case "shadowsocks-2022":
      return {
        protocol: "shadowsocks-2022",
        password: inbound.body["method"] === "2022-blake3-aes-128-gcm" ? user.ss16 : user.ss32,
      };
    case "shadowsocks":
      return { protocol: "shadowsocks", method: String(inbound.body["method"]), password };
    case "trojan":
    case "hysteria2":
    case "anytls":
    case "shadowtls":
      return { protocol: inbound.protocol, password };
    case "socks":
    case "http":
    case "mixed":
      return { protocol: inbound.protocol, username: uuid, password };
    default:
      return { protocol: "http", username: uuid, password };
  }
}

/** The account as written in an inbound's `users`. */
export function userEntry({ email, account }: LiveAccount): Record<string, unknown> {
  if ("username" in account) return { username: account.username, password: account.password };
  if (account.protocol === "vless")
    return { name: email, uuid: account.uuid, ...(account.flow !== "" && { flow: account.flow }) };
  if (account.protocol === "vmess") return { name: email, uuid: account.uuid };
  if (account.protocol === "tuic") return { name: email, uuid: account.uuid, password: account.password };
  return { name: email, password: account.password };
}
