// What routes, rule sets and the core blocks (dns, log, ntp) may hold. No rule may ask for processes, users, packages
// or interfaces of the host.
import { DIAL, OUTBOUND_TLS, RECORD, REMOTE, RESOLVER } from "./layers.ts";
import { block, choice, later, list, named, type Shape, values } from "./shape.ts";
import { answered, fetched, headers, oneOf, override, range, record, target } from "./values.ts";

const NAMES = values(
  "network domain domain_suffix domain_keyword domain_regex source_port source_port_range port port_range invert",
);
const ADDRESSES = { ip_cidr: range, source_ip_cidr: range };
const SHARED = {
  ...NAMES,
  ...ADDRESSES,
  ...values("type inbound ip_version auth_user protocol source_ip_is_private ip_is_private clash_mode"),
  ...values("rule_set rule_set_ip_cidr_match_source"),
};

/** A rule of conditions, or a logical one of such rules. `beside`: the keys with the action of the outermost rule. */
function rule(conditions: Readonly<Record<string, Shape>>, beside: Readonly<Record<string, Shape>>): Shape {
  const inner: Shape = choice("type", "default", {
    default: block({ ...conditions, ...values("type") }),
    logical: block({ ...values("type mode invert"), rules: list(later(() => inner)) }),
  });
  return choice("type", "default", {
    default: block({ ...conditions, ...values("type"), ...beside }),
    logical: block({ ...values("type mode invert"), ...beside, rules: list(inner) }),
  });
}

/** `server` is the tag of a DNS server here. */
const RESOLVING = values("server strategy disable_cache rewrite_ttl client_subnet");
const ROUTE_RULE = rule(
  { ...SHARED, ...values("client preferred_by") },
  {
    ...RESOLVING,
    ...values("outbound override_port fallback_delay udp_disable_domain_unmapping udp_connect udp_timeout"),
    ...values("tls_fragment tls_fragment_fallback_delay tls_record_fragment method no_drop sniffer timeout"),
    action: oneOf("route", "route-options", "reject", "hijack-dns", "sniff", "resolve"),
    override_address: override,
  },
);
const DNS_RULE = rule(
  { ...SHARED, ...values("query_type ip_accept_any rule_set_ip_cidr_accept_empty") },
  {
    ...RESOLVING,
    ...values("method no_drop rcode"),
    action: oneOf("route", "route-options", "reject", "predefined"),
    answer: record,
    ns: record,
    extra: record,
  },
);
const SET_RULE = rule({ ...NAMES, ...ADDRESSES, ...values("query_type") }, {});

/** By type; `local` is a file. */
export const RULE_SETS: Readonly<Record<string, Shape>> = {
  inline: block({ ...values("type tag format version"), rules: list(SET_RULE) }),
  remote: block({ ...values("type tag format download_detour update_interval"), url: fetched }),
};

export const ROUTE = block({
  ...values("final default_fallback_delay"),
  rules: list(ROUTE_RULE),
  rule_set: list(choice("type", "inline", RULE_SETS)),
  default_domain_resolver: RESOLVER,
});

const DNS_REMOTE = { ...RECORD, ...REMOTE, server: target };
/**
 * Without what asks the host itself: its interfaces (`dhcp`), its services (`resolved`, `tailscale`), files of names.
 */
const DNS_SERVER = choice("type", "local", {
  local: block({ ...RECORD, ...DIAL, ...values("prefer_go") }),
  hosts: block({ ...RECORD, predefined: named(answered) }),
  udp: block(DNS_REMOTE),
  tcp: block(DNS_REMOTE),
  tls: block({ ...DNS_REMOTE, tls: OUTBOUND_TLS }),
  quic: block({ ...DNS_REMOTE, tls: OUTBOUND_TLS }),
  https: block({ ...DNS_REMOTE, ...values("path method"), headers, tls: OUTBOUND_TLS }),
  h3: block({ ...DNS_REMOTE, ...values("path method"), headers, tls: OUTBOUND_TLS }),
  fakeip: block({ ...RECORD, inet4_range: range, inet6_range: range }),
});

export const CORE = block({
  dns: block({
    ...values(
      "final reverse_mapping strategy disable_cache disable_expire independent_cache cache_capacity client_subnet",
    ),
    servers: list(DNS_SERVER),
    rules: list(DNS_RULE),
  }),
  log: block(values("disabled level timestamp")),
  ntp: block({ ...DIAL, ...values("enabled server_port interval"), server: target }),
});
