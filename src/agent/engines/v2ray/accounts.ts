// Users as an inbound's engine accounts: which of them can be served, under which name, and by which secret.
import { createHash } from "node:crypto";
import { engineUserName, isOnInbound, type PlanUser } from "../../../protocol/plan.ts";
import type { EngineAccount, LiveAccount, Screening } from "../process/dialect.ts";
import { OwnSecrets } from "../rays/own-secrets.ts";
import { Claims, isUuid } from "../rays/screening.ts";
import { onInbound, ownOn } from "../../../lib/own-credentials.ts";
import { type AgentNotice, hostNotice } from "../../notices.ts";

/** Users who cannot be told apart or have no usable secret, by what the protocol asks for. */
export interface V2rayScreening extends Screening {
  readonly withoutUuid: ReadonlySet<number>;
  readonly withoutPassword: ReadonlySet<number>;
  /** Users whose secret for one protocol alone is of no use. */
  readonly own: OwnSecrets;
}

/**
 * One pass over all users. Of several users with the same secret the one with the lowest id keeps it: engines would
 * count all as one.
 */
export function screenUsers(users: ReadonlyMap<number, PlanUser>): V2rayScreening {
  const uuids = new Claims();
  const passwords = new Claims();
  for (const user of users.values()) {
    uuids.claim(isUuid(user.uuid) ? user.uuid.toLowerCase() : undefined, user.id);
    passwords.claim(user.password === "" ? undefined : user.password, user.id);
  }
  const warnings: AgentNotice[] = [];
  if (uuids.losers.size > 0) warnings.push(hostNotice("uuid_unusable", ...uuids.named, "vless, vmess, socks and http"));
  if (passwords.losers.size > 0) warnings.push(hostNotice("password_unusable", ...passwords.named, "trojan"));
  const own = new OwnSecrets(users, {
    known(secret, value) {
      if (secret === "uuid") return isUuid(value) ? value.toLowerCase() : undefined;
      return secret === "password" ? value : undefined;
    },
    commonOwner: (secret, known) => (secret === "uuid" ? uuids : passwords).ownerOf(known),
  });
  return {
    own,
    key: `${uuids.key}|${passwords.key}|${own.key}`,
    withoutUuid: uuids.losers,
    withoutPassword: passwords.losers,
    warnings,
  };
}

export type LiveProtocol = "vless" | "vmess" | "trojan";

export function isLive(protocol: string): protocol is LiveProtocol {
  return protocol === "vless" || protocol === "vmess" || protocol === "trojan";
}

/**
 * The account of a user on an inbound whose users change live; undefined for one who is not on it, or was screened out.
 */
export function liveAccount(
  protocol: LiveProtocol,
  inboundId: number,
  user: PlanUser,
  screening: V2rayScreening,
): LiveAccount | undefined {
  if (!isOnInbound(user, inboundId)) return undefined;
  const secret = protocol === "trojan" ? "password" : "uuid";
  const common = secret === "password" ? screening.withoutPassword : screening.withoutUuid;
  const own = ownOn(user, protocol)[secret];
  if (own === undefined ? common.has(user.id) : screening.own.lost(user.id, protocol, secret)) return undefined;
  const { password, ...rest } = onInbound(user, protocol);
  const uuid = rest.uuid.toLowerCase();
  const account: EngineAccount =
    protocol === "trojan"
      ? { protocol, password }
      : protocol === "vless"
        ? { protocol, uuid, flow: "" }
        : { protocol, uuid };
  const digest = createHash("sha256")
    .update(`${protocol}\n${protocol === "trojan" ? password : uuid}`)
    .digest("hex")
    .slice(0, 24);
  return { email: engineUserName(user.id, inboundId), account, digest };
}

/** The account as written in an inbound's `clients`. */
export function clientEntry({ email, account }: LiveAccount): Record<string, unknown> {
  if (account.protocol === "vless" || account.protocol === "vmess")
    return { id: account.uuid, email, level: 0, ...(account.protocol === "vmess" && { alterId: 0 }) };
  return { password: account.password, email, level: 0 };
}
