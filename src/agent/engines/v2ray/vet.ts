// Asks v2ray itself whether it takes a configuration, and finds the items that it does not take, so that the rest can run.
import { objection } from "./binary.ts";
import { type Compiled, digestOf, engineConfig, type PopulatedInbound } from "./compile.ts";

const ANY_PORT = 65_000;

export interface Vetted<T> {
  readonly value: T;
  readonly warnings: readonly string[];
}

const Items = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];

/** The frame without the outbounds and rules that v2ray refuses. Throws when it refuses the rest too. */
export async function vetFrame(compiled: Compiled): Promise<Vetted<Compiled>> {
  const whole = await objection(engineConfig(compiled, [], ANY_PORT));
  if (whole === undefined) return { value: compiled, warnings: [] };
  const warnings: string[] = [];
  const routing = Object.fromEntries(Object.entries(compiled.frame["routing"] ?? {}));
  const outbounds: Record<string, unknown>[] = [];
  for (const outbound of Items(compiled.frame["outbounds"])) {
    const reason = await objection({ ...compiled.frame, outbounds: [outbound], routing: { rules: [] } });
    if (reason === undefined) outbounds.push(outbound);
    else warnings.push(`outbound ${String(outbound["tag"])}: ${reason}`);
  }
  const tags = new Set(outbounds.map((outbound) => outbound["tag"]));
  const refused = new Set(
    Items(compiled.frame["outbounds"])
      .map((outbound) => outbound["tag"])
      .filter((tag) => !tags.has(tag)),
  );
  const rules: Record<string, unknown>[] = [];
  for (const [index, rule] of Items(routing["rules"]).entries()) {
    if (index < compiled.guards) {
      // The guards in front are ours and never left out.
      rules.push(rule);
      continue;
    }
    if (refused.has(rule["outboundTag"])) continue;
    const reason = await objection({ ...compiled.frame, outbounds, routing: { ...routing, rules: [rule] } });
    if (reason === undefined) rules.push(rule);
    else warnings.push(`route: a rule to ${String(rule["outboundTag"])} is left out: ${reason}`);
  }
  // What no rule matches goes to the first outbound: if that one is refused, the next in line must not inherit its traffic.
  const [first] = Items(compiled.frame["outbounds"]);
  if (refused.has(first?.["tag"])) outbounds.sort((a, b) => Number(b["protocol"] === "blackhole") - Number(a["protocol"] === "blackhole"));
  const frame = { ...compiled.frame, outbounds, routing: { ...routing, rules } };
  const reduced = { ...compiled, frame, frameDigest: digestOf(frame) };
  const still = await objection(engineConfig(reduced, [], ANY_PORT));
  if (still !== undefined) throw new Error(`v2ray does not take the configuration: ${still}`);
  return { value: reduced, warnings };
}

/** Those inbounds that v2ray takes. Users are not looked at: they were screened. */
export async function vetInbounds(compiled: Compiled, inbounds: readonly PopulatedInbound[]): Promise<Vetted<PopulatedInbound[]>> {
  const bare = (populated: PopulatedInbound): Record<string, unknown> => ({ tag: `in.${populated.inbound.id}.a`, ...populated.config });
  if ((await objection(engineConfig(compiled, inbounds.map(bare), ANY_PORT))) === undefined) return { value: [...inbounds], warnings: [] };
  const value: PopulatedInbound[] = [];
  const warnings: string[] = [];
  for (const populated of inbounds) {
    const reason = await objection(engineConfig(compiled, [bare(populated)], ANY_PORT));
    if (reason === undefined) value.push(populated);
    else warnings.push(`inbound ${populated.inbound.tag}: ${reason}`);
  }
  return { value, warnings };
}
