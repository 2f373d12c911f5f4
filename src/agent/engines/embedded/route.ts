// Routing: the sing-box rules that the engine serves, compiled once, decided without looking anything up.
import { isIP } from "node:net";
import { z } from "zod";
import { isPrivateAddress } from "../../../lib/private-addresses.ts";
import type { Fragment } from "../../../protocol/plan.ts";
import { addressBytes } from "./protocols/address.ts";
import { hasPrefix } from "./targets.ts";
import { type AgentNotice, noticeOf, blockPlace } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

/** One connection, or one destination of a UDP association, before it is let out. */
export interface Flow {
  readonly inbound: string;
  /** The engine user name, as `auth_user` rules know it. */
  readonly user: string;
  readonly network: "tcp" | "udp";
  readonly host: string;
  readonly port: number;
  /** Addresses of `host` when it is a name; present once a `resolve` rule made them known. */
  readonly addresses?: readonly string[];
}

/** `resolve`: look the host up and ask again with its addresses. */
export type Decision = { kind: "outbound"; tag: string } | { kind: "reject" } | { kind: "resolve" };

export interface Router {
  decide(flow: Flow): Decision;
}

type Test = (flow: Flow) => boolean;

function listOf<T extends z.ZodType>(item: T) {
  return z.union([item, z.array(item)]).transform((value): z.output<T>[] => (Array.isArray(value) ? value : [value]));
}

const Texts = listOf(z.string().min(1));
const Port = z.int().min(0).max(65_535);

/** Strict: a field that is not here changes which traffic a rule means, so such a rule is not guessed at. */
const Rule = z.strictObject({
  type: z.literal("default").optional(),
  inbound: Texts.optional(),
  auth_user: Texts.optional(),
  network: listOf(z.enum(["tcp", "udp"])).optional(),
  port: listOf(Port).optional(),
  port_range: Texts.optional(),
  domain: Texts.optional(),
  domain_suffix: Texts.optional(),
  domain_keyword: Texts.optional(),
  ip_cidr: Texts.optional(),
  ip_is_private: z.boolean().optional(),
  outbound: z.string().min(1).optional(),
  action: z.enum(["route", "reject", "resolve"]).optional(),
});
type Rule = z.infer<typeof Rule>;

const ROUTE_KEYS_WITHOUT_EFFECT = new Set(["final", "rules", "auto_detect_interface", "default_domain_resolver"]);

export interface CompiledRoute {
  readonly router: Router;
  /** Outbounds that rules and `final` name. */
  readonly tags: readonly string[];
  readonly warnings: readonly AgentNotice[];
}

/**
 * Compiles a route. `defaultTag`: where everything goes that no rule names, when the route has no `final`. Rules that
 * cannot be served are left out with a warning.
 */
export function compileRoute(route: Fragment, defaultTag: string): CompiledRoute {
  const warnings: AgentNotice[] = [];
  const rules: { test: Test; decision: Decision }[] = [];
  const listed = z.array(z.unknown()).safeParse(route["rules"] ?? []);
  if (!listed.success) warnings.push(noticeOf(blockPlace("route"), reason("invalid", "rules", "expected a list")));
  for (const [index, raw] of (listed.data ?? []).entries()) {
    const rule = compileRule(raw);
    if ("problem" in rule)
      warnings.push(
        noticeOf(blockPlace("route", `rules.${index}`, "route"), reason("rule_unserved", index, rule.problem)),
      );
    else rules.push(rule);
  }
  for (const key of Object.keys(route)) {
    if (!ROUTE_KEYS_WITHOUT_EFFECT.has(key))
      warnings.push(noticeOf(blockPlace("route", key, "route"), reason("unserved", "embedded", key, "sing-box")));
  }
  const final = z
    .string()
    .min(1)
    .safeParse(route["final"] ?? defaultTag);
  if (!final.success)
    warnings.push(noticeOf(blockPlace("route", "final", "route"), reason("invalid", "final", "expected a tag")));
  // A final that cannot be read must not send traffic out another way than meant.
  const last: Decision = final.success ? { kind: "outbound", tag: final.data } : { kind: "reject" };
  const router: Router = {
    decide: (flow) => {
      for (const rule of rules) {
        if (!rule.test(flow)) continue;
        if (rule.decision.kind !== "resolve") return rule.decision;
        if (isIP(flow.host) === 0 && flow.addresses === undefined) return rule.decision;
      }
      return last;
    },
  };
  const tags = [...rules.map(({ decision }) => decision), last].flatMap((decision) =>
    decision.kind === "outbound" ? [decision.tag] : [],
  );
  return { router, tags: [...new Set(tags)], warnings };
}

