// The `xray` format: complete client configurations, one for each entry, as a JSON array; a single one as the object
// that `v2ray -config` and `xray run -c` take.
import { PRIVATE_RANGES } from "../../lib/private-addresses.ts";
import type { Entry } from "./model.ts";
import { xrayOutbound } from "./xray-outbound.ts";

/**
 * A complete configuration around one outbound: local socks and http proxies, private targets direct, all else through
 * the entry.
 */
function configuration(
  remarks: string,
  outbound: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const sniffing = { enabled: true, destOverride: ["http", "tls"] };
  return {
    remarks,
    log: { loglevel: "warning" },
    dns: { servers: ["1.1.1.1", "8.8.8.8"] },
    inbounds: [
      {
        tag: "socks",
        listen: "127.0.0.1",
        port: 10_808,
        protocol: "socks",
        settings: { auth: "noauth", udp: true },
        sniffing,
      },
      { tag: "http", listen: "127.0.0.1", port: 10_809, protocol: "http", settings: {}, sniffing },
    ],
    outbounds: [
      outbound,
      { tag: "direct", protocol: "freedom", settings: {} },
      { tag: "block", protocol: "blackhole", settings: {} },
    ],
    routing: { domainStrategy: "AsIs", rules: [{ type: "field", ip: PRIVATE_RANGES, outboundTag: "direct" }] },
  };
}

/** As JSON text. Entries that Xray cannot carry are left out. */
export function renderXray(entries: readonly Entry[]): string {
  const configurations = entries.flatMap((entry) => {
    const outbound = xrayOutbound(entry, "proxy");
    return outbound ? [configuration(entry.name, outbound)] : [];
  });
  return JSON.stringify(configurations.length === 1 ? configurations[0] : configurations, null, 2);
}
