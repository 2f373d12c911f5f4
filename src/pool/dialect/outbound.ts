// An outbound's or endpoint's `config` at write: only what would make every engine refuse it, and the names that it
// refers to.
import { z } from "zod";
import { rule, ruleSaying, matching } from "../../http/index.ts";
import { Anything, Port } from "./fields.ts";
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

const serverFields = { server: z.string("must name the server").min(1, "must name the server"), server_port: Port };
const dialFields = {
  detour: z.string().optional(),
  tls: Anything.optional(),
  transport: Anything.optional(),
  multiplex: Anything.optional(),
};
const Uuid = z.string().check(matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, rule("uuid")));
const password = z.string("must be the password").min(1, "must not be empty");
const members = z
  .array(z.string().min(1), "must list the tags to choose from")
  .min(1, "must list the tags to choose from");

const remote = { ...serverFields, ...dialFields };
/** Fields of each type that the panel checks the values of. */
export const outboundFields: Readonly<Record<string, z.ZodObject>> = {
  direct: z.looseObject({ detour: z.string().optional() }),
  block: z.strictObject({}),
  socks: z.looseObject({ ...remote, version: z.enum(["4", "4a", "5"], "must be 4, 4a or 5").optional() }),
  http: z.looseObject(remote),
  shadowsocks: z.looseObject({ ...remote, method: z.string("must name a Shadowsocks method"), password }),
  vmess: z.looseObject({ ...remote, uuid: Uuid }),
  vless: z.looseObject({
    ...remote,
    uuid: Uuid,
    flow: z.enum(["", "xtls-rprx-vision"], "must be xtls-rprx-vision or absent").optional(),
  }),
  trojan: z.looseObject({ ...remote, password }),
  hysteria: z.looseObject(dialFields),
  hysteria2: z.looseObject({ ...dialFields, server: serverFields.server, server_port: Port.optional() }),
  tuic: z.looseObject({ ...remote, uuid: Uuid }),
  anytls: z.looseObject({ ...remote, password }),
  shadowtls: z.looseObject(remote),
  ssh: z.looseObject({ ...dialFields, server: serverFields.server, server_port: Port.optional() }),
  selector: z.looseObject({ outbounds: members, default: z.string().optional() }),
  urltest: z.looseObject({ outbounds: members }),
};

/** Every outbound type that the panel accepts. */
export const OUTBOUND_TYPES: readonly string[] = Object.keys(outboundFields);
const NEEDS_TLS = ["hysteria", "hysteria2", "tuic", "anytls", "shadowtls"];

const DEPRECATED_TYPES: RefusedKeys = {
  dns: ruleSaying(
    'dns is deprecated: use a route rule with action "hijack-dns"',
    "deprecated",
    'a route rule with action "hijack-dns"',
  ),
  wireguard: ruleSaying("wireguard is deprecated as an outbound: make it an endpoint", "deprecated", "an endpoint"),
};

const REFUSED: RefusedKeys = { domain_strategy: rule("deprecated", "domain_resolver") };
const REFUSED_DIRECT: RefusedKeys = {
  ...REFUSED,
  override_address: rule("deprecated", 'a route rule with action "route-options"'),
  override_port: rule("deprecated", 'a route rule with action "route-options"'),
  proxy_protocol: rule("removed"),
};

export type OutboundResult =
  /** `references`: tags of other outbounds that this one names (members, detour). */
  | { readonly ok: true; readonly references: readonly string[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Vision flow works only over TLS without a transport; engines accept it elsewhere and every connection fails. */
function flowIssues(fragment: Fragment): Issue[] {
  if (fragment["flow"] === undefined || fragment["flow"] === "") return [];
  const tls = isFragment(fragment["tls"]) && fragment["tls"]["enabled"] === true;
  if (tls && fragment["transport"] === undefined) return [];
  return [{ path: "flow", ...rule("vision") }];
}

/** Checks an outbound's fragment. `issues` name fields relative to `config`, except for `type` itself. */
export function parseOutboundConfig(type: string, config: unknown): OutboundResult {
  const shape = Object.hasOwn(outboundFields, type) ? outboundFields[type] : undefined;
  if (type === "tor")
    return { ok: false, issues: [{ path: "type", ...ruleSaying("tor is a program of the host", "forbidden_key") }] };
  if (!shape) {
    const deprecated = Object.hasOwn(DEPRECATED_TYPES, type) ? DEPRECATED_TYPES[type] : undefined;
    return { ok: false, issues: [{ path: "type", ...(deprecated ?? rule("choice", ...OUTBOUND_TYPES)) }] };
  }
  if (!isFragment(config)) return { ok: false, issues: [{ path: "", ...notAnObject }] };
  const { issues, rest } = withoutRefused(config, type === "direct" ? REFUSED_DIRECT : REFUSED);
  const { type: _type, tag: _tag, ...own } = rest;
  const parsed = shape.safeParse(own);
  if (!parsed.success) issues.push(...issuesOf(parsed.error, own));
  if (type === "vless") issues.push(...flowIssues(own));
  const tlsOn = isFragment(own["tls"]) && own["tls"]["enabled"] === true;
  if (NEEDS_TLS.includes(type) && !tlsOn) issues.push({ path: "tls.enabled", ...rule("needs_tls", type) });
  const listed = Array.isArray(own["outbounds"]) ? own["outbounds"] : [];
  const references = [...listed, own["detour"]].filter((tag) => typeof tag === "string" && tag !== "");
  if (typeof own["default"] === "string" && !listed.includes(own["default"])) {
    issues.push({ path: "default", ...ruleSaying("must be one of outbounds", "choice", ...listed.map(String)) });
  }
  const all = withForbidden("outbounds", type, config, issues);
  return all.length > 0 ? { ok: false, issues: all } : { ok: true, references: [...new Set(references)] };
}

const wireguardKey = z.string().check(matching(/^[A-Za-z0-9+/]{43}=$/, rule("base64", 32)));
const endpointShapes = {
  wireguard: z.looseObject({
    private_key: wireguardKey,
    address: z
      .array(z.string(), "must list the addresses of the interface")
      .min(1, "must list the addresses of the interface"),
    peers: z
      .array(z.looseObject({ public_key: wireguardKey, allowed_ips: z.array(z.string()) }), "must list the peers")
      .min(1, "must list the peers"),
  }),
  tailscale: z.looseObject({}),
};

/** Checks an endpoint's fragment (`wireguard` or `tailscale`). */
export function parseEndpointConfig(type: string, config: unknown): OutboundResult {
  if (type !== "wireguard" && type !== "tailscale")
    return { ok: false, issues: [{ path: "type", ...rule("choice", "wireguard", "tailscale") }] };
  if (!isFragment(config)) return { ok: false, issues: [{ path: "", ...notAnObject }] };
  const { issues, rest } = withoutRefused(config, REFUSED);
  const parsed = endpointShapes[type].safeParse(rest);
  if (!parsed.success) issues.push(...issuesOf(parsed.error, rest));
  const all = withForbidden("endpoints", type, config, issues);
  if (all.length > 0) return { ok: false, issues: all };
  return { ok: true, references: typeof rest["detour"] === "string" ? [rest["detour"]] : [] };
}
