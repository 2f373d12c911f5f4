// From a user and the inbounds that serve it to the entries of its subscription: one for each inbound and link address,
// and for each front.
import { servedFlow, VISION } from "../../dialect/index.ts";
import { onInbound } from "../../lib/own-credentials.ts";
import { isLoopback, takesFronts, type InboundDialect, type TransportDialect } from "../../pool/index.ts";
import { clientTls, tlsInFront } from "./client-tls.ts";
import { type LinkAddress, parseLinkAddresses, plainHost } from "./hosts.ts";
import type {
  Entry,
  EntryProtocol,
  Origin,
  ServedFront,
  ServedInbound,
  ServingNode,
  SubscriptionUser,
} from "./model.ts";
import { entryName, uniqueNames, type NameParts } from "./names.ts";

const PROTOCOLS: Readonly<Record<string, EntryProtocol>> = {
  vless: "vless",
  vmess: "vmess",
  trojan: "trojan",
  shadowsocks: "shadowsocks",
  hysteria2: "hysteria2",
  tuic: "tuic",
  anytls: "anytls",
  socks: "socks",
  mixed: "socks",
  http: "http",
};

/** Ports on which CDNs take plain HTTP. */
const PLAIN_PORTS = [80, 8080, 8880, 2052, 2082, 2086, 2095];

/** What the name of an entry is made of, without the account's part. */
export type NameSource = Omit<NameParts, "userRemark" | "userName">;

/** An entry that has no name yet. */
export interface UnnamedEntry {
  readonly entry: Omit<Entry, "name">;
  readonly naming: NameSource;
  readonly origin: Origin;
}

/** An entry, and where it comes from. */
export interface PlacedEntry {
  readonly entry: Entry;
  readonly origin: Origin;
}

/** What the user shows to this inbound. */
function credentialsOf(
  account: SubscriptionUser,
  dialect: InboundDialect,
  protocol: EntryProtocol,
): Pick<Entry, "uuid" | "password" | "method"> {
  const user = onInbound(account, protocol, dialect.shadowsocks?.method);
  if (protocol === "vless" || protocol === "vmess") return { uuid: user.uuid, password: "", method: "" };
  if (protocol === "tuic" || protocol === "socks" || protocol === "http")
    return { uuid: user.uuid, password: user.password, method: "" };
  if (!dialect.shadowsocks) return { uuid: "", password: user.password, method: "" };
  const { method, password: serverKey, keyBytes } = dialect.shadowsocks;
  if (keyBytes === undefined) return { uuid: "", password: user.password, method };
  return { uuid: "", password: `${serverKey}:${keyBytes === 16 ? user.ss16 : user.ss32}`, method };
}

function namingOf(inbound: ServedInbound, entry: Omit<Entry, "name">, node: string, label: string): NameSource {
  return {
    inbound: inbound.remark || inbound.tag,
    tag: inbound.tag,
    node,
    label,
    protocol: entry.protocol,
    transport: entry.transport?.type ?? "tcp",
    security: entry.tls?.reality ? "reality" : entry.tls ? "tls" : "none",
  };
}

/**
 * Entries straight to the nodes. A `clientConfig.server` replaces all addresses of a node, and its copies on several
 * nodes are one entry.
 */
