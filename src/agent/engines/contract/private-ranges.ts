// The addresses that proxy users must not reach unless the node's operator allows it: the host itself and the networks that only it can see.

/** IPv4: this host, private, carrier-grade NAT, link-local, protocol assignments, benchmarking, multicast, reserved and broadcast. */
const IPV4 = [
  "127.0.0.0/8",
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "192.0.0.0/24",
  "198.18.0.0/15",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** IPv6: this host (`::` reaches it too), unique local, link-local, site-local, multicast, and NAT64 for local use. */
const IPV6 = ["::1/128", "::/128", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "64:ff9b:1::/48"];

/** An IPv4 range as it looks behind a translator: NAT64's well-known prefix and 6to4. Engines read IPv4-mapped addresses as IPv4 by themselves. */
function translated(range: string): string[] {
  const [address = "", bits = "0"] = range.split("/");
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const high = (a * 256 + b).toString(16);
  const low = (c * 256 + d).toString(16);
  return [`64:ff9b::${high}:${low}/${96 + Number(bits)}`, `2002:${high}:${low}::/${16 + Number(bits)}`];
}

export const PRIVATE_RANGES: readonly string[] = [...IPV4, ...IPV6, ...IPV4.flatMap(translated)];

/** What reaches the host itself, whatever it listens on. */
export const LOOPBACK_RANGES: readonly string[] = ["127.0.0.0/8", "0.0.0.0/8", "::1/128", "::/128"];

/** Names that mean the host itself without being asked of any server. */
export const LOCAL_NAMES: readonly string[] = ["full:localhost", "domain:localhost"];
