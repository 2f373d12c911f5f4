// One inbound of the plan as sing-box runs it, without its users: the stored fragment is sing-box's own dialect, so
// this checks more than it changes.
import { z } from "zod";
import type { PlanInbound } from "../../../protocol/plan.ts";
import type { CompiledInbound } from "../process/dialect.ts";
import { fallbackFields } from "./guards.ts";
import { INBOUND_REPLACED, INBOUNDS } from "./keys.ts";
import { type BuildTags, type Layers, needsTag, readLayers } from "./layers.ts";
import { Block, onlyAllowed, parsed, Refusal, unserved } from "./refusal.ts";

const OVER_QUIC = ["hysteria2", "tuic"];
const MUST_HAVE_TLS = [...OVER_QUIC, "anytls"];
/** Their users log in by a name of their own, which is also the name that sing-box counts and logs. */
export const NAMED: readonly string[] = ["socks", "http", "mixed", "naive"];
const CARRIES_NOBODY = ["direct", "tun", "redirect", "tproxy"];
const WITH_HEADERS = ["ws", "httpupgrade", "http", "grpc"];

const CIPHERS = ["aes-128-gcm", "aes-192-gcm", "aes-256-gcm", "chacha20-ietf-poly1305", "xchacha20-ietf-poly1305"];
const KEY_BYTES: Readonly<Record<string, number>> = { "2022-blake3-aes-128-gcm": 16, "2022-blake3-aes-256-gcm": 32 };

const Shared = z.looseObject({
  listen: z.string().default("::"),
  listen_port: z.int().min(1).max(65_535),
  detour: z.string().optional(),
  network: z.union([z.string(), z.array(z.string())]).optional(),
  method: z.string().default(""),
  password: z.string().default(""),
  version: z.int().default(1),
  ...fallbackFields,
});
type Shared = z.infer<typeof Shared>;

/** Throws a Refusal when sing-box cannot serve it. */
export function compileInbound(inbound: PlanInbound, tags: BuildTags): CompiledInbound {
  const { type } = inbound;
  if (CARRIES_NOBODY.includes(type))
    throw new Refusal(`type ${type} knows no users, so nobody could be counted or switched off`);
  if (!INBOUNDS.includes(type)) throw unserved(`type ${type}`);
  onlyAllowed("inbounds", type, inbound.config, INBOUND_REPLACED);
  if (type === "socks" && inbound.config["tls"] !== undefined) throw unserved("`tls`");
  const shared = parsed(Shared, inbound.config);
  const layers = readLayers("inbound", inbound.config, tags);
  checkLayers(type, layers, tags);
  const networks = networksOf(type, shared, layers, tags);
  const {
    type: _type,
    tag: _tag,
    listen: _listen,
    listen_port: _port,
    tls: _tls,
    transport: _transport,
    ...rest
  } = inbound.config;
  return {
    id: inbound.id,
    tag: inbound.tag,
    listen: shared.listen === "" ? "::" : shared.listen,
    port: shared.listen_port,
    networks,
    protocol: type === "shadowsocks" && shadowsocksKeyBytes(shared) !== undefined ? "shadowsocks-2022" : type,
    users: "fixed",
    mostLiveOperations: 0,
    fronted: WITH_HEADERS.includes(layers.transport) || type === "http" || type === "mixed" || type === "naive",
    anonymous: false,
    vision: type === "vless" && layers.tls && layers.transport === "",
    body: { type, ...rest, ...(type === "naive" && { network: networks }), ...alpnOf(type, layers.blocks) },
    settings: {},
    notes: [...layers.notes, ...notesOf(type, shared, layers, networks, tags)],
  };
}

/**
 * The ALPN without which clients cannot talk: over HTTP/2, those of an http proxy would talk another protocol than the
 * server; those of tuic offer h3 and end a handshake in which the server, which has no default of its own there,
 * chooses nothing.
 */
