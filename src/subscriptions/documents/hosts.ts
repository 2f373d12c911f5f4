// Addresses as clients get them: link address lists of nodes, international names in ASCII, IPv6 in brackets.
import { isIP, isIPv6, SocketAddress } from "node:net";
import { domainToASCII } from "node:url";

export interface LinkAddress {
  /** Empty for a bare address. */
  readonly label: string;
  /** An IP address (IPv6 without brackets) or a host name in ASCII. */
  readonly address: string;
}

/**
 * A host as formats carry it: brackets around IPv6 taken off, an international name in punycode. Text that is no host
 * name comes back as it was.
 */
export function plainHost(host: string): string {
  const trimmed = host.trim();
  const bare = /^\[.*\]$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
  return isIPv6(bare) ? bare : domainToASCII(bare) || bare;
}

/** One spelling for comparing hosts: names in lower-case ASCII, IPv6 compressed. */
export function comparableHost(host: string): string {
  const plain = plainHost(host).toLowerCase();
  return isIP(plain) === 6 ? new SocketAddress({ address: plain, family: "ipv6" }).address : plain;
}

/** A host as written before a port in a URL. */
export function hostInUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

/**
 * Reads a node's `linkAddress` (entries `address` or `label|address`, comma-separated); without any, the node's own
 * address.
 */
export function parseLinkAddresses(linkAddress: string, nodeAddress: string): LinkAddress[] {
  const entries = linkAddress
    .split(",")
    .map((entry) => {
      const bar = entry.lastIndexOf("|");
      return { label: bar < 0 ? "" : entry.slice(0, bar).trim(), address: plainHost(entry.slice(bar + 1)) };
    })
    .filter((entry) => entry.address !== "");
  return entries.length > 0 ? entries : [{ label: "", address: plainHost(nodeAddress) }];
}
