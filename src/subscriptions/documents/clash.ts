// The `clash` format: one complete configuration of mihomo, with a group to choose from and an automatic choice.
import { PRIVATE_RANGES } from "../../lib/private-addresses.ts";
import { clashProxy } from "./clash-proxy.ts";
import type { CoreVersion } from "./cores.ts";
import type { Entry } from "./model.ts";
import { yamlText } from "../../lib/yaml.ts";

/** Names that no entry has: `names.ts` keeps them free. */
const CHOICE = "Proxy";
const AUTO = "Auto";

/** `IP-CIDR6` for the networks of IPv6. */
function directRule(range: string): string {
  return `${range.includes(":") ? "IP-CIDR6" : "IP-CIDR"},${range},DIRECT,no-resolve`;
}

/** The document as YAML text. Entries that mihomo cannot carry are left out; without any, everything goes direct. */
export function renderClash(entries: readonly Entry[], core?: CoreVersion): string {
  const carried = entries.flatMap((entry) => {
    const proxy = clashProxy(entry, core);
    return proxy ? [{ name: entry.name, proxy }] : [];
  });
  const names = carried.map(({ name }) => name);
  // A group without members is refused.
  const auto =
    names.length === 0
      ? []
      : [
          {
            name: AUTO,
            type: "url-test",
            proxies: names,
            url: "http://www.gstatic.com/generate_204",
            interval: 300,
          },
        ];
  return yamlText({
    "mixed-port": 7890,
    "allow-lan": false,
    mode: "rule",
    "log-level": "warning",
    ipv6: true,
    dns: {
      enable: true,
      ipv6: true,
      "enhanced-mode": "fake-ip",
      "fake-ip-range": "198.18.0.1/16",
      "default-nameserver": ["1.1.1.1", "8.8.8.8"],
      nameserver: ["https://1.1.1.1/dns-query", "https://8.8.8.8/dns-query"],
    },
    proxies: carried.map(({ proxy }) => proxy),
    "proxy-groups": [
      { name: CHOICE, type: "select", proxies: [...auto.map(({ name }) => name), ...names, "DIRECT"] },
      ...auto,
    ],
    rules: [...PRIVATE_RANGES.map(directRule), `MATCH,${CHOICE}`],
  });
}
