// The table that is the port map, as nft reads it. Pure: text from mappings.
//
// A packet for a mapped port gets the inner port and keeps its address, so listeners on one address and on all work
// alike and the engine sees the address that the client dialled. Only the host's own addresses are looked at: what a
// router forwards goes its way. The kernel remembers for each flow where it went, so a change of the map concerns new
// flows alone.
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { plainAddress } from "../../../lib/written-address.ts";
import { PRIVATE_RANGES } from "../../private-ranges.ts";
import type { Flow, Mapping, TargetGuard } from "./port-map.ts";

/** How long a flow of datagrams counts as one after its client's last packet. */
export const FLOW_SECONDS = 60;
/** Flows and drops are bounded, so that nobody fills the kernel's memory with forged sources. */
const MOST_FLOWS = 65_535;
/** In the low byte: marks that others give meaning to by masks (Tailscale, Kubernetes, Calico) stand above it. */
export const PACKET_MARK = 0x5e;
const MARKED = `meta mark ${PACKET_MARK} meta l4proto udp`;
/** What is marked so reaches neither private targets nor the engines' own interfaces, or not the latter alone. */
export const TARGET_MARKS = { block: 0x5c, allow: 0x5d } as const;

/**
 * The table of a driver's directory: each agent has its own, and finds it again after a restart. `suffix`: an
 * additional table.
 */
export function tableOf(directory: string, suffix = ""): string {
  return `inet signalbox_${createHash("sha256").update(resolve(directory)).digest("hex").slice(0, 12)}${suffix}`;
}

/** A comment for people who read the host's tables: which agent owns this one. */
function labelled(directory: string): string {
  const path = resolve(directory);
  return directory !== "" && /^[\w ./+-]{1,120}$/.test(path) ? ` { comment "${path}"; }` : "";
}

/**
 * Brings the table into being, or the rules of one that is there up to date; elements of sets and maps stay. `group`:
 * of engines that may not mark what they send.
 */
export function declaration(table: string, directory = "", group?: number): string {
  const keyed = (family: 4 | 6): string => `type ipv${family}_addr . inet_service . inet_service; size ${MOST_FLOWS};`;
  return [
    `add table ${table}${labelled(directory)}`,
    `add map ${table} exact4 { type ipv4_addr . inet_proto . inet_service : inet_service; }`,
    `add map ${table} exact6 { type ipv6_addr . inet_proto . inet_service : inet_service; }`,
    `add map ${table} every { type inet_proto . inet_service : inet_service; }`,
    `add set ${table} closed { type inet_service; }`,
    `add set ${table} interfaces { type inet_service; }`,
    `add set ${table} flows4 { ${keyed(4)} flags dynamic, timeout; timeout ${FLOW_SECONDS}s; }`,
    `add set ${table} flows6 { ${keyed(6)} flags dynamic, timeout; timeout ${FLOW_SECONDS}s; }`,
    `add set ${table} drop4 { ${keyed(4)} flags timeout; }`,
    `add set ${table} drop6 { ${keyed(6)} flags timeout; }`,
    ...[4, 6].map((family) => `add set ${table} upstreams${family} { type ipv${family}_addr . inet_service; }`),
    `add chain ${table} mapped`,
    `add chain ${table} guarded`,
    `add chain ${table} arriving { type nat hook prerouting priority -100; policy accept; }`,
    `add chain ${table} local { type nat hook output priority -100; policy accept; }`,
    // After the host's own firewall, so that a port it hides is not shown to exist by a refusal.
    `add chain ${table} guard { type filter hook input priority 10; policy accept; }`,
    `add chain ${table} leaving { type filter hook output priority 10; policy accept; }`,
    ...["mapped", "arriving", "local", "guard", "leaving"].map((chain) => `flush chain ${table} ${chain}`),
    ...rules(group).map(([chain, rule]) => `add rule ${table} ${chain} ${rule}`),
    "",
  ].join("\n");
}

/** The words before a change that must not depend on what is there: the old table goes in the same step. */
export function replacement(table: string): string {
  return `add table ${table}\ndelete table ${table}\n`;
}

type Rule = [chain: string, rule: string];

