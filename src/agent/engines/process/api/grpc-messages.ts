// The protobuf messages that v2ray and Xray share, and what is read out of a configuration that an engine has
// serialised.
import protobuf from "protobufjs";
import { z } from "zod";
import type { ByteCount } from "../state/counter-tally.ts";
import type { EngineAccount } from "../dialect.ts";

// Handler configurations, rules and balancers stay opaque bytes: they come ready made from the engine's own converter.
const { root } = protobuf.parse(`
syntax = "proto3";
message Empty {}
message TypedMessage { string type = 1; bytes value = 2; }
message User { uint32 level = 1; string email = 2; TypedMessage account = 3; }
message AddUserOperation { User user = 1; }
message RemoveUserOperation { string email = 1; }
message AlterInboundRequest { string tag = 1; TypedMessage operation = 2; }
message AddHandlerRequest { bytes handler = 1; }
message RemoveHandlerRequest { string tag = 1; }
message AddRuleRequest { TypedMessage config = 1; bool should_append = 2; }
message RemoveRuleRequest { string rule_tag = 1; }
message RouterConfig { int32 domain_strategy = 1; repeated bytes rule = 2; repeated bytes balancing_rule = 3; }
message Stat { string name = 1; int64 value = 2; }
message QueryStatsRequest { string pattern = 1; bool reset = 2; repeated string patterns = 3; }
message QueryStatsResponse { repeated Stat stat = 1; }
message OnlineAddress { string ip = 1; int64 last_seen = 2; }
message OnlineUser { string email = 1; repeated OnlineAddress ips = 2; }
message UsersStatsResponse { repeated OnlineUser users = 1; }
message VlessAccount { string id = 1; string flow = 2; string encryption = 3; }
message VmessAccount { string id = 1; uint32 alter_id = 2; }
message TrojanAccount { string password = 1; }
message ShadowsocksAccount { string password = 1; int32 cipher_type = 2; }
message Shadowsocks2022Account { string key = 1; }
message HysteriaAccount { string auth = 1; }
message Config { repeated bytes inbound = 1; repeated bytes outbound = 2; repeated TypedMessage app = 4; }
`);

const message = (name: string): protobuf.Type => root.lookupType(name);

export function encode(name: string, value: Record<string, unknown>): Uint8Array {
  return message(name).encode(message(name).create(value)).finish();
}

function decode<T>(name: string, bytes: Uint8Array, schema: z.ZodType<T>): T {
  const type = message(name);
  return schema.parse(type.toObject(type.decode(bytes), { longs: Number }));
}

const Bytes = z.instanceof(Uint8Array);
const StatList = z.object({
  stat: z.array(z.object({ name: z.string().default(""), value: z.number().default(0) })).default([]),
});
const OnlineList = z.object({
  users: z
    .array(
      z.object({
        email: z.string().default(""),
        ips: z
          .array(
            z.object({ ip: z.string().default(""), last_seen: z.number().optional(), lastSeen: z.number().optional() }),
          )
          .default([]),
      }),
    )
    .default([]),
});
const ConfigParts = z.object({
  inbound: z.array(Bytes).default([]),
  outbound: z.array(Bytes).default([]),
  app: z.array(z.object({ type: z.string().default(""), value: Bytes.optional() })).default([]),
});
const RouterParts = z.object({ rule: z.array(Bytes).default([]), balancingRule: z.array(Bytes).default([]) });

/** Names of the two dialects of this interface. */
export type PackagePrefix = "v2ray.core" | "xray";

/** Numbers of the older shadowsocks ciphers, which Xray serves many users with. */
export const SHADOWSOCKS_CIPHERS: Readonly<Record<string, number>> = {
  "aes-128-gcm": 5,
  "aes-256-gcm": 6,
  "chacha20-poly1305": 7,
  "xchacha20-poly1305": 8,
};

/** An account as the interface takes it. Throws for a protocol whose users cannot change live. */
export function accountMessage(prefix: PackagePrefix, account: EngineAccount): { type: string; value: Uint8Array } {
  const typed = (name: string, value: Uint8Array): { type: string; value: Uint8Array } => ({
    type: `${prefix}.proxy.${name}`,
    value,
  });
  switch (account.protocol) {
    case "vless": {
      const { uuid: id, flow } = account;
      return typed(
        "vless.Account",
        encode("VlessAccount", { id, flow, ...(prefix === "v2ray.core" && { encryption: "none" }) }),
      );
    }
    case "vmess":
      return typed("vmess.Account", encode("VmessAccount", { id: account.uuid }));
    case "trojan":
      return typed("trojan.Account", encode("TrojanAccount", { password: account.password }));
    case "shadowsocks": {
      const cipherType = SHADOWSOCKS_CIPHERS[account.method];
      if (cipherType === undefined) throw new Error(`shadowsocks method ${account.method} has no number`);
      return typed("shadowsocks.Account", encode("ShadowsocksAccount", { password: account.password, cipherType }));
    }
    case "shadowsocks-2022":
      return typed("shadowsocks_2022.Account", encode("Shadowsocks2022Account", { key: account.password }));
    case "hysteria2":
      return typed("hysteria.account.Account", encode("HysteriaAccount", { auth: account.password }));
    default:
      throw new Error(`users of ${account.protocol} do not change live`);
  }
}

/** Bytes by user name out of an answer to `QueryStats`. */
export function countersOf(answer: Uint8Array): Map<string, ByteCount> {
  const counters = new Map<string, { up: number; down: number }>();
  for (const { name, value } of decode("QueryStatsResponse", answer, StatList).stat) {
    const match = /^user>>>(.+)>>>traffic>>>(uplink|downlink)$/.exec(name);
    if (match?.[1] === undefined) continue;
    const count = counters.get(match[1]) ?? { up: 0, down: 0 };
    if (match[2] === "uplink") count.up = value;
    else count.down = value;
    counters.set(match[1], count);
  }
  return counters;
}

/** Unix seconds by user name and address out of an answer to `GetUsersStats`. */
export function onlineOf(answer: Uint8Array): Map<string, ReadonlyMap<string, number>> {
  const { users } = decode("UsersStatsResponse", answer, OnlineList);
  return new Map(
    users.map(({ email, ips }) => [
      email,
      new Map(ips.map(({ ip, last_seen, lastSeen }) => [ip, last_seen ?? lastSeen ?? 0])),
    ]),
  );
}

/** The first inbound of an engine's own serialised configuration (`core.Config`), as `addInbound` takes it. */
export function inboundBytes(config: Uint8Array): Uint8Array {
  const [inbound] = decode("Config", config, ConfigParts).inbound;
  if (!inbound) throw new Error("the converted configuration holds no inbound");
  return inbound;
}

/** Outbounds in their order, rules and balancers of an engine's own serialised configuration. */
export function frameBytes(
  config: Uint8Array,
  prefix: PackagePrefix,
): { outbounds: Uint8Array[]; rules: Uint8Array[]; balancers: Uint8Array[] } {
  const { outbound, app } = decode("Config", config, ConfigParts);
  const router = app.find(({ type }) => type === `${prefix}.app.router.Config`)?.value;
  const parts = router ? decode("RouterConfig", router, RouterParts) : { rule: [], balancingRule: [] };
  return { outbounds: outbound, rules: parts.rule, balancers: parts.balancingRule };
}
