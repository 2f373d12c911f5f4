// The `singbox` format: one complete client configuration with a selector over all entries and an automatic choice.
import type { Entry } from "./model.ts";
import { singBoxOutbound } from "./singbox-outbound.ts";

/** The document as JSON text. Entries that sing-box cannot carry are left out; without any, everything goes direct. */
export function renderSingBox(entries: readonly Entry[]): string {
  const carried = entries.flatMap((entry) => {
    const outbound = singBoxOutbound(entry);
    return outbound ? [{ tag: entry.name, outbound }] : [];
  });
  const servers = carried.map((server) => server.outbound);
  const tags = carried.map((server) => server.tag);
  // A urltest without members is refused.
  const auto =
    tags.length === 0
      ? []
      : [
          {
            type: "urltest",
            tag: "auto",
            outbounds: tags,
            url: "http://www.gstatic.com/generate_204",
            interval: "10m",
          },
        ];
  const choices = [...auto.map((group) => group.tag), ...tags, "direct"];
  const remote = {
    type: "https",
    tag: "dns-remote",
    server: "1.1.1.1",
    ...(tags.length === 0 ? {} : { detour: "proxy" }),
  };
  const document = {
    log: { level: "warn" },
    dns: { servers: [{ type: "local", tag: "dns-local" }, remote], final: "dns-remote" },
    inbounds: [
      {
        type: "tun",
        tag: "tun-in",
        address: ["172.19.0.1/30", "fdfe:dcba:9876::1/126"],
        auto_route: true,
        strict_route: true,
      },
      { type: "mixed", tag: "mixed-in", listen: "127.0.0.1", listen_port: 2080 },
    ],
    outbounds: [
      { type: "selector", tag: "proxy", outbounds: choices, default: choices[0] },
      ...auto,
      ...servers,
      { type: "direct", tag: "direct" },
    ],
    route: {
      rules: [
        { action: "sniff" },
        { protocol: "dns", action: "hijack-dns" },
        { ip_is_private: true, outbound: "direct" },
      ],
      final: "proxy",
      auto_detect_interface: true,
      default_domain_resolver: "dns-local",
    },
  };
  return JSON.stringify(document, null, 2);
}
