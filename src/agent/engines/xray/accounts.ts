// Users as Xray's accounts: which of them can be served, under which name, and by which secret.
import { createHash } from "node:crypto";
import { engineUserName, isOnInbound, type PlanUser } from "../../../protocol/plan.ts";
import type { EngineAccount, LiveAccount, Screening } from "../process/dialect.ts";
import { OwnSecrets } from "../rays/own-secrets.ts";
import { Claims, isUuid } from "../rays/screening.ts";
import { onInbound, ownOn, type Secret } from "../../../lib/own-credentials.ts";
import type { XrayInbound } from "./inbound.ts";
import { isKey } from "./shadowsocks.ts";
import { type AgentNotice, hostNotice } from "../../notices.ts";

const VISION = "xtls-rprx-vision";

export interface XrayScreening extends Screening {
  readonly withoutUuid: ReadonlySet<number>;
  readonly withoutVlessId: ReadonlySet<number>;
  readonly withoutPassword: ReadonlySet<number>;
  /** By bytes of the key. */
  readonly withoutKey: { readonly 16: ReadonlySet<number>; readonly 32: ReadonlySet<number> };
  /** Users whose secret for one protocol alone is of no use. */
  readonly own: OwnSecrets;
}

/** Xray's VLESS does not look at the seventh and eighth byte of an id: there clients may say a route. */
export function vlessId(uuid: string): string {
  const id = uuid.toLowerCase();
  return `${id.slice(0, 14)}0000${id.slice(18)}`;
}

/** One pass over all users. Of several users with the same secret the one with the lowest id keeps it. */
export function screenUsers(users: ReadonlyMap<number, PlanUser>): XrayScreening {
  const uuids = new Claims();
  const vlessIds = new Claims();
  const passwords = new Claims();
  const keys = { 16: new Claims(), 32: new Claims() };
  for (const user of users.values()) {
    const uuid = isUuid(user.uuid) ? user.uuid.toLowerCase() : undefined;
    uuids.claim(uuid, user.id);
    vlessIds.claim(uuid === undefined ? undefined : vlessId(uuid), user.id);
    passwords.claim(user.password === "" ? undefined : user.password, user.id);
    keys[16].claim(isKey(user.ss16, 16) ? user.ss16 : undefined, user.id);
    keys[32].claim(isKey(user.ss32, 32) ? user.ss32 : undefined, user.id);
  }
  const warnings: AgentNotice[] = [];
  if (uuids.losers.size > 0)
    warnings.push(hostNotice("uuid_unusable", ...uuids.named, "vless, vmess, socks, http and mixed"));
  const alike = new Claims();
  for (const id of vlessIds.losers) if (!uuids.losers.has(id)) alike.claim(undefined, id);
  if (alike.losers.size > 0) warnings.push(hostNotice("uuid_alike", ...alike.named));
  if (passwords.losers.size > 0)
    warnings.push(hostNotice("password_unusable", ...passwords.named, "trojan, shadowsocks and hysteria2"));
  const own = new OwnSecrets(users, {
    known(secret, value, type) {
      if (secret === "password") return value;
      if (secret !== "uuid") return isKey(value, secret === "ss16" ? 16 : 32) ? value : undefined;
      if (!isUuid(value)) return undefined;
      return type === "vless" ? vlessId(value) : value.toLowerCase();
    },
    commonOwner(secret, known, type) {
      if (secret === "uuid") return (type === "vless" ? vlessIds : uuids).ownerOf(known);
      return (secret === "password" ? passwords : keys[secret === "ss16" ? 16 : 32]).ownerOf(known);
    },
  });
  return {
    own,
    key: [...[uuids, vlessIds, passwords, keys[16], keys[32]].map((claims) => claims.key), own.key].join("|"),
    withoutUuid: uuids.losers,
    withoutVlessId: vlessIds.losers,
    withoutPassword: passwords.losers,
    withoutKey: { 16: keys[16].losers, 32: keys[32].losers },
    warnings,
  };
}

/** Undefined for a user who is not on the inbound or was screened out, and where users are part of the inbound. */
export function liveAccount(inbound: XrayInbound, user: PlanUser, screening: XrayScreening): LiveAccount | undefined {
  const account = isOnInbound(user, inbound.id) ? accountOf(inbound, user, screening) : undefined;
  if (!account) return undefined;
  const digest = createHash("sha256").update(JSON.stringify(account)).digest("hex").slice(0, 24);
  return { email: engineUserName(user.id, inbound.id), account, digest };
}

function accountOf(inbound: XrayInbound, user: PlanUser, screening: XrayScreening): EngineAccount | undefined {
  const protocol = inbound.accounts;
  if (protocol === undefined) return undefined;
  const { type, method } = dialectOf(inbound);
  const own = ownOn(user, type, method);
  const lost = (secret: Secret, common: ReadonlySet<number>) =>
    own[secret] === undefined ? common.has(user.id) : screening.own.lost(user.id, type, secret);
  const { uuid, password, ss16, ss32, flow } = onInbound(user, type, method);
  switch (protocol) {
    case "vless":
      if (lost("uuid", screening.withoutVlessId)) return undefined;
      return { protocol, uuid: uuid.toLowerCase(), flow: inbound.vision && flow === VISION ? VISION : "" };
    case "vmess":
      return lost("uuid", screening.withoutUuid) ? undefined : { protocol, uuid: uuid.toLowerCase() };
    case "shadowsocks-2022": {
      const bytes = inbound.keyBytes ?? 16;
      return lost(bytes === 16 ? "ss16" : "ss32", screening.withoutKey[bytes])
        ? undefined
        : { protocol, password: bytes === 16 ? ss16 : ss32 };
    }
    case "shadowsocks":
      return lost("password", screening.withoutPassword) ? undefined : { protocol, method: inbound.method, password };
    case "trojan":
    case "hysteria2":
      return lost("password", screening.withoutPassword) ? undefined : { protocol, password };
  }
}

/** The inbound's type and cipher as operators write them. */
function dialectOf({ accounts, protocol, method, keyBytes }: XrayInbound): { type: string; method: string } {
  const type = accounts ?? protocol;
  if (type !== "shadowsocks-2022") return { type, method };
  return { type: "shadowsocks", method: keyBytes === 32 ? "2022-blake3-aes-256-gcm" : "2022-blake3-aes-128-gcm" };
}

/** The account as written in an inbound's `clients`. Emails are lower case, because Xray converts them. */
export function clientEntry({ email, account }: LiveAccount): Record<string, unknown> {
  const named = { email, level: 0 };
  switch (account.protocol) {
    case "vless":
      return { id: account.uuid, ...named, ...(account.flow !== "" && { flow: account.flow }) };
    case "vmess":
      return { id: account.uuid, ...named };
    case "shadowsocks":
      return { method: account.method, password: account.password, ...named };
    case "hysteria2":
      return { auth: account.password, ...named };
    default:
      return { password: account.password, ...named };
  }
}

/** Whether a user's flow is one that no inbound here can serve. */
export function isUnknownFlow(flow: string): boolean {
  return flow !== "" && flow !== VISION;
}
