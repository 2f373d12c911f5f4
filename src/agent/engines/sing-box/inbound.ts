// One inbound of the plan as sing-box runs it, without its users: the stored fragment is sing-box's own dialect, so
// this checks more than it changes.
import { z } from "zod";
import type { PlanInbound } from "../../../protocol/plan.ts";
import type { CompiledInbound } from "../process/dialect.ts";
import { fallbackFields } from "./guards.ts";
import { INBOUND_REPLACED, INBOUNDS } from "./keys.ts";
import { type BuildTags, type Layers, needsTag, readLayers } from "./layers.ts";
import { Block, onlyAllowed, parsed, unserved } from "./refusal.ts";
import { Refusal } from "../../notices.ts";
import { type Reason, reason } from "../../../protocol/notices/index.ts";

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
  if (CARRIES_NOBODY.includes(type)) throw new Refusal(reason("no_users", `type ${type}`));
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
  if (MUST_HAVE_TLS.includes(type) && !layers.tls) throw new Refusal(reason("needs_tls", type));
  if (OVER_QUIC.includes(type) && layers.reality) throw new Refusal(reason("no_reality", "QUIC"));
}

function networksOf(type: string, shared: Shared, layers: Layers, tags: BuildTags): ("tcp" | "udp")[] {
  if (OVER_QUIC.includes(type) || layers.transport === "quic") return ["udp"];
  if (type === "naive") {
    const wanted = listed(shared.network);
    const possible = layers.tls && tags.has("with_quic") ? wanted : wanted.filter((network) => network === "tcp");
    if (possible.length === 0)
      throw new Refusal(reason("needs_build", "naive over QUIC, which needs TLS,", "with_quic"));
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
  if (unknown !== undefined) throw new Refusal(reason("malformed", "network", unknown, "tcp|udp"));
  return named.length === 0 ? [...both] : both.filter((name) => named.includes(name));
}

function checkShadowsocks(shared: Shared): void {
  const { method, password } = shared;
  const bytes = shadowsocksKeyBytes(shared);
  if (bytes !== undefined) {
    const key = Buffer.from(password, "base64");
    if (key.length !== bytes || key.toString("base64") !== password)
      throw new Refusal(reason("not_key", "password", method, bytes));
  } else if (method.startsWith("2022-") || method === "none")
    throw new Refusal(reason("no_users", `\`method\` ${method}`));
  else if (!CIPHERS.includes(method)) throw unserved(`shadowsocks method ${method === "" ? "(none given)" : method}`);
}

function checkShadowTls({ version, detour }: Shared): void {
  if (version !== 3) throw new Refusal(reason("shadowtls_version"));
  if (detour === undefined || detour === "") throw new Refusal(reason("shadowtls_detour"));
}

function notesOf(type: string, shared: Shared, layers: Layers, networks: readonly string[], tags: BuildTags): Reason[] {
  const notes: Reason[] = [];
  if (layers.transport === "httpupgrade") notes.push(reason("httpupgrade_loses"));
  if (layers.transport === "grpc" && tags.has("with_grpc")) notes.push(reason("grpc_unclosable"));
  if (type === "shadowsocks" && networks.includes("udp") && ["::", "0.0.0.0", ""].includes(shared.listen))
    notes.push(reason("udp_source"));
  if (type === "shadowtls") notes.push(reason("counted_elsewhere"));
  return notes;
}
