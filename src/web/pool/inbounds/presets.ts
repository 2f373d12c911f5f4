// What a new inbound begins as: a working document for each usual kind, with keys of its own. Pure.
import type { Json } from "../../parts/form/document-draft.ts";

export const PRESETS = [
  "reality",
  "plain",
  "ws",
  "trojan",
  "shadowsocks",
  "hysteria2",
  "tuic",
  "mixed",
  "blank",
] as const;
export type Preset = (typeof PRESETS)[number];

export interface PresetKeys {
  /** The private key of REALITY; `shortId` belongs to it. */
  readonly privateKey?: string;
  readonly shortId?: string;
  /** The key of Shadowsocks. */
  readonly key?: string;
  /** The password of Hysteria 2's obfuscation. */
  readonly password?: string;
}

/** A large site on its own servers, which REALITY shows to strangers until another is chosen. */
const SITE = "www.microsoft.com";
export const SHADOWSOCKS_METHOD = "2022-blake3-aes-128-gcm";

/** What has to be made first. */
export const PRESET_TOOLS: Readonly<Partial<Record<Preset, "reality-keypair" | "ss-key" | "password">>> = {
  reality: "reality-keypair",
  shadowsocks: "ss-key",
  hysteria2: "password",
};

export function presetDocument(preset: Preset, port: number, keys: PresetKeys): Json {
  const listens = { listen: "0.0.0.0", listen_port: port };
  const certified = { enabled: true };
  switch (preset) {
    case "reality":
      return made("vless", `vless-reality-${port}`, {
        ...listens,
        tls: {
          enabled: true,
          server_name: SITE,
          reality: {
            enabled: true,
            handshake: { server: SITE, server_port: 443 },
            private_key: keys.privateKey ?? "",
            short_id: [keys.shortId ?? ""],
          },
        },
      });
    case "plain":
      return made("vless", `vless-${port}`, listens);
    case "ws":
      return made("vless", `vless-ws-${port}`, { ...listens, transport: { type: "ws", path: "/ws" } });
    case "trojan":
      return made("trojan", `trojan-${port}`, { ...listens, tls: certified }, true);
    case "shadowsocks":
      return made("shadowsocks", `shadowsocks-${port}`, {
        ...listens,
        method: SHADOWSOCKS_METHOD,
        password: keys.key ?? "",
      });
    case "hysteria2":
      return made(
        "hysteria2",
        `hysteria2-${port}`,
        { ...listens, obfs: { type: "salamander", password: keys.password ?? "" }, tls: certified },
        true,
      );
    case "tuic":
      return made("tuic", `tuic-${port}`, { ...listens, congestion_control: "bbr", tls: certified }, true);
    case "mixed":
      return made("mixed", `mixed-${port}`, listens);
    case "blank":
      return made("vless", `inbound-${port}`, listens);
  }
}

/** `useNodeCert`: the node brings the certificate, so that TLS needs no file. */
function made(type: string, tag: string, config: Json, useNodeCert = false): Json {
  return { tag, type, remark: "", config, useNodeCert, clientConfig: {}, frontedOnly: false };
}
