// An inbound's `config` at write: sing-box 1.12 dialect plus xhttp, without users and without keys that newer engines
// refuse. The result is what subscriptions and node plans need to know of it; the stored fragment stays as the operator
// wrote it.
import { z } from "zod";
import { rule, ruleSaying } from "../../http/index.ts";
import { HOST_TYPES, INBOUND_TYPES, isChecked, listenFields, Obfs, typeFields } from "./inbound-fields.ts";
import {
  type Fragment,
  isFragment,
  type Issue,
  issuesOf,
  notAnObject,
  type RefusedKeys,
  withForbidden,
  withoutRefused,
} from "./issue.ts";
import { shadowsocksIssues, shadowsocksKeyBytes } from "./shadowsocks.ts";
import { parseInboundTls, type TlsDialect } from "./tls.ts";
import { parseTransport, type TransportDialect } from "./transport.ts";

const WITH_TRANSPORT = ["vless", "vmess", "trojan"];
const WITHOUT_TLS = ["shadowsocks"];
const MUST_HAVE_TLS = ["hysteria2", "tuic", "anytls"];
const OVER_QUIC = ["hysteria2", "tuic"];

const useAction = (action: string) => rule("deprecated", `a route rule with action "${action}"`);
const REFUSED: RefusedKeys = {
  users: ruleSaying("users are filled in by the panel for each node: leave them out", "panel_fills"),
  sniff: useAction("sniff"),
  sniff_override_destination: useAction("sniff"),
  sniff_timeout: useAction("sniff"),
  domain_strategy: useAction("resolve"),
  udp_disable_domain_unmapping: useAction("route-options"),
  proxy_protocol: rule("removed"),
  proxy_protocol_accept_no_header: rule("removed"),
  managed: ruleSaying("users are managed by the panel: leave it out", "panel_fills"),
};

/** What the rest of the panel needs to know of an inbound's fragment. */
export interface InboundDialect {
  readonly type: string;
  readonly tag: string;
  readonly listen: string;
  /** Undefined for inbounds that others feed (a detour). */
  readonly listenPort: number | undefined;
  /** Undefined when TLS is off. */
  readonly tls: TlsDialect | undefined;
  /** Undefined for the protocol's own plain transport. */
  readonly transport: TransportDialect | undefined;
  /**
   * Shadowsocks: the method, the server's key (empty for older methods without one), and for 2022 methods the bytes of
   * a user's key.
   */
  readonly shadowsocks:
    | { readonly method: string; readonly password: string; readonly keyBytes: 16 | 32 | undefined }
    | undefined;
  /** Hysteria 2: the salamander password; empty without obfuscation. */
  readonly obfsPassword: string;
  /** TUIC: congestion control named by the fragment. */
  readonly congestionControl: string | undefined;
  /**
   * Whether a user's `flow` xtls-rprx-vision may be used: vless with TLS or REALITY and no transport. Elsewhere every
   * connection with it would fail.
   */
  readonly vision: boolean;
  /** Clients may put many connections into one (sing-box's multiplex); with `padding` they have to pad them. */
  readonly multiplex: { readonly padding: boolean } | undefined;
}

export type InboundResult =
  | { readonly ok: true; readonly inbound: InboundDialect }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** The few fields that others need; what a type does not have reads as absent. */
const Reading = z.object({
  listen: listenFields.listen,
  listen_port: listenFields.listen_port,
  method: z.string().catch(""),
  password: z.string().catch(""),
  obfs: Obfs.optional().catch(undefined),
  congestion_control: z.string().optional().catch(undefined),
  multiplex: z
    .object({ enabled: z.boolean().catch(false), padding: z.boolean().catch(false) })
    .optional()
    .catch(undefined),
});

/** Issues of a `type` or `tag` repeated inside the fragment, which must then say the same. */
function repeatedIssues(fragment: Fragment, outer: Readonly<Record<"type" | "tag", string>>): Issue[] {
  return (["type", "tag"] as const)
    .filter((key) => fragment[key] !== undefined && fragment[key] !== outer[key])
    .map((key) => ({ path: key, ...rule("other_record", key, outer[key]) }));
}

/** What the rules between the parts look at, besides TLS and transport. */
const Crossing = z.object({
  multiplex: z
    .object({ enabled: z.boolean().catch(false) })
    .optional()
    .catch(undefined),
  fallback_for_alpn: z.unknown().optional(),
});

