// Inbounds with their users.
import { randomBytes } from "node:crypto";
import { engineUserName, isOnInbound, type PlanUser } from "../../../protocol/plan.ts";
import { digestOf, type Json, type Listening, type LiveAccount, type PopulatedInbound } from "../process/dialect.ts";
import { usersNamed } from "../rays/screening.ts";
import { clientEntry, isUnknownFlow, liveAccount, type XrayScreening } from "./accounts.ts";
import type { XrayCompiled } from "./compile.ts";
import type { XrayInbound } from "./inbound.ts";
import { isKey } from "./shadowsocks.ts";
import { onInbound, ownOn } from "../../../lib/own-credentials.ts";
import { type AgentNotice, noticeOf, hostNotice, itemPlace } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

/** Trying the keys of so many users on every connection is felt. */
const MANY_KEYS = 200;
const FULL_KEYS = { 16: randomBytes(16).toString("base64"), 32: randomBytes(32).toString("base64") };

/**
 * Puts the users into an inbound. Undefined when its protocol may not run without any: an http inbound without accounts
 * is open to all.
 */
export function populate(
  inbound: XrayInbound,
  users: ReadonlyMap<number, PlanUser>,
  screening: XrayScreening,
): PopulatedInbound | undefined {
  const { body, settings } = inbound;
  const accounts = new Map<string, LiveAccount>();
  const aliases = new Map<string, string>();
  if (inbound.accounts !== undefined) {
    for (const user of users.values()) {
      const account = liveAccount(inbound, user, screening);
      if (account) accounts.set(account.email, account);
    }
    const config = { ...body, settings: { ...settings, clients: [] } };
    return { inbound, config, digest: digestOf(config), accounts, aliases };
  }
  if (inbound.protocol === "direct") {
    const config = { ...body, settings };
    return { inbound, config, digest: digestOf(config), accounts, aliases };
  }
  const usable = [...users.values()]
    .filter((user) => isOnInbound(user, inbound.id) && mayLogIn(user, inbound.protocol, screening))
    .map((user) => onInbound(user, inbound.protocol))
    .toSorted((a, b) => a.id - b.id);
  if (usable.length === 0) return undefined;
  for (const user of usable) aliases.set(user.uuid, engineUserName(user.id, inbound.id));
  const config = {
    ...body,
    settings: { ...settings, accounts: usable.map((user) => ({ user: user.uuid, pass: user.password })), userLevel: 0 },
  };
  return { inbound, config, digest: digestOf(config), accounts, aliases };
}

/** Whether a user has a name and a password of their own for logins of this type. */
function mayLogIn(user: PlanUser, type: string, screening: XrayScreening): boolean {
  const own = ownOn(user, type);
  const named =
    own.uuid === undefined ? !screening.withoutUuid.has(user.id) : !screening.own.lost(user.id, type, "uuid");
  return named && (own.password ?? user.password) !== "";
}

/** An inbound as written in a configuration, with all its users. */
export function inboundConfig({ config, inbound, accounts }: PopulatedInbound, at: Listening): Json {
  const head = { tag: at.tag, listen: at.listen, port: at.port };
  if (inbound.users === "fixed") return { ...head, ...config };
  const clients = [...placeholder(inbound), ...[...accounts.values()].map(clientEntry)];
  return { ...head, ...config, settings: { ...inbound.settings, clients } };
}

/**
 * Without any user a 2022 inbound would be one that everybody with the server's key may use, and to which no user can
 * be added.
 */
function placeholder(inbound: PopulatedInbound["inbound"]): Record<string, unknown>[] {
  const { keyBytes } = inbound as XrayInbound;
  return keyBytes === undefined ? [] : [{ password: FULL_KEYS[keyBytes], email: "signalbox.placeholder", level: 0 }];
}

/** Warnings that depend on who is served where. */
export function populationWarnings(compiled: XrayCompiled, users: ReadonlyMap<number, PlanUser>): AgentNotice[] {
  const warnings: AgentNotice[] = [];
  const list = [...users.values()];
  const named = compiled.inbounds.filter((inbound) => inbound.anonymous && inbound.protocol !== "direct");
  const [first] = named;
  if (first && named.length > 1) warnings.push(hostNotice("counted_together", "xray", ...named.map(({ tag }) => tag)));
  for (const { tag, accounts } of compiled.inbounds)
    if (accounts === "shadowsocks" && users.size > MANY_KEYS)
      warnings.push(noticeOf(itemPlace("inbound", tag), reason("key_search", users.size)));
  for (const bytes of [16, 32] as const) {
    const tags = compiled.inbounds.filter(({ keyBytes }) => keyBytes === bytes).map(({ tag }) => tag);
    if (tags.length === 0) continue;
    const without = new Set(
      list.filter((user) => !isKey(bytes === 16 ? user.ss16 : user.ss32, bytes)).map(({ id }) => id),
    );
    if (without.size > 0) warnings.push(hostNotice("key_unusable", ...usersNamed(without), bytes, ...tags));
  }
  if (compiled.inbounds.some(({ vision }) => vision)) {
    const strange = new Set(list.filter(({ flow }) => isUnknownFlow(flow)).map(({ id }) => id));
    if (strange.size > 0) warnings.push(hostNotice("flow_unknown", ...usersNamed(strange)));
  }
  return warnings;
}