function rules(group: number | undefined): Rule[] {
  const both = "meta l4proto { tcp, udp }";
  const [nowhere, dropped, refused] = group === undefined ? markRules() : groupRules(group);
  return [
    ["mapped", `${both} dnat ip to ip daddr : ip daddr . meta l4proto . th dport map @exact4`],
    ["mapped", `${both} dnat ip6 to ip6 daddr : ip6 daddr . meta l4proto . th dport map @exact6`],
    ["mapped", `meta nfproto ipv4 ${both} dnat ip to ip daddr : meta l4proto . th dport map @every`],
    ["mapped", `meta nfproto ipv6 ${both} dnat ip6 to ip6 daddr : meta l4proto . th dport map @every`],
    ["arriving", `${both} fib daddr type local jump mapped`],
    ...nowhere,
    ["local", `${both} fib daddr type local jump mapped`],
    ...dropped,
    ["guard", "ip saddr . udp sport . udp dport @drop4 drop"],
    ["guard", "ip6 saddr . udp sport . udp dport @drop6 drop"],
    // Answered flows only: what a forged source sends is answered at most once, to somebody else.
    [
      "guard",
      "udp dport @closed ct state established ct direction original update @flows4 { ip saddr . udp sport . udp dport }",
    ],
    [
      "guard",
      "udp dport @closed ct state established ct direction original update @flows6 { ip6 saddr . udp sport . udp dport }",
    ],
    // The port may be the source of a connection that the host itself made: answers to those pass.
    ["guard", `${both} th dport @closed ct direction reply accept`],
    ["guard", `${both} th dport @closed ct status dnat accept`],
    ["guard", "tcp dport @closed reject with tcp reset"],
    ["guard", "udp dport @closed reject with icmpx type port-unreachable"],
    ["leaving", "ip daddr . udp dport . udp sport @drop4 drop"],
    ["leaving", "ip6 daddr . udp dport . udp sport @drop6 drop"],
    ...refused,
  ];
}

/** For engines that mark what they send to users' targets: to nowhere, dropped where it arrives, refused. */
function markRules(): [Rule[], Rule[], Rule[]] {
  const { block, allow } = TARGET_MARKS;
  return [
    // To nowhere, and dropped where it arrives: dropped where it leaves, the engine would be told of an error and end
    // the client's other conversations.
    [
      ["local", `${MARKED} ip daddr { ${privateRanges(4)} } dnat ip to 127.0.0.1:9`],
      ["local", `${MARKED} ip6 daddr { ${privateRanges(6)} } dnat ip6 to [::1]:9`],
    ],
    [
      ["guard", `${MARKED} ip daddr { ${privateRanges(4)} } drop`],
      ["guard", `${MARKED} ip6 daddr { ${privateRanges(6)} } drop`],
    ],
    [
      ["leaving", `meta mark ${block} ip daddr { ${privateRanges(4)} } reject`],
      ["leaving", `meta mark ${block} ip6 daddr { ${privateRanges(6)} } reject`],
      ["leaving", `meta mark { ${block}, ${allow} } fib daddr type local tcp dport @interfaces reject`],
    ],
  ];
}

/** For engines that may not mark: all that they begin is looked at. Answers to clients at private addresses pass. */
function groupRules(group: number): [Rule[], Rule[], Rule[]] {
  return [[], [], [["leaving", `meta skgid ${group} ct direction original jump guarded`]]];
}

/** What engines without marks may not reach. */
export function guardedChange(table: string, { privateTargets, interfaces, upstreams }: TargetGuard): string {
  const words = ["meta l4proto tcp fib daddr type local tcp dport @interfaces reject"];
  if (privateTargets === "block")
    for (const [family, name] of [
      [4, "ip"],
      [6, "ip6"],
    ] as const)
      words.push(
        `meta l4proto { tcp, udp } ${name} daddr . th dport @upstreams${family} accept`,
        `${name} daddr { ${privateRanges(family)} } reject`,
      );
  const open = (family: 4 | 6): string[] =>
    upstreams.flatMap(({ address, port }) => (isIP(address) === family ? [`${address} . ${port}`] : []));
  return [
    interfaceChange(table, interfaces),
    ...([4, 6] as const).map(
      (family) =>
        `flush set ${table} upstreams${family}\n${adding(table, `upstreams${family}`, [...new Set(open(family))])}`,
    ),
    `flush chain ${table} guarded\n`,
    ...words.map((rule) => `add rule ${table} guarded ${rule}\n`),
  ].join("");
}

