// The template's dns, log and ntp blocks. The log stays as the agent needs it, and a local resolver is always there.
import { z } from "zod";
import { forbiddenPaths } from "../../../dialect/index.ts";
import type { Outbounds } from "./outbound.ts";
import { Block, onlyAllowed, parsed, textsOf } from "./refusal.ts";
import { engineInbounds, type RouteNames } from "./route.ts";
import { type AgentNotice, noticeOf, blockPlace, Refusal } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

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
  readonly warnings: readonly AgentNotice[];
}

export function compileCore(
  core: Block,
  outbounds: Outbounds,
  ruleSets: ReadonlySet<string>,
  inbound: RouteNames["inbound"],
): Core {
  const warnings: AgentNotice[] = [];
  let dns: { block: Block; servers: ReadonlySet<string> } = compileDns({}, outbounds, ruleSets, inbound);
  try {
    dns = compileDns(core["dns"] ?? {}, outbounds, ruleSets, inbound);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const outcome = "names are resolved by the system's resolver";
    warnings.push(noticeOf(blockPlace("core", "dns", "core: dns"), error.reason, outcome));
  }
  const log = Block.safeParse(core["log"] ?? {}).data ?? {};
  if (Object.keys(log).some((key) => key !== "level" && key !== "timestamp") || (log["level"] ?? "info") !== "info")
    warnings.push(noticeOf(blockPlace("core", "log", "core"), reason("log_kept")));
  const ntp = Block.safeParse(core["ntp"]).data;
  const lost = ntp && typeof ntp["detour"] === "string" && !outbounds.has(ntp["detour"]);
  if (lost)
    warnings.push(
      noticeOf(
        blockPlace("core", "ntp", "core"),
        reason("names_unserved", "ntp.detour", String(ntp["detour"])),
        "ntp is left out",
      ),
    );
  const [strange] = forbiddenPaths("core", "", { ntp });
  if (strange !== undefined)
    warnings.push(
      noticeOf(
        blockPlace("core", "ntp", "core"),
        reason("unserved", "sing-box", `\`${strange}\``, ""),
        "ntp is left out",
      ),
    );
  for (const key of Object.keys(core))
    if (!["dns", "log", "ntp"].includes(key))
      warnings.push(
        noticeOf(blockPlace("core", key, "core"), reason("unserved", "sing-box", `\`${key}\``, ""), "it is left out"),
      );
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
  if (dns["fakeip"] !== undefined) throw new Refusal(reason("replaced", "dns.fakeip", "a server of type fakeip"));
  const servers = new Set<string>([LOCAL_RESOLVER]);
  for (const [index, server] of dns.servers.entries()) {
    const at = `dns.servers.${index}`;
    if (server["address"] !== undefined) throw new Refusal(reason("replaced", `${at}.address`, "`type` and `server`"));
    if (server.detour !== undefined && !outbounds.has(server.detour))
      throw new Refusal(reason("names_unserved", `${at}.detour`, server.detour));
    if (server.tag !== undefined && servers.has(server.tag)) throw new Refusal(reason("tag_twice"));
    if (server.tag !== undefined) servers.add(server.tag);
  }
  const known = (tag: unknown, at: string): void => {
    if (typeof tag === "string" && !servers.has(tag)) throw new Refusal(reason("names_nothing", at, tag));
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
      throw new Refusal(reason("replaced", `${at}.outbound`, "`domain_resolver` of the outbound"));
    known(rule["server"], `${at}.server`);
    const missing = textsOf(rule["rule_set"]).find((tag) => !ruleSets.has(tag));
    if (missing !== undefined) throw new Refusal(reason("names_nothing", `${at}.rule_set`, missing));
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
