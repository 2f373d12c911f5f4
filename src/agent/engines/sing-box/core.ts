// The template's dns, log and ntp blocks. The log stays as the agent needs it, and a local resolver is always there.
import { z } from "zod";
import { forbiddenPaths } from "../../../dialect/index.ts";
import type { Outbounds } from "./outbound.ts";
import { Block, onlyAllowed, parsed, Refusal, textsOf } from "./refusal.ts";
import { engineInbounds, type RouteNames } from "./route.ts";

/** The system's own resolver, hosts file included. */
export const LOCAL_RESOLVER = "signalbox.dns";

const Server = z.looseObject({
  tag: z.string().optional(),
  type: z.string().default(""),
  detour: z.string().optional(),
  domain_resolver: z.unknown().optional(),
});
const Dns = z.looseObject({
  servers: z.array(Server).default([]),
  rules: z.array(Block).default([]),
  final: z.string().optional(),
});

export interface Core {
  readonly blocks: Block;
  readonly dnsServers: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

export function compileCore(
  core: Block,
  outbounds: Outbounds,
  ruleSets: ReadonlySet<string>,
  inbound: RouteNames["inbound"],
): Core {
  const warnings: string[] = [];
  let dns: { block: Block; servers: ReadonlySet<string> } = compileDns({}, outbounds, ruleSets, inbound);
  try {
    dns = compileDns(core["dns"] ?? {}, outbounds, ruleSets, inbound);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    warnings.push(`core: dns ${error.message}; names are resolved by the system's resolver`);
  }
  const log = Block.safeParse(core["log"] ?? {}).data ?? {};
  if (Object.keys(log).some((key) => key !== "level" && key !== "timestamp") || (log["level"] ?? "info") !== "info")
    warnings.push("core: sing-box tells whose a connection is in its log alone, so `log` stays as the agent reads it");
  const ntp = Block.safeParse(core["ntp"]).data;
  const lost = ntp && typeof ntp["detour"] === "string" && !outbounds.has(ntp["detour"]);
  if (lost)
    warnings.push(`core: \`ntp.detour\`: the outbound "${String(ntp["detour"])}" is not served; ntp is left out`);
  const [strange] = forbiddenPaths("core", "", { ntp });
  if (strange !== undefined) warnings.push(`core: sing-box does not serve \`${strange}\`; ntp is left out`);
  for (const key of Object.keys(core))
    if (!["dns", "log", "ntp"].includes(key))
      warnings.push(`core: sing-box does not serve \`${key}\` there; it is left out`);
  return {
    blocks: {
      log: { level: "info", timestamp: true },
      dns: dns.block,
      ...(ntp && !lost && strange === undefined && { ntp }),
    },
    dnsServers: dns.servers,
    warnings,
  };
}

/** A Refusal for anything that would keep the engine from starting. */
function compileDns(
  value: unknown,
  outbounds: Outbounds,
  ruleSets: ReadonlySet<string>,
  inbound: RouteNames["inbound"],
): { block: Block; servers: ReadonlySet<string> } {
  const dns = parsed(Dns, value, "dns");
  if (dns["fakeip"] !== undefined)
    throw new Refusal("`dns.fakeip` is of an older dialect: use a server of type fakeip");
  const servers = new Set<string>([LOCAL_RESOLVER]);
  for (const [index, server] of dns.servers.entries()) {
    const at = `dns.servers.${index}`;
    if (server["address"] !== undefined)
      throw new Refusal(`\`${at}.address\` is of an older dialect: give the server a type and server`);
    if (server.detour !== undefined && !outbounds.has(server.detour))
      throw new Refusal(`\`${at}.detour\`: the outbound "${server.detour}" is not served`);
    if (server.tag !== undefined && servers.has(server.tag))
      throw new Refusal(`\`${at}.tag\`: "${server.tag}" is used twice`);
    if (server.tag !== undefined) servers.add(server.tag);
  }
  const known = (tag: unknown, at: string): void => {
    if (typeof tag === "string" && !servers.has(tag)) throw new Refusal(`\`${at}\`: there is no server "${tag}"`);
  };
  known(dns.final, "dns.final");
  for (const [index, server] of dns.servers.entries()) {
    const resolver = server.domain_resolver;
    known(
      typeof resolver === "string" ? resolver : Block.safeParse(resolver).data?.["server"],
      `dns.servers.${index}.domain_resolver`,
    );
  }
  const rules = dns.rules.map((rule, index) => {
    const at = `dns.rules.${index}`;
    if (rule["outbound"] !== undefined)
      throw new Refusal(`\`${at}.outbound\` is of an older dialect: use \`domain_resolver\` of the outbound`);
    known(rule["server"], `${at}.server`);
    const missing = textsOf(rule["rule_set"]).find((tag) => !ruleSets.has(tag));
    if (missing !== undefined) throw new Refusal(`\`${at}.rule_set\`: there is no rule set "${missing}"`);
    return rule["inbound"] === undefined ? rule : { ...rule, inbound: engineInbounds(rule["inbound"], { inbound }) };
  });
  onlyAllowed("core", "", { dns: value });
  const { rules: _rules, ...rest } = dns;
  const local = { type: "local", tag: LOCAL_RESOLVER };
  return {
    // Without `final` the first server answers: the operator's own, where there is one.
    block: { ...rest, servers: [...dns.servers, local], ...(rules.length > 0 && { rules }) },
    servers,
  };
}