function directDrafts(user: SubscriptionUser, inbound: ServedInbound, protocol: EntryProtocol): UnnamedEntry[] {
  const { dialect, client } = inbound;
  const port = client.server_port ?? dialect.listenPort;
  if (port === undefined) return [];
  const entryAt = (node: ServingNode, address: string): Omit<Entry, "name"> => {
    const tls = clientTls(dialect, address, node.certificate, client.tls);
    const flow = tls && dialect.vision && node.vision && servedFlow(user.flow) === VISION ? user.flow : "";
    return {
      protocol,
      server: address,
      port,
      ...credentialsOf(user, dialect, protocol),
      flow,
      transport: dialect.transport,
      tls,
      obfsPassword: dialect.obfsPassword,
      congestionControl: dialect.congestionControl ?? "",
      // XTLS Vision looks into the one connection that it is for.
      multiplex: node.multiplex && flow === "" ? dialect.multiplex : undefined,
    };
  };
  return inbound.nodes.flatMap((node) => {
    const fixed: LinkAddress | undefined = client.server ? { label: "", address: plainHost(client.server) } : undefined;
    const addresses = fixed ? [fixed] : reachedAt(inbound, node);
    return addresses.map(({ label, address }) => {
      const entry = entryAt(node, address);
      const naming = namingOf(inbound, entry, fixed ? "" : node.remark || node.name, label);
      return {
        entry,
        naming,
        origin: { nodeId: node.id, inboundId: inbound.id, inbound: inbound.tag, frontId: 0, front: "" },
      };
    });
  });
}

/** Where clients reach an inbound of a node straight. */
export function reachedAt(
  { apart }: Pick<ServedInbound, "apart">,
  { linkAddress, address }: Pick<ServingNode, "linkAddress" | "address">,
): LinkAddress[] {
  const all = parseLinkAddresses(linkAddress, address);
  // A node that clients are to reach on loopback is their own machine.
  return apart ? all.filter((one) => isLoopback(one.address)) : all;
}

/**
 * The transport as seen through a front: the front's domain is the host, its path wins when set. `named`: the host that
 * gRPC clients name by themselves.
 */
function frontedTransport(transport: TransportDialect, front: ServedFront, named: string): TransportDialect {
  const host = plainHost(front.domain);
  if (transport.type === "grpc") return { ...transport, authority: host === named ? "" : host };
  if (transport.type === "ws" || transport.type === "httpupgrade" || transport.type === "xhttp") {
    return { ...transport, host, path: front.path || transport.path };
  }
  return transport;
}

const isOn = ({ enabled }: ServedFront): boolean => enabled;

/** Entries through the inbound's fronts. The CDN ends TLS with a public certificate, whatever the origin shows. */
function frontedDrafts(user: SubscriptionUser, inbound: ServedInbound, protocol: EntryProtocol): UnnamedEntry[] {
  const { dialect } = inbound;
  const { transport } = dialect;
  if (!transport || !takesFronts(dialect) || inbound.nodes.length === 0) return [];
  return inbound.fronts.filter(isOn).map((front) => {
    const port = front.port === 0 ? 443 : front.port;
    const tls = tlsInFront(dialect, front.sni || front.domain);
    const server = plainHost(front.address || front.domain);
    const isPlain = PLAIN_PORTS.includes(port);
    const entry: Omit<Entry, "name"> = {
      protocol,
      server,
      port,
      ...credentialsOf(user, dialect, protocol),
      flow: "",
      transport: frontedTransport(transport, front, isPlain ? server : tls.serverName),
      tls: isPlain ? undefined : tls,
      obfsPassword: "",
      congestionControl: "",
      // The front passes requests on to any of them.
      multiplex: inbound.nodes.every((node) => node.multiplex) ? dialect.multiplex : undefined,
    };
    const origin = { nodeId: 0, inboundId: inbound.id, inbound: inbound.tag, frontId: front.id, front: front.name };
    return { entry, naming: namingOf(inbound, entry, "", front.remark || front.name), origin };
  });
}

/** Why an inbound gives no entry in any format; undefined where it may give one. */
export function unlisted({ dialect, client, nodes }: ServedInbound): "type" | "no_port" | "no_node" | undefined {
  if (!Object.hasOwn(PROTOCOLS, dialect.type)) return "type";
  if (nodes.length === 0) return "no_node";
  return (client.server_port ?? dialect.listenPort) === undefined ? "no_port" : undefined;
}