/** Rules between the parts: what every engine would refuse, or take and then fail every client. */
function crossIssues(
  type: string,
  tls: TlsDialect | undefined,
  transport: TransportDialect | undefined,
  own: Fragment,
): Issue[] {
  const issues: Issue[] = [];
  const { multiplex, fallback_for_alpn: byAlpn } = Crossing.parse(own);
  if (transport?.type === "xhttp" && multiplex?.enabled)
    issues.push({
      path: "multiplex",
      ...ruleSaying(
        "xhttp is served by xray alone, which has no multiplexing of this kind: leave it out",
        "no_layer",
        "xhttp",
        "multiplex",
      ),
    });
  if (byAlpn !== undefined && !tls)
    issues.push({
      path: "fallback_for_alpn",
      ...ruleSaying("needs TLS, where ALPN is spoken", "needs_tls", "fallback_for_alpn"),
    });
  if (MUST_HAVE_TLS.includes(type) && !tls) issues.push({ path: "tls.enabled", ...rule("needs_tls", type) });
  if (OVER_QUIC.includes(type) && tls?.reality)
    issues.push({
      path: "tls.reality",
      ...ruleSaying(`${type} runs over QUIC, where REALITY does not exist`, "no_layer", type, "REALITY"),
    });
  if (transport?.type === "quic" && !tls)
    issues.push({ path: "tls.enabled", ...rule("needs_tls", "the quic transport") });
  if (transport?.type === "quic" && tls?.reality)
    issues.push({
      path: "tls.reality",
      ...ruleSaying("REALITY does not exist over the quic transport", "no_layer", "quic", "REALITY"),
    });
  return issues;
}

/** Checks an inbound's fragment. `issues` name fields relative to `config`, except for `type` itself. */
export function parseInboundConfig(type: string, tag: string, config: unknown): InboundResult {
  if (HOST_TYPES.includes(type))
    return {
      ok: false,
      issues: [{ path: "type", ...ruleSaying(`${type} takes in what the host itself sends`, "forbidden_key") }],
    };
  if (!INBOUND_TYPES.includes(type))
    return { ok: false, issues: [{ path: "type", ...rule("choice", ...INBOUND_TYPES) }] };
  if (!isFragment(config)) return { ok: false, issues: [{ path: "", ...notAnObject }] };
  const { issues, rest } = withoutRefused(config, REFUSED);
  issues.push(...repeatedIssues(rest, { type, tag }));
  const { type: _type, tag: _tag, tls: tlsBlock, transport: transportBlock, ...own } = rest;

  const { tls, transport } = readLayers(type, tlsBlock, transportBlock, issues);
  const shape: z.ZodObject = isChecked(type)
    ? z.strictObject({ ...listenFields, ...typeFields[type] })
    : z.looseObject(listenFields);
  const parsed = shape.safeParse(own);
  if (!parsed.success) issues.push(...issuesOf(parsed.error, own));
  const reading = Reading.safeParse(own);
  const method = reading.data?.method ?? "";
  if (type === "shadowsocks" && method !== "") issues.push(...shadowsocksIssues(method, reading.data?.password ?? ""));
  if (issues.length === 0) issues.push(...crossIssues(type, tls, transport, own));
  const all = withForbidden("inbounds", type, config, issues);
  if (all.length > 0 || !reading.success) return { ok: false, issues: all };

  const { listen, listen_port: listenPort, password, obfs, congestion_control, multiplex } = reading.data;
  const inbound: InboundDialect = {
    type,
    tag,
    listen,
    listenPort,
    tls,
    transport,
    shadowsocks: type === "shadowsocks" ? { method, password, keyBytes: shadowsocksKeyBytes(method) } : undefined,
    obfsPassword: type === "hysteria2" ? (obfs?.password ?? "") : "",
    congestionControl: type === "tuic" ? congestion_control : undefined,
    vision: type === "vless" && tls !== undefined && transport === undefined,
    multiplex: multiplex?.enabled ? { padding: multiplex.padding } : undefined,
  };
  return { ok: true, inbound };
}

/** Reads `tls` and `transport` where the type has them; issues are added to `issues`. */
function readLayers(
  type: string,
  tlsBlock: unknown,
  transportBlock: unknown,
  issues: Issue[],
): { tls: TlsDialect | undefined; transport: TransportDialect | undefined } {
  // The engine itself reads these blocks of a type that is not checked.
  if (!isChecked(type)) return { tls: parseInboundTls(tlsBlock).tls, transport: undefined };
  const transport = parseTransport(transportBlock);
  const overQuic = transport.transport?.type === "quic" ? "the quic transport" : OVER_QUIC.includes(type) ? type : "";
  const tls = parseInboundTls(tlsBlock, overQuic);
  if (WITHOUT_TLS.includes(type) && tlsBlock !== undefined)
    issues.push({ path: "tls", ...rule("no_layer", type, "TLS") });
  else issues.push(...tls.issues);
  if (!WITH_TRANSPORT.includes(type) && transportBlock !== undefined)
    issues.push({ path: "transport", ...ruleSaying(`${type} has no transports`, "no_layer", type, "transport") });
  else issues.push(...transport.issues);
  return { tls: tls.tls, transport: transport.transport };
}
