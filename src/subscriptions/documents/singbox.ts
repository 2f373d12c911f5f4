// The `singbox` format: one complete client configuration with a selector over all entries and an automatic choice.
// Clients that say an older version of the core get its dialect: one unknown key makes it refuse the whole file.
import { type CoreVersion, olderThan } from "./cores.ts";
import type { Entry } from "./model.ts";
import { singBoxOutbound } from "./singbox-outbound.ts";

type Json = Readonly<Record<string, unknown>>;

/** What surrounds the servers. */
interface Frame {
  readonly dns: Json;
  readonly inbounds: readonly Json[];
  readonly outbounds: readonly Json[];
  readonly route: Json;
}

const TUN = ["172.19.0.1/30", "fdfe:dcba:9876::1/126"] as const;
const DIRECT = { type: "direct", tag: "direct" };

function frame(core: CoreVersion, hasServers: boolean): Frame {
  // Before 1.11 sniffing belonged to inbounds and DNS had an outbound; before 1.12 its servers were addresses.
  const actions = !olderThan(core, 1, 11);
  const typed = !olderThan(core, 1, 12);
  const detour = hasServers ? { detour: "proxy" } : {};
  const sniff = actions ? {} : { sniff: true };
  const tun = olderThan(core, 1, 10) ? { inet4_address: TUN[0], inet6_address: TUN[1] } : { address: TUN };
  const dns = typed
    ? {
        servers: [
          { type: "local", tag: "dns-local" },
          { type: "https", tag: "dns-remote", server: "1.1.1.1", ...detour },
        ],
        final: "dns-remote",
      }
    : {
        servers: [
          { tag: "dns-local", address: "local", detour: "direct" },
          { tag: "dns-remote", address: "https://1.1.1.1/dns-query", ...detour },
        ],
        rules: [{ outbound: "any", server: "dns-local" }],
        final: "dns-remote",
      };
  const hijack = actions
    ? [{ action: "sniff" }, { protocol: "dns", action: "hijack-dns" }]
    : [{ protocol: "dns", outbound: "dns-out" }];
  return {
    dns,
    inbounds: [
      { type: "tun", tag: "tun-in", ...tun, auto_route: true, strict_route: true, ...sniff },
      { type: "mixed", tag: "mixed-in", listen: "127.0.0.1", listen_port: 2080, ...sniff },
    ],
    outbounds: [DIRECT, ...(actions ? [] : [{ type: "dns", tag: "dns-out" }])],
    route: {
      rules: [...hijack, { ip_is_private: true, outbound: "direct" }],
      final: "proxy",
      auto_detect_interface: true,
      ...(typed ? { default_domain_resolver: "dns-local" } : {}),
    },
  };
}

/** The document as JSON text. Entries that sing-box cannot carry are left out; without any, everything goes direct. */
export function renderSingBox(entries: readonly Entry[], core?: CoreVersion): string {
  const carried = entries.flatMap((entry) => {
    const outbound = singBoxOutbound(entry, core);
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
  const base = frame(core, tags.length > 0);
  const document = {
    log: { level: "warn" },
    dns: base.dns,
    inbounds: base.inbounds,
    outbounds: [
      { type: "selector", tag: "proxy", outbounds: choices, default: choices[0] },
      ...auto,
      ...servers,
      ...base.outbounds,
    ],
    route: base.route,
  };
  return JSON.stringify(document, null, 2);
}
