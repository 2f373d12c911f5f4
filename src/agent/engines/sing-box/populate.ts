// Inbounds with their users, and the whole configuration of a process.
import { createHash } from "node:crypto";
import type { PlanUser } from "../../../protocol/plan.ts";
import {
  type Compiled,
  type CompiledInbound,
  digestOf,
  type Endpoint,
  type Json,
  type Listening,
  type LiveAccount,
  type PopulatedInbound,
  type Screening,
} from "../process/dialect.ts";
import { accountOf, userEntry } from "./accounts.ts";
import { withFallbacks } from "./guards.ts";
import { NAMED } from "./inbound.ts";
import { Block, textsOf } from "./refusal.ts";
import { type AgentNotice, noticeOf, hostNotice, itemPlace } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

/** Without users these let everybody in, or with the server's key alone, or do not start. */
const CLOSED_WITHOUT_USERS = [...NAMED, "shadowsocks", "shadowsocks-2022", "shadowtls", "hysteria2"];
/** Above this, finding the user of a new connection among all passwords costs milliseconds. */
const MANY_SHADOWSOCKS_USERS = 200;

/** Undefined when the inbound may not run without users. */
export function populate(
  inbound: CompiledInbound,
  users: ReadonlyMap<number, PlanUser>,
  screening: Screening,
): PopulatedInbound | undefined {
  const accounts = new Map<string, LiveAccount>();
  const aliases = new Map<string, string>();
  for (const user of users.values()) {
    const account = accountOf(inbound, user, screening);
    if (!account) continue;
    accounts.set(account.email, account);
    if ("username" in account.account) aliases.set(account.account.username, account.email);
  }
  if (accounts.size === 0 && CLOSED_WITHOUT_USERS.includes(inbound.protocol)) return undefined;
  const sorted = [...accounts.values()].toSorted((a, b) => (a.email < b.email ? -1 : 1));
  // Over the short digests of the accounts: the whole list of ten thousand users as canonical JSON would take a second
  // of its own.
  const digest = createHash("sha256").update(digestOf(inbound.body));
  digest.update(`${inbound.listen} ${inbound.port}`);
  for (const account of sorted) digest.update(`\n${account.email} ${account.digest}`);
  return {
    inbound,
    config: { ...inbound.body, users: sorted.map(userEntry) },
    digest: digest.digest("hex").slice(0, 32),
    accounts,
    aliases,
  };
}

export function populationWarnings(compiled: Compiled, users: ReadonlyMap<number, PlanUser>): AgentNotice[] {
  const warnings: AgentNotice[] = [];
  const named = compiled.inbounds.filter((inbound) => NAMED.includes(inbound.protocol));
  const [first] = named;
  if (first && named.length > 1)
    warnings.push(hostNotice("counted_together", "sing-box", ...named.map(({ tag }) => tag)));
  if (users.size > MANY_SHADOWSOCKS_USERS)
    for (const inbound of compiled.inbounds)
      if (inbound.protocol === "shadowsocks")
        warnings.push(noticeOf(itemPlace("inbound", inbound.tag), reason("key_search", users.size)));
  return warnings;
}

/** An inbound as written in a configuration, with all its users. */
export function inboundConfig(populated: PopulatedInbound, at: Listening): Json {
  return { ...populated.config, tag: at.tag, listen: at.listen, listen_port: at.port };
}

/** The whole configuration: what is counted and how the agent reaches the process is part of it. */
export function engineConfig(compiled: Compiled, inbounds: readonly Json[], endpoint: Endpoint): Json {
  const open = new Map(inbounds.map((inbound) => [baseOf(inbound["tag"]), inbound["tag"]]));
  const served = inbounds.map((inbound) =>
    "detour" in inbound ? { ...inbound, detour: open.get(baseOf(inbound["detour"])) ?? inbound["detour"] } : inbound,
  );
  const route = withFallbacks(Block.parse(compiled.frame["route"]), served, compiled.guards);
  const names = new Set<string>();
  for (const inbound of served)
    for (const user of Array.isArray(inbound["users"]) ? inbound["users"] : [])
      for (const name of textsOf([user.name, user.username])) names.add(name);
  return {
    ...compiled.frame,
    route,
    inbounds: served,
    experimental: {
      v2ray_api: { listen: endpoint.grpc, stats: { enabled: true, inbounds: [], outbounds: [], users: [...names] } },
      ...(endpoint.clash && {
        clash_api: { external_controller: `127.0.0.1:${endpoint.clash.port}`, secret: endpoint.clash.secret },
      }),
    },
  };
}

/** `in.<id>` of either tag of an inbound. */
function baseOf(tag: unknown): string {
  return String(tag).replace(/\.[ab]$/, "");
}