/** A way of an inbound that no format lists, and why. */
export interface Unlisted {
  readonly nodeId: number;
  readonly code: "fronted_only" | "front_off" | "front_unfit" | "loopback";
  /** The front's name; empty for a way straight to a node. */
  readonly front: string;
}

/**
 * Ways that are left out: straight to nodes, beside fronts or where clients cannot come, and fronts that are off or
 * cannot carry the inbound.
 */
export function unlistedWays(inbound: ServedInbound): Unlisted[] {
  const { dialect, fronts, frontedOnly, nodes } = inbound;
  const fit = takesFronts(dialect);
  const out = fronts
    .filter((front) => !fit || !front.enabled)
    .map(({ name, enabled }) => ({ nodeId: 0, code: enabled ? "front_unfit" : "front_off", front: name }) as const);
  const dropped = frontedOnly && fit && fronts.some(isOn);
  const direct = dropped ? nodes.map(({ id }) => ({ nodeId: id, code: "fronted_only", front: "" }) as const) : [];
  const beyond = dropped ? [] : nodes.filter((node) => reachedAt(inbound, node).length === 0);
  return [...direct, ...beyond.map(({ id }) => ({ nodeId: id, code: "loopback", front: "" }) as const), ...out];
}

/**
 * The entries of a user's subscription in the order of `inbounds`, with unique names. Inbounds of types that no client
 * format carries, and those without a port, have none. Entries that differ in nothing but their name are one.
 */
export function entriesOf(user: SubscriptionUser, inbounds: readonly ServedInbound[]): Entry[] {
  return placedEntries(user, inbounds).map(({ entry }) => entry);
}

/** As `entriesOf`, with where each comes from. */
export function placedEntries(user: SubscriptionUser, inbounds: readonly ServedInbound[]): PlacedEntry[] {
  const drafts = unnamedEntries(user, inbounds);
  const names = namesOf(
    drafts.map(({ naming }) => naming),
    user,
  );
  return drafts.map(({ entry, origin }, index) => ({ entry: { ...entry, name: names[index] ?? "" }, origin }));
}

/** The entries before they are named; those that differ in nothing are one. */
export function unnamedEntries(user: SubscriptionUser, inbounds: readonly ServedInbound[]): UnnamedEntry[] {
  return [...distinct(allDrafts(user, inbounds)).values()];
}

/** Where the entries come from that are left out because an earlier one differs from them in nothing. */
export function repeatedEntries(user: SubscriptionUser, inbounds: readonly ServedInbound[]): Origin[] {
  const drafts = allDrafts(user, inbounds);
  const kept = new Set(distinct(drafts).values());
  return drafts.filter((draft) => !kept.has(draft)).map(({ origin }) => origin);
}

function allDrafts(user: SubscriptionUser, inbounds: readonly ServedInbound[]): UnnamedEntry[] {
  return inbounds.flatMap((inbound) => {
    const protocol = Object.hasOwn(PROTOCOLS, inbound.dialect.type) ? PROTOCOLS[inbound.dialect.type] : undefined;
    if (!protocol) return [];
    const fronted = frontedDrafts(user, inbound, protocol);
    const direct = inbound.frontedOnly && fronted.length > 0 ? [] : directDrafts(user, inbound, protocol);
    return [...direct, ...fronted];
  });
}

/** The first of each. */
function distinct(drafts: readonly UnnamedEntry[]): ReadonlyMap<string, UnnamedEntry> {
  const seen = new Map<string, UnnamedEntry>();
  for (const draft of drafts) {
    const key = JSON.stringify(draft.entry);
    if (!seen.has(key)) seen.set(key, draft);
  }
  return seen;
}

/** The unique names of a user's entries, in their order. */
export function namesOf(
  sources: readonly NameSource[],
  { name, remark, naming }: Pick<SubscriptionUser, "name" | "remark" | "naming">,
): string[] {
  return uniqueNames(sources.map((source) => entryName({ ...source, userRemark: remark, userName: name }, naming)));
}