function compileRule(raw: unknown): { test: Test; decision: Decision } | { problem: string } {
  const parsed = Rule.safeParse(raw);
  if (!parsed.success) return { problem: problemText(parsed.error) };
  const rule = parsed.data;
  if (rule.action === undefined && rule.outbound === undefined)
    return { problem: "it has neither outbound nor action" };
  if (rule.action === "route" && rule.outbound === undefined) return { problem: "action route has no outbound" };
  try {
    const decision: Decision =
      rule.action === "reject" || rule.action === "resolve"
        ? { kind: rule.action }
        : { kind: "outbound", tag: rule.outbound ?? "" };
    return { test: every(groups(rule)), decision };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function problemText(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue?.code === "unrecognized_keys") return issue.keys.join(", ");
  return `${issue?.path.join(".") || "rule"}: ${issue?.message ?? "malformed"}`;
}

/** The groups of a rule, all of which must hold; inside a group one field is enough (sing-box, default rule). */
function groups(rule: Rule): Test[] {
  const tests: Test[] = [];
  if (rule.inbound) tests.push(oneOf(rule.inbound, (flow) => flow.inbound));
  if (rule.auth_user) tests.push(oneOf(rule.auth_user, (flow) => flow.user));
  if (rule.network) tests.push(oneOf<string>(rule.network, (flow) => flow.network));
  const ports: Test[] = [];
  if (rule.port) ports.push(oneOf(rule.port, (flow) => flow.port));
  for (const range of rule.port_range ?? []) ports.push(portRange(range));
  if (ports.length > 0) tests.push(some(ports));
  const destinations: Test[] = [];
  if (rule.domain) {
    destinations.push(
      oneOf(
        rule.domain.map((name) => name.toLowerCase()),
        (flow) => flow.host,
      ),
    );
  }
  for (const suffix of rule.domain_suffix ?? []) destinations.push(domainSuffix(suffix.toLowerCase()));
  for (const keyword of rule.domain_keyword ?? [])
    destinations.push((flow) => isIP(flow.host) === 0 && flow.host.includes(keyword.toLowerCase()));
  if (rule.ip_cidr) destinations.push(anyAddress(rule.ip_cidr.map(cidr)));
  if (rule.ip_is_private === true) destinations.push(anyAddress([isPrivateAddress]));
  if (destinations.length > 0) tests.push(some(destinations));
  return tests;
}

function every(tests: readonly Test[]): Test {
  return (flow) => tests.every((test) => test(flow));
}

function some(tests: readonly Test[]): Test {
  return (flow) => tests.some((test) => test(flow));
}

/** Constant time in the number of values, so that long `auth_user` lists cost nothing. */
function oneOf<T>(values: readonly T[], of: (flow: Flow) => T): Test {
  const set = new Set(values);
  return (flow) => set.has(of(flow));
}

/** "80:443", ":443" or "80:". */
function portRange(text: string): Test {
  const match = /^(\d{0,5}):(\d{0,5})$/.exec(text);
  if (!match || text === ":") throw new Error(`port_range ${JSON.stringify(text)} is not "from:to"`);
  const from = match[1] === "" ? 0 : Number(match[1]);
  const to = match[2] === "" ? 65_535 : Number(match[2]);
  return (flow) => flow.port >= from && flow.port <= to;
}

/** "example.org" means the name and all below it, ".example.org" only those below. */
function domainSuffix(suffix: string): Test {
  if (suffix.startsWith(".")) return (flow) => flow.host.endsWith(suffix);
  return (flow) => flow.host === suffix || flow.host.endsWith(`.${suffix}`);
}

function cidr(text: string): (address: string) => boolean {
  const [address = "", size] = text.split("/");
  if (isIP(address) === 0) throw new Error(`ip_cidr ${JSON.stringify(text)} is not an address or prefix`);
  const prefix = addressBytes(address);
  const bits = size === undefined ? prefix.length * 8 : Number(size);
  if (!Number.isInteger(bits) || size === "" || bits < 0 || bits > prefix.length * 8)
    throw new Error(`ip_cidr ${JSON.stringify(text)} has a bad length`);
  return (candidate) => {
    const bytes = addressBytes(candidate);
    return bytes.length === prefix.length && hasPrefix(bytes, prefix, bits);
  };
}

/** Tests a written address, or the resolved addresses of a name: a name that is not resolved never matches. */
function anyAddress(tests: readonly ((address: string) => boolean)[]): Test {
  return (flow) => {
    const addresses = isIP(flow.host) === 0 ? (flow.addresses ?? []) : [flow.host];
    return addresses.some((address) => tests.some((test) => test(address)));
  };
}
