// A template's or node's `route` and a template's `core` at write: shape, deprecated keys, and the names that the rules
// refer to.
import { z } from "zod";
import { rule, ruleSaying } from "../../http/index.ts";
import {
  type Fragment,
  isFragment,
  type Issue,
  notAnObject,
  type RefusedKeys,
  withForbidden,
  withoutRefused,
} from "./issue.ts";

const ACTIONS = ["route", "route-options", "reject", "hijack-dns", "sniff", "resolve"];

const geo = ruleSaying("geoip and geosite were removed: use a rule set", "deprecated", "rule_set");
const REFUSED_ROUTE: RefusedKeys = { geoip: geo, geosite: geo };
const REFUSED_RULE: RefusedKeys = {
  geoip: geo,
  geosite: geo,
  source_geoip: geo,
  rule_set_ipcidr_match_source: ruleSaying(
    "was renamed: use rule_set_ip_cidr_match_source",
    "deprecated",
    "rule_set_ip_cidr_match_source",
  ),
};

/** Tags that a route names, so that the writer can check that they exist. */
export interface RouteReferences {
  readonly outbounds: readonly string[];
  readonly ruleSets: readonly string[];
  readonly inbounds: readonly string[];
}

export type RouteResult =
  | { readonly ok: true; readonly references: RouteReferences }
  | { readonly ok: false; readonly issues: readonly Issue[] };

interface Found {
  readonly issues: Issue[];
  readonly outbounds: Set<string>;
  readonly ruleSets: Set<string>;
  readonly inbounds: Set<string>;
}

function texts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === "string");
}

/** Walks one rule; the members of a logical rule carry conditions only. */
function checkRule(given: unknown, path: string, nested: boolean, found: Found): void {
  if (!isFragment(given)) {
    found.issues.push({ path, ...notAnObject });
    return;
  }
  // The list of what a route may hold ends at the same depth.
  if (path.split(".").length > 32) return;
  const { issues, rest } = withoutRefused(given, REFUSED_RULE, path);
  found.issues.push(...issues);
  for (const tag of texts(rest["rule_set"])) found.ruleSets.add(tag);
  for (const tag of texts(rest["inbound"])) found.inbounds.add(tag);
  if (rest["type"] === "logical") checkLogical(rest, path, found);
  if (!nested) checkAction(rest, path, found);
}

function checkLogical(logical: Fragment, path: string, found: Found): void {
  if (logical["mode"] !== "and" && logical["mode"] !== "or")
    found.issues.push({ path: `${path}.mode`, ...ruleSaying("must be and or or", "choice", "and", "or") });
  const members = logical["rules"];
  if (!Array.isArray(members) || members.length === 0)
    found.issues.push({ path: `${path}.rules`, ...ruleSaying("must be a list of rules", "type", "array") });
  else members.forEach((member, index) => checkRule(member, `${path}.rules.${index}`, true, found));
}

function checkAction(single: Fragment, path: string, found: Found): void {
  const action = single["action"] ?? "route";
  if (typeof action !== "string" || !ACTIONS.includes(action)) {
    found.issues.push({ path: `${path}.action`, ...rule("choice", ...ACTIONS) });
    return;
  }
  const outbound = single["outbound"];
  if (action !== "route") return;
  if (typeof outbound === "string" && outbound !== "") found.outbounds.add(outbound);
  else found.issues.push({ path: `${path}.outbound`, ...ruleSaying("must name an outbound", "required", "string") });
}

/** Checks a `route`. Paths in `issues` are relative to it (`rules.3.outbound`). */
export function parseRoute(route: unknown): RouteResult {
  if (!isFragment(route)) return { ok: false, issues: [{ path: "", ...notAnObject }] };
  const { issues, rest } = withoutRefused(route, REFUSED_ROUTE);
  const found: Found = { issues, outbounds: new Set(), ruleSets: new Set(), inbounds: new Set() };
  const rules = rest["rules"] ?? [];
  if (!Array.isArray(rules)) issues.push({ path: "rules", ...ruleSaying("must be a list of rules", "type", "array") });
  else rules.forEach((each, index) => checkRule(each, `rules.${index}`, false, found));
  const final = z.string().optional().safeParse(rest["final"]);
  if (!final.success) issues.push({ path: "final", ...ruleSaying("must name an outbound", "required", "string") });
  else if (final.data) found.outbounds.add(final.data);
  const all = withForbidden("route", "", route, issues);
  if (all.length > 0) return { ok: false, issues: all };
  return {
    ok: true,
    references: { outbounds: [...found.outbounds], ruleSets: [...found.ruleSets], inbounds: [...found.inbounds] },
  };
}

const CORE_BLOCKS = ["dns", "log", "ntp"];

/**
 * Checks a template's `core` (dns, log and ntp blocks): known blocks, and none of the DNS keys that newer engines
 * refuse.
 */
export function coreIssues(core: unknown): Issue[] {
  if (!isFragment(core)) return [{ path: "", ...notAnObject }];
  const issues: Issue[] = [];
  for (const [key, block] of Object.entries(core)) {
    if (!CORE_BLOCKS.includes(key)) issues.push({ path: key, ...rule("choice", ...CORE_BLOCKS) });
    else if (!isFragment(block)) issues.push({ path: key, ...notAnObject });
  }
  const dns = isFragment(core["dns"]) ? core["dns"] : {};
  if (dns["fakeip"] !== undefined)
    issues.push({ path: "dns.fakeip", ...rule("deprecated", "a server of type fakeip") });
  listOf(dns["servers"]).forEach((server, index) => {
    if (isFragment(server) && server["address"] !== undefined) {
      issues.push({
        path: `dns.servers.${index}.address`,
        ...ruleSaying("is deprecated: give the server a type and server", "deprecated", "type, server"),
      });
    }
  });
  listOf(dns["rules"]).forEach((each, index) => {
    if (isFragment(each) && each["outbound"] !== undefined) {
      issues.push({ path: `dns.rules.${index}.outbound`, ...rule("deprecated", "domain_resolver of the outbound") });
    }
  });
  return withForbidden("core", "", core, issues);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
