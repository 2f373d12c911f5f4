// The template's `dns` block as far as Xray has the same: servers of the common kinds, rules by name, fixed answers.
import { z } from "zod";
import { domainsOf } from "../rays/match.ts";
import { Address, Host, Name } from "../rays/hosts.ts";
import { hostPort, xray } from "./words.ts";
import { type AgentNotice, type Place, blockPlace, Refusal, attemptInto } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

/** Queries of the resolver itself come in under these tags, one for each server. */
export const RESOLVER = "signalbox.dns";

const Texts = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());
const Server = z.looseObject({
  tag: z.string(),
  type: z.string().default("local"),
  server: Host.optional(),
  server_port: z.int().min(1).max(65_535).optional(),
  path: z.string().regex(/^\//, "must begin with a slash").optional(),
  detour: z.string().optional(),
  predefined: z
    .record(
      Name,
      z.union([Address, z.array(Address)]).transform((value) => [value].flat()),
    )
    .optional(),
});
const Rule = z.strictObject({
  action: z.literal("route").optional(),
  server: z.string(),
  domain: Texts.optional(),
  domain_suffix: Texts.optional(),
  domain_keyword: Texts.optional(),
  domain_regex: Texts.optional(),
});
const Dns = z.looseObject({
  servers: z.array(z.record(z.string(), z.unknown())).default([]),
  rules: z.array(z.record(z.string(), z.unknown())).default([]),
  final: z.string().optional(),
  strategy: z.string().default(""),
  disable_cache: z.boolean().optional(),
});

export interface Resolver {
  readonly dns: Record<string, unknown> | undefined;
  /** By the tag under which a server's queries come in: the outbound that the operator named for them. */
  readonly detours: ReadonlyMap<string, string>;
  readonly warnings: readonly AgentNotice[];
}

/** What Xray has not got is left out with a warning; with no server left names are resolved as the system does. */
export function compileResolver(value: unknown): Resolver {
  const warnings: AgentNotice[] = [];
  const attempt = attemptInto(warnings);
  const place = (path: string, label: string): Place => blockPlace("core", `dns${path}`, `core: dns ${label}`);
  const block = attempt(place("", "block"), () => xray.parsed(Dns, value));
  if (!block) return { dns: undefined, detours: new Map(), warnings };
  const servers = block.servers.flatMap(
    (server, index) =>
      attempt(place(`.servers.${index}`, `server ${index + 1}`), () => xray.parsed(Server, server)) ?? [],
  );
  const domains = new Map<string, string[]>();
  for (const [index, rule] of block.rules.entries()) {
    attempt(place(`.rules.${index}`, `rule ${index + 1}`), () => {
      const { server, ...match } = xray.parsed(Rule, rule);
      if (!servers.some(({ tag }) => tag === server)) throw new Refusal(reason("names_nothing", "server", server));
      const names = domainsOf(match);
      if (names.length === 0) throw new Refusal(reason("matches_nothing", "xray"));
      domains.set(server, [...(domains.get(server) ?? []), ...names]);
    });
  }
  const hosts: Record<string, readonly string[]> = {};
  for (const server of servers) if (server.type === "hosts") Object.assign(hosts, server.predefined);
  // Xray asks the first server without names first.
  const ordered = servers.toSorted((a, b) => Number(b.tag === block.final) - Number(a.tag === block.final));
  const detours = new Map<string, string>();
  const compiled = ordered.flatMap((server, index) => {
    if (server.type === "hosts") return [];
    return (
      attempt(place(`.servers.${server.tag}`, `server ${server.tag}`), () => {
        const tag = `${RESOLVER}.${index}`;
        if (server.detour !== undefined) detours.set(tag, server.detour);
        const own = domains.get(server.tag);
        return {
          ...addressOf(server),
          tag,
          ...(own && { domains: own, ...(server.tag !== block.final && { skipFallback: true }) }),
        };
      }) ?? []
    );
  });
  if (compiled.length === 0 && Object.keys(hosts).length === 0) return { dns: undefined, detours, warnings };
  const dns = {
    ...(Object.keys(hosts).length > 0 && { hosts }),
    servers: compiled.length === 0 ? [{ address: "localhost", tag: `${RESOLVER}.0` }] : compiled,
    queryStrategy: strategyOf(block.strategy),
    ...(block.disable_cache === true && { disableCache: true }),
    tag: RESOLVER,
  };
  return { dns, detours, warnings };
}

function addressOf({ type, server, server_port: port, path }: z.infer<typeof Server>): Record<string, unknown> {
  if (type === "local") return { address: "localhost" };
  if (server === undefined) throw new Refusal(reason("missing", "server"));
  if (type === "udp") return { address: server, port: port ?? 53 };
  if (type === "tcp") return { address: `tcp://${hostPort(server, port ?? 53)}` };
  if (type === "https") return { address: `https://${hostPort(server, port ?? 443)}${path ?? "/dns-query"}` };
  throw xray.unserved(`type ${type}`, "singBox");
}

function strategyOf(strategy: string): string {
  return strategy === "ipv4_only" ? "UseIPv4" : strategy === "ipv6_only" ? "UseIPv6" : "UseIP";
}