function privateRanges(family: 4 | 6): string {
  return PRIVATE_RANGES.filter((range) => isIP(range.split("/")[0] ?? "") === family).join(", ");
}

/** Makes `mappings` the whole of the maps. Throws for an address that is none and for one port that is mapped twice. */
export function mappingChange(table: string, mappings: readonly Mapping[]): string {
  const maps = {
    exact4: new Map<string, number>(),
    exact6: new Map<string, number>(),
    every: new Map<string, number>(),
  };
  for (const mapping of mappings)
    for (const network of new Set(mapping.networks)) {
      const { map, key } = placeOf(mapping, network);
      const before = maps[map].get(key);
      if (before !== undefined && before !== mapping.inner)
        throw new Error(`${network} port ${mapping.port} on ${mapping.listen || "all addresses"} is mapped twice`);
      maps[map].set(key, mapping.inner);
    }
  return Object.entries(maps)
    .map(([map, entries]) => {
      const elements = [...entries].map(([key, inner]) => `${key} : ${inner}`);
      return `flush map ${table} ${map}\n${adding(table, map, elements)}`;
    })
    .join("");
}

function placeOf(
  { listen, port }: Mapping,
  network: "tcp" | "udp",
): { map: "exact4" | "exact6" | "every"; key: string } {
  const address = plainAddress(listen);
  if (address === "" || address === "::" || address === "0.0.0.0") return { map: "every", key: `${network} . ${port}` };
  const family = isIP(address);
  if (family === 0) throw new Error(`"${listen}" is no address that a port could be mapped for`);
  return { map: family === 4 ? "exact4" : "exact6", key: `${address} . ${network} . ${port}` };
}

/** Makes `ports` the engines' own interfaces. */
export function interfaceChange(table: string, ports: readonly number[]): string {
  return `flush set ${table} interfaces\n${adding(table, "interfaces", [...new Set(ports)].map(String))}`;
}

/** Makes `ports` the whole of the closed ports. */
export function closedChange(table: string, ports: Iterable<number>): string {
  return `flush set ${table} closed\n${adding(table, "closed", [...new Set(ports)].map(String))}`;
}

/**
 * Drops these flows from now on for so long, also if they were dropped for another time before, and forgets that they
 * were seen.
 */
export function dropChange(table: string, flows: readonly Flow[], seconds: number): string {
  const words: string[] = [];
  for (const family of [4, 6] as const) {
    const keys = new Set(flows.flatMap((flow) => flowKey(flow, family) ?? []));
    if (keys.size === 0) continue;
    // An element's time is only set again when it is made again, and only what is there can be deleted.
    for (const set of [`drop${family}`, `flows${family}`])
      words.push(adding(table, set, [...keys]), taking(table, set, [...keys]));
    words.push(
      adding(
        table,
        `drop${family}`,
        [...keys].map((key) => `${key} timeout ${Math.max(1, Math.ceil(seconds))}s`),
      ),
    );
  }
  return words.join("");
}

function flowKey(flow: Flow, family: 4 | 6): string | undefined {
  const address = plainAddress(flow.address);
  return isIP(address) === family ? `${address} . ${flow.port} . ${flow.localPort}` : undefined;
}

/** Words that add elements to a set or map; none for none. */
export function adding(table: string, set: string, elements: readonly string[]): string {
  return elements.length === 0 ? "" : `add element ${table} ${set} { ${elements.join(", ")} }\n`;
}

/** Words that delete elements of a set or map; none for none. One that is not there makes the transaction fail. */
export function taking(table: string, set: string, elements: readonly string[]): string {
  return elements.length === 0 ? "" : `delete element ${table} ${set} { ${elements.join(", ")} }\n`;
}

/** What `list set` prints of the flows. */
export function parseFlows(listing: string): Flow[] {
  return [...listing.matchAll(/([0-9a-f:.]+) \. (\d+) \. (\d+)(?= (?:timeout|expires))/g)].map(
    ([, address = "", port, localPort]) => ({
      address,
      port: Number(port),
      localPort: Number(localPort),
    }),
  );
}

/** What `list set` prints of the closed ports. */
export function parsePorts(listing: string): number[] {
  const elements = /elements = \{([^}]*)\}/.exec(listing)?.[1] ?? "";
  return [...elements.matchAll(/\d+/g)].map(([port]) => Number(port));
}
