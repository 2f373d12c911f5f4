// How an inbound hides its traffic, read from its document and written back. Pure.
import { isJson } from "../../parts/schema/schema.ts";
import type { Json } from "../../parts/form/document-draft.ts";

export type Security = "none" | "tls" | "reality";

export function securityOf(config: unknown): Security {
  const tls = isJson(config) ? config["tls"] : undefined;
  if (!isJson(tls) || tls["enabled"] !== true) return "none";
  const reality = tls["reality"];
  return isJson(reality) && reality["enabled"] === true ? "reality" : "tls";
}

/** What a type may be hidden by; the first is the usual one. */
export function securitiesOf(type: string): readonly Security[] {
  if (type === "vless") return ["reality", "tls", "none"];
  if (["trojan", "vmess", "http", "socks", "mixed"].includes(type)) return ["tls", "none"];
  if (["hysteria", "hysteria2", "tuic", "anytls", "naive"].includes(type)) return ["tls"];
  return [];
}

/** The `tls` block for another kind of hiding. Names stay; what only the former needed goes. */
export function tlsFor(security: Security, before: unknown): Json | undefined {
  if (security === "none") return undefined;
  const { reality, ...rest } = isJson(before) ? before : {};
  const tls = { ...rest, enabled: true };
  if (security === "tls") return tls;
  const site = typeof rest["server_name"] === "string" ? rest["server_name"] : "";
  const kept = isJson(reality) ? reality : { handshake: { server: site, server_port: 443 } };
  return { ...tls, reality: { ...kept, enabled: true } };
}
