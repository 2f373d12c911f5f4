// What is closed to proxy users before any rule of the operator: the agent's own interfaces, and private targets.
import { isIP } from "node:net";
import { z } from "zod";
import type { CompileOptions, Json } from "../process/dialect.ts";
import { OWN_DOMAIN, OWN_NAMES } from "../../../lib/private-addresses.ts";
import { LOOPBACK_RANGES, PRIVATE_RANGES } from "../../private-ranges.ts";
import { Block } from "./refusal.ts";

/**
 * The first rules of all. Names are resolved here, by the engine's own resolver, and the addresses found are the ones
 * that are dialled: a name cannot resolve to one address for the rule and to another for the connection.
 */
export function guardRules(block: string, options: CompileOptions): Json[] {
  const port = options.apiPorts.toSorted((a, b) => a - b);
  const rules: Json[] = [{ action: "resolve" }];
  if (port.length > 0) rules.push({ ip_cidr: withMapped(LOOPBACK_RANGES), port, outbound: block });
  if (options.privateTargets === "allow") return rules;
  return [
    ...rules,
    { domain: OWN_NAMES, domain_suffix: [`.${OWN_DOMAIN}`], outbound: block },
    { ip_is_private: true, outbound: block },
    { ip_cidr: withMapped(PRIVATE_RANGES), outbound: block },
  ];
}

/** A name may resolve to an IPv4-mapped IPv6 address, which sing-box compares as it is and the kernel dials as IPv4. */
function withMapped(ranges: readonly string[]): string[] {
  const mapped = ranges.flatMap((range) => {
    const [address = "", bits = ""] = range.split("/");
    return isIP(address) === 4 ? [`::ffff:${address}/${96 + Number(bits)}`] : [];
  });
  return [...ranges, ...mapped];
}

const Fallback = z.looseObject({ server: z.string(), server_port: z.int() });
/** Fields of an inbound that hands strangers on. */
export const fallbackFields = {
  fallback: Fallback.optional(),
  fallback_for_alpn: z.record(z.string(), Fallback).optional(),
};
const WithFallbacks = z.looseObject({
  tag: z.string(),
  ...fallbackFields,
  users: z.array(z.looseObject({ name: z.string().optional() })).default([]),
});

/**
 * sing-box routes strangers to the server that a trojan inbound hands them to like any connection: so they, who have no
 * name, are led straight to that one server. Our own guards come first: a name among fallbacks that resolves to a
 * private address is closed with all private targets.
 */
export function withFallbacks(route: Block, inbounds: readonly Json[], guards: number): Block {
  const rules = z.array(Block).parse(route["rules"]);
  const allowed = inbounds.flatMap((inbound) => {
    if (inbound["fallback"] === undefined && inbound["fallback_for_alpn"] === undefined) return [];
    const { tag, fallback, fallback_for_alpn: byAlpn, users } = WithFallbacks.parse(inbound);
    const names = users.flatMap((user) => user.name ?? []);
    return [fallback, ...Object.values(byAlpn ?? {})].flatMap((server) =>
      server ? [strangersTo(tag, server, names)] : [],
    );
  });
  return allowed.length === 0 ? route : { ...route, rules: rules.toSpliced(guards, 0, ...allowed) };
}

/** The way out of what is meant for a fallback. */
export const FALLBACK_OUTBOUND = "signalbox.fallback";

function strangersTo(
  tag: string,
  { server, server_port: port }: z.infer<typeof Fallback>,
  names: readonly string[],
): Block {
  const where = isIP(server) === 0 ? { domain: server } : { ip_cidr: server };
  return {
    type: "logical",
    mode: "and",
    rules: [
      { inbound: tag, network: "tcp", port, ...where },
      ...(names.length > 0 ? [{ auth_user: names, invert: true }] : []),
    ],
    outbound: FALLBACK_OUTBOUND,
  };
}
