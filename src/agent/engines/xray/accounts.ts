// Users as Xray's accounts: which of them can be served, under which name, and by which secret.
import { createHash } from "node:crypto";
import { engineUserName, isOnInbound, type PlanUser } from "../../../protocol/plan.ts";
import type { EngineAccount, LiveAccount, Screening } from "../process/dialect.ts";
import { Claims, isUuid } from "../rays/screening.ts";
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
  return {
    key: [uuids, vlessIds, passwords, keys[16], keys[32]].map((claims) => claims.key).join("|"),
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
  switch (protocol) {
    case undefined:
      return undefined;
    case "vless":
      if (screening.withoutVlessId.has(user.id)) return undefined;
      return { protocol, uuid: user.uuid.toLowerCase(), flow: inbound.vision && user.flow === VISION ? VISION : "" };
    case "vmess":
      return screening.withoutUuid.has(user.id) ? undefined : { protocol, uuid: user.uuid.toLowerCase() };
    case "shadowsocks-2022": {
      const bytes = inbound.keyBytes ?? 16;
      return screening.withoutKey[bytes].has(user.id)
        ? undefined
        : { protocol, password: bytes === 16 ? user.ss16 : user.ss32 };
    }
    case "shadowsocks":
      return screening.withoutPassword.has(user.id)
        ? undefined
        : { protocol, method: inbound.method, password: user.password };
    case "trojan":
    case "hysteria2":
      return screening.withoutPassword.has(user.id) ? undefined : { protocol, password: user.password };
  }
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
