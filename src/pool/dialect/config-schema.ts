// What a fragment may hold, as JSON Schema, for forms and editors: the closed lists of keys, with what the checks at
// write say of their values. A fragment that passes it may still be refused for what one field says of another.
import { z } from "zod";
import { type Collection, keysOf, type KeySchema } from "../../dialect/index.ts";
import { ClientConfig } from "./client-config.ts";
import { isChecked, listenFields, typeFields } from "./inbound-fields.ts";
import { outboundFields } from "./outbound.ts";
import { InboundTlsBlock } from "./tls.ts";
import { AnyTransport } from "./transport.ts";

type Json = Readonly<Record<string, unknown>>;

/** Types of keys that no check looks at; those that stand nowhere here take any scalar. */
const TYPES: Readonly<Record<string, KeySchema>> = {
  ...keys("boolean", "enabled insecure disable_sni tcp_fast_open tcp_multi_path udp_fragment reuse_addr"),
  ...keys("boolean", "disable_tcp_keep_alive bind_address_no_port global_padding authenticated_length padding"),
  ...keys("boolean", "zero_rtt_handshake udp_over_stream interrupt_exist_connections fragment record_fragment"),
  ...keys("boolean", "brutal_debug disable_mtu_discovery strict_mode ignore_client_bandwidth permit_without_stream"),
  ...keys("integer", "up_mbps down_mbps alter_id tolerance max_connections min_streams max_streams min_idle_session"),
  ...keys("integer", "recv_window recv_window_conn recv_window_client max_conn_client mtu workers override_port"),
  ...keys("string", "fingerprint server_name public_key password uuid username private_key packet_encoding security"),
  ...keys("string", "congestion_control udp_relay_mode interval idle_timeout url method network detour"),
};

function keys(type: string, names: string): Record<string, KeySchema> {
  return Object.fromEntries(names.split(" ").map((name) => [name, { type }]));
}

/** What is checked of a fragment's values; undefined: nothing but its keys. */
function checkedOf(collection: Collection, type: string): z.ZodType | undefined {
  if (collection === "inbounds") {
    const own = isChecked(type) ? typeFields[type] : {};
    return z.object({ ...listenFields, ...own, tls: InboundTlsBlock.optional(), transport: AnyTransport.optional() });
  }
  if (collection === "outbounds") return Object.hasOwn(outboundFields, type) ? outboundFields[type] : undefined;
  return collection === "clientConfig" ? ClientConfig : undefined;
}

/** Undefined for a type that is not allowed. */
export function configSchema(collection: Collection, type: string): Json | undefined {
  const allowed = keysOf(collection, type);
  if (allowed === undefined) return undefined;
  const checked = checkedOf(collection, type);
  const { $schema, ...typed }: Json =
    checked === undefined ? {} : z.toJSONSchema(checked, { io: "input", unrepresentable: "any", reused: "inline" });
  // The record's own.
  const { type: _type, tag: _tag, ...properties } = allowed.properties ?? {};
  return joined(allowed.properties === undefined ? allowed : { ...allowed, properties }, typed, "");
}

/** Both schemas at once: keys of the list, values as they are checked. */
function joined(list: KeySchema, typed: unknown, key: string): Json {
  const checks = isJson(typed) ? typed : {};
  if (list.oneOf) {
    const ways = Array.isArray(checks["oneOf"]) ? checks["oneOf"].filter(isJson) : [];
    return { oneOf: list.oneOf.map((way) => joined(way, ways.find((each) => isSameWay(way, each)) ?? {}, key)) };
  }
  if (list.type === "array") return { ...list, items: joined(list.items ?? {}, checks["items"], key) };
  if (list.properties) {
    const checkedKeys = isJson(checks["properties"]) ? checks["properties"] : {};
    const required = Array.isArray(checks["required"]) ? checks["required"] : list.required;
    return {
      ...list,
      properties: Object.fromEntries(
        Object.entries(list.properties).map(([name, each]) => [name, joined(each, checkedKeys[name], name)]),
      ),
      ...(required === undefined || required.length === 0 ? {} : { required }),
    };
  }
  if (list.anyOf) return { anyOf: list.anyOf.map((each) => joined(each, {}, "")) };
  const secret = list.writeOnly === true ? { writeOnly: true } : {};
  if (list.const !== undefined) return { const: list.const };
  const isPlain = list.type === undefined;
  const known = isPlain && Object.keys(checks).length === 0 && Object.hasOwn(TYPES, key) ? TYPES[key] : {};
  return { ...list, ...known, ...checks, ...secret };
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two ways of a choice are called the same. */
function isSameWay(way: KeySchema, checked: Json): boolean {
  const properties = isJson(checked["properties"]) ? checked["properties"] : {};
  return Object.entries(way.properties ?? {}).some(([name, { const: called }]) => {
    const other = properties[name];
    return called !== undefined && isJson(other) && other["const"] === called;
  });
}
