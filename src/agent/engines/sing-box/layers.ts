// The `tls` and `transport` blocks of inbounds and outbounds: what sing-box, as it was built, has of them.
import { z } from "zod";
import { TRANSPORTS } from "./keys.ts";
import { Block, parsed, textsOf, unserved } from "./refusal.ts";
import { Refusal } from "../../notices.ts";
import { type Reason, reason } from "../../../protocol/notices/index.ts";

/** What can only be done by a sing-box that was built with it. */
export type BuildTags = ReadonlySet<string>;

/** Refuses what the installed build has not got. */
export function needsTag(tags: BuildTags, tag: string, what: string): void {
  if (!tags.has(tag)) throw new Refusal(reason("needs_build", what, tag));
}

const Tls = z.looseObject({
  enabled: z.boolean().default(false),
  reality: Block.optional(),
  utls: Block.optional(),
  ech: Block.optional(),
});
const Transport = z.looseObject({ type: z.string().default("") });

export interface Layers {
  readonly tls: boolean;
  readonly reality: boolean;
  /** Empty without one. */
  readonly transport: string;
  /** The two blocks, as far as they are there. */
  readonly blocks: Block;
  readonly notes: readonly Reason[];
}

function hasPair(tls: Block): boolean {
  const certificate = textsOf(tls["certificate"]).join("\n");
  const key = textsOf(tls["key"]).join("\n");
  if (certificate !== "" && !certificate.includes("-----BEGIN CERTIFICATE-----"))
    throw new Refusal(reason("not_pem", "`tls.certificate`"));
  if (key !== "" && !/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key)) throw new Refusal(reason("not_pem", "`tls.key`"));
  return certificate !== "" && key !== "";
}

function readTls(
  side: "inbound" | "outbound",
  value: unknown,
  tags: BuildTags,
): { block: Block | undefined; reality: boolean; notes: Reason[] } {
  const off = { block: undefined, reality: false, notes: [] };
  if (value === undefined) return off;
  const { enabled, reality, utls } = parsed(Tls, value, "tls");
  if (!enabled) return off;
  const { handshake_timeout: patience, ...block } = parsed(Block, value, "tls");
  const notes = patience === undefined ? [] : [reason("ignored", "sing-box", "tls.handshake_timeout", "")];
  const borrowed = reality?.["enabled"] === true;
  if (borrowed) needsTag(tags, "with_utls", "REALITY");
  if (utls?.["enabled"] === true) needsTag(tags, "with_utls", "`tls.utls`");
  if (side === "outbound") return { block, reality: borrowed, notes };
  if (borrowed) {
    if (typeof reality["private_key"] !== "string" || reality["private_key"] === "")
      throw new Refusal(reason("missing", "tls.reality.private_key"));
    if (reality["handshake"] === undefined) throw new Refusal(reason("missing", "tls.reality.handshake"));
  } else if (!hasPair(block)) throw new Refusal(reason("no_certificate"));
  // A block that is switched off may be incomplete.
  const { reality: _off, ...plain } = block;
  return { block: borrowed ? block : plain, reality: borrowed, notes };
}

function readTransport(value: unknown, tags: BuildTags): Block | undefined {
  if (value === undefined) return undefined;
  const { type } = parsed(Transport, value, "transport");
  if (type === "") return undefined;
  if (type === "xhttp") throw unserved("transport xhttp", "xray");
  if (!TRANSPORTS.includes(type)) throw unserved(`transport ${type}`);
  if (type === "quic") needsTag(tags, "with_quic", "transport quic");
  return parsed(Block, value, "transport");
}

/** Throws a Refusal for what sing-box, or this build of it, has not got. */
export function readLayers(side: "inbound" | "outbound", config: Block, tags: BuildTags): Layers {
  const { block: tls, reality, notes } = readTls(side, config["tls"], tags);
  const block = readTransport(config["transport"], tags);
  const transport = typeof block?.["type"] === "string" ? block["type"] : "";
  if (transport === "quic" && !tls) throw new Refusal(reason("needs_tls", "transport quic"));
  if (transport === "quic" && reality) throw new Refusal(reason("no_reality", "QUIC"));
  return {
    tls: tls !== undefined,
    reality,
    transport,
    blocks: { ...(tls && { tls }), ...(block && { transport: block }) },
    notes,
  };
}
