// Notices about a served item that works with less than was asked for.
import { byOthers, declare, engineName, plain } from "./catalogue.ts";

export const LIMITS = {
  /** Engine, path or keys. */
  ignored: declare(["text", "text", "text"], (engine, path, by) =>
    engine === "embedded"
      ? `${path} is passed over by the embedded engine; ${by} serves it`
      : `\`${path}\` is not used by ${engineName(engine)}${byOthers(by)}`,
  ),
  system_resolver: declare(
    ["text"],
    (engine) => `${engineName(engine)} resolves names by the system's resolver, \`dns\` is not used`,
  ),
  no_resolver: plain("`default_domain_resolver` names no DNS server; the system's resolver is used"),
  asked_directly: declare(
    ["text"],
    (outbound) => `the outbound "${outbound}" is not served; its server is asked directly`,
  ),
  log_kept: plain("sing-box tells whose a connection is in its log alone, so `log` stays as the agent reads it"),
  multiplex_off: declare(["text"], (engine) =>
    engine === "embedded"
      ? "multiplex is not served by the embedded engine, clients must connect without it; sing-box serves it"
      : `${engineName(engine)} has no multiplexing that clients of this dialect use, ` +
        "so clients must leave it off; sing-box serves it",
  ),
  upstream_multiplex_off: plain("Xray has no multiplexing that sing-box servers know; it is left off"),
  early_data: plain(
    "Xray takes early data in the header Sec-WebSocket-Protocol alone; clients must leave it off; sing-box takes it",
  ),
  /** Engine, protocol. */
  anonymous: declare(
    ["text", "text"],
    (engine, protocol) =>
      `${engineName(engine)} does not say whose connection it is on ${protocol}: open ones are not listed, ` +
      "and when a removed user goes on all of this inbound's are cut; the embedded engine tells them apart",
  ),
  tcp_alone: declare(
    ["text", "text"],
    (engine, protocol) =>
      `${engineName(engine)} would relay UDP uncounted, so ${protocol} carries TCP alone; ` +
      "the embedded engine serves both",
  ),
  uncounted: plain("its connections are nobody's and count for no user"),
  counted_late: plain(
    "with `flow` Xray counts what users of vision, socks and http inbounds download through it when their connection ends",
  ),
  alpn_made: declare(
    ["text", "text"],
    (engine, alpn) => `\`tls.alpn\` must be ${alpn} here on ${engineName(engine)}, which it is made`,
  ),
  httpupgrade_loses: plain(
    "the httpupgrade server of sing-box loses some of the new connections (up to 4 in 100); " +
      "Xray's does not, and ws does not",
  ),
  grpc_unclosable: plain(
    "this sing-box was built with the tag with_grpc, with which single connections over grpc cannot be closed",
  ),
  udp_source: plain(
    "on a host with several addresses `listen` must name the one that clients use, " +
      "or answers over UDP may leave from another",
  ),
  counted_elsewhere: plain("users are told apart by the inbound that the connections are handed to; it counts them"),
  /** Engine, type of the group, its tag, the member that stands for it. */
  group_fixed: declare(
    ["text", "text", "text", "text"],
    (engine, type, tag, member) =>
      `${engineName(engine)} does not switch ${type} groups; "${member}" is used for "${tag}"; sing-box does`,
  ),
  /** Tag of the group, an outbound that is no member, the member that is used. */
  group_alike: declare(
    ["text", "text", "text"],
    (tag, stranger, member) =>
      `Xray would take "${stranger}" for a member too, as its tag begins like a member's; ` +
      `"${member}" is used for "${tag}"; sing-box measures`,
  ),
  /** Address, tags of the groups. */
  one_probe: declare(
    ["text", "texts"],
    (url, ...tags) => `outbounds ${tags.join(", ")}: Xray measures all groups with one address, ${url}`,
  ),
  choice_unserved: declare(["text"], (choice) => `its choice "${choice}" is not served; what goes there is refused`),
  choices_left_out: declare(
    ["texts"],
    (...tags) => `left out of its choices, for they are not served: ${tags.join(", ")}`,
  ),
  rule_set_fetched: plain(
    "it is fetched each time a process starts, which fails where it cannot be; an inline one is always there",
  ),
  /** Engine, tags; the traffic stands under the first. */
  counted_together: declare(
    ["text", "texts"],
    (engine, ...tags) =>
      `inbounds ${tags.join(", ")}: ${engineName(engine)} counts their users together; ` +
      `the traffic stands under ${tags[0] ?? ""}`,
  ),
  key_search: declare(
    ["count"],
    (users) =>
      `every connection tries the keys of up to ${users} users; ` +
      "the methods 2022-blake3-aes-128-gcm and 2022-blake3-aes-256-gcm find the user at once",
  ),
  one_user: declare(
    ["text"],
    (engine) =>
      `${engineName(engine)} serves one user on a shadowsocks inbound, the one with the lowest id; ` +
      "Xray and sing-box serve all",
  ),
  flow_unserved: declare(["text"], (engine) =>
    engine === "embedded"
      ? "the users' flow is passed over by the embedded engine, clients must connect without it; " +
        "xray or sing-box serve it"
      : `${engineName(engine)} does not serve the flow of some users, who must connect without it; ` +
        "Xray and sing-box serve it",
  ),
};
