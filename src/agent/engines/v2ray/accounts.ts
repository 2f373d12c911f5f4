// Users as an inbound's engine accounts: which of them can be served, under which name, and by which secret.
import { createHash } from "node:crypto";
import { engineUserName, type PlanUser } from "../../../protocol/plan.ts";
import type { EngineAccount } from "../process/grpc.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Users who cannot be told apart or have no usable secret, by what the protocol asks for. */
export interface Screening {
  readonly withoutUuid: ReadonlySet<number>;
  readonly withoutPassword: ReadonlySet<number>;
  readonly warnings: readonly string[];
}

/** One pass over all users. Of several users with the same secret the one with the lowest id keeps it: engines would count all as one. */
export function screenUsers(users: ReadonlyMap<number, PlanUser>): Screening {
  const warnings: string[] = [];
  const uuids = new Map<string, number>();
  const passwords = new Map<string, number>();
  const withoutUuid = new Set<number>();
  const withoutPassword = new Set<number>();
  let limited = 0;
  for (const user of users.values()) {
    if (UUID.test(user.uuid)) claim(uuids, user.uuid.toLowerCase(), user.id, withoutUuid);
    else withoutUuid.add(user.id);
    if (user.password === "") withoutPassword.add(user.id);
    else claim(passwords, user.password, user.id, withoutPassword);
    if (user.speedLimit > 0) limited += 1;
  }
  if (withoutUuid.size > 0)
    warnings.push(`${named(withoutUuid)}: the uuid is none or is another user's; not served on vless, vmess, socks and http inbounds`);
  if (withoutPassword.size > 0)
    warnings.push(`${named(withoutPassword)}: the password is empty or is another user's; not served on trojan inbounds`);
  if (limited > 0)
    warnings.push(
      `${limited === 1 ? "1 user has a speed limit" : `${limited} users have a speed limit`}, which v2ray does not enforce; the embedded engine does`,
    );
  return { withoutUuid, withoutPassword, warnings };
}

function claim(owners: Map<string, number>, secret: string, id: number, losers: Set<number>): void {
  const owner = owners.get(secret);
  if (owner === undefined || id < owner) owners.set(secret, id);
  if (owner !== undefined) losers.add(Math.max(id, owner));
}

/** `user 7`, `users 7, 9 and 3 more`: never a list without end. */
function named(ids: ReadonlySet<number>): string {
  const sorted = [...ids].toSorted((a, b) => a - b);
  const shown = sorted.slice(0, 5).join(", ");
  return `${sorted.length === 1 ? "user" : "users"} ${shown}${sorted.length > 5 ? ` and ${sorted.length - 5} more` : ""}`;
}

export interface LiveAccount {
  readonly email: string;
  readonly account: EngineAccount;
  readonly digest: string;
}

/** The account of a user on an inbound whose users change live; undefined for one who was screened out. */
export function liveAccount(
  protocol: "vless" | "vmess" | "trojan",
  inboundId: number,
  user: PlanUser,
  screening: Screening,
): LiveAccount | undefined {
  if (protocol === "trojan" ? screening.withoutPassword.has(user.id) : screening.withoutUuid.has(user.id)) return undefined;
  const account: EngineAccount =
    protocol === "trojan" ? { protocol, password: user.password } : { protocol, uuid: user.uuid.toLowerCase() };
  const secret = account.protocol === "trojan" ? account.password : account.uuid;
  const digest = createHash("sha256").update(`${protocol}\n${secret}`).digest("hex").slice(0, 24);
  return { email: engineUserName(user.id, inboundId), account, digest };
}

/** The account as it stands in an inbound's `clients`. */
export function clientEntry({ email, account }: LiveAccount): Record<string, unknown> {
  if (account.protocol === "trojan") return { password: account.password, email, level: 0 };
  return { id: account.uuid, email, level: 0, ...(account.protocol === "vmess" && { alterId: 0 }) };
}