function alpnOf(type: string, blocks: Block): Block {
  if (blocks["tls"] === undefined) return blocks;
  const tls = parsed(Block, blocks["tls"]);
  if (type === "http" || type === "mixed") return { ...blocks, tls: { ...tls, alpn: ["http/1.1"] } };
  return type === "tuic" && tls["alpn"] === undefined ? { ...blocks, tls: { ...tls, alpn: ["h3"] } } : blocks;
}

/** Bytes of a user's key; undefined for the older ciphers, whose passwords are free text. */
export function shadowsocksKeyBytes({ method }: { readonly method: string }): number | undefined {
  return Object.hasOwn(KEY_BYTES, method) ? KEY_BYTES[method] : undefined;
}

function checkLayers(type: string, layers: Layers, tags: BuildTags): void {
  if (OVER_QUIC.includes(type)) needsTag(tags, "with_quic", type);
  if (MUST_HAVE_TLS.includes(type) && !layers.tls) throw new Refusal(`\`tls.enabled\`: ${type} needs TLS`);
  if (OVER_QUIC.includes(type) && layers.reality) throw new Refusal("REALITY does not exist over QUIC");
}

function networksOf(type: string, shared: Shared, layers: Layers, tags: BuildTags): ("tcp" | "udp")[] {
  if (OVER_QUIC.includes(type) || layers.transport === "quic") return ["udp"];
  if (type === "naive") {
    const wanted = listed(shared.network);
    const possible = layers.tls && tags.has("with_quic") ? wanted : wanted.filter((network) => network === "tcp");
    if (possible.length === 0)
      throw new Refusal("`network`: naive over QUIC needs TLS and a sing-box built with the tag with_quic");
    return possible;
  }
  if (type === "shadowsocks") {
    checkShadowsocks(shared);
    return listed(shared.network);
  }
  if (type === "shadowtls") checkShadowTls(shared);
  return ["tcp"];
}

function listed(network: Shared["network"]): ("tcp" | "udp")[] {
  const named = [network ?? []].flat().filter((name) => name !== "");
  const both = ["tcp", "udp"] as const;
  const unknown = named.find((name) => name !== "tcp" && name !== "udp");
  if (unknown !== undefined) throw new Refusal(`\`network\`: "${unknown}" is neither tcp nor udp`);
  return named.length === 0 ? [...both] : both.filter((name) => named.includes(name));
}

function checkShadowsocks(shared: Shared): void {
  const { method, password } = shared;
  const bytes = shadowsocksKeyBytes(shared);
  if (bytes !== undefined) {
    const key = Buffer.from(password, "base64");
    if (key.length !== bytes || key.toString("base64") !== password)
      throw new Refusal(`\`password\`: ${method} needs base64 of ${bytes} bytes`);
  } else if (method.startsWith("2022-") || method === "none")
    throw new Refusal(`\`method\`: ${method} has no users of its own, so nobody could be counted or switched off`);
  else if (!CIPHERS.includes(method)) throw unserved(`shadowsocks method ${method === "" ? "(none given)" : method}`);
}

function checkShadowTls({ version, detour }: Shared): void {
  if (version !== 3) throw new Refusal("`version`: only version 3 of shadowtls knows users");
  if (detour === undefined || detour === "")
    throw new Refusal("`detour`: shadowtls carries the connections of another inbound, which is missing");
}

function notesOf(type: string, shared: Shared, layers: Layers, networks: readonly string[], tags: BuildTags): string[] {
  const notes: string[] = [];
  if (layers.transport === "httpupgrade")
    notes.push(
      "the httpupgrade server of sing-box loses some of the new connections (up to 4 in 100); Xray's does not, and ws does not",
    );
  if (layers.transport === "grpc" && tags.has("with_grpc"))
    notes.push(
      "this sing-box was built with the tag with_grpc, with which single connections over grpc cannot be closed",
    );
  if (type === "shadowsocks" && networks.includes("udp") && ["::", "0.0.0.0", ""].includes(shared.listen))
    notes.push(
      "on a host with several addresses `listen` must name the one that clients use, or answers over UDP may leave from another",
    );
  if (type === "shadowtls")
    notes.push("users are told apart by the inbound that the connections are handed to; it counts them");
  return notes;
}
