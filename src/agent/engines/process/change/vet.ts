// Asks the engine itself whether it takes a configuration, and finds the items that it does not take, so that the rest
// can run.
import {
  type Compiled,
  type Dialect,
  digestOf,
  type Endpoint,
  engineTags,
  type Json,
  type PopulatedInbound,
} from "../dialect.ts";
import { type AgentNotice, noticeOf, itemPlace, rulePlace } from "../../../notices.ts";
import { reason } from "../../../../protocol/notices/index.ts";

export interface Vetted<T> {
  readonly value: T;
  readonly warnings: readonly AgentNotice[];
}

const Items = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];

/** Some endpoint, for configurations that are only looked at. */
function anyEndpoint(dialect: Dialect): Endpoint {
  if (dialect.abilities.apiPorts === 0) return { grpc: "unix:/tmp/signalbox.api", ports: [] };
  if (dialect.abilities.apiPorts === 1) return { grpc: "127.0.0.1:65000", ports: [65_000] };
  return { grpc: "127.0.0.1:65000", clash: { port: 65_001, secret: "any" }, ports: [65_000, 65_001] };
}

/** The frame without the outbounds and rules that the engine refuses. Throws when it refuses the rest too. */
export async function vetFrame(dialect: Dialect, compiled: Compiled): Promise<Vetted<Compiled>> {
  const endpoint = anyEndpoint(dialect);
  const objection = async (frame: Json): Promise<string | undefined> =>
    dialect.objection(dialect.config({ ...compiled, frame }, [], endpoint));
  if ((await objection(compiled.frame)) === undefined) return { value: compiled, warnings: [] };
  const reduced = await dialect.reduceFrame?.(compiled, objection);
  if (reduced) return { value: withFrame(dialect, compiled, reduced.frame), warnings: reduced.warnings };
  const { routing: key, target } = dialect.frameShape;
  const isBlock = (outbound: Json): boolean => dialect.frameShape.isBlock(outbound);
  const warnings: AgentNotice[] = [];
  const routing = Object.fromEntries(Object.entries(compiled.frame[key] ?? {}));
  const all = Items(compiled.frame["outbounds"]);
  const outbounds: Record<string, unknown>[] = [];
  for (const outbound of all) {
    const why = await dialect.objection({ ...compiled.frame, outbounds: [outbound], [key]: { rules: [] } });
    if (why === undefined) outbounds.push(outbound);
    else warnings.push(noticeOf(itemPlace("outbound", String(outbound["tag"])), reason("engine_refused", why)));
  }
  const tags = new Set(outbounds.map((outbound) => outbound["tag"]));
  const refused = new Set(all.map((outbound) => outbound["tag"]).filter((tag) => !tags.has(tag)));
  const block = outbounds.find(isBlock)?.["tag"];
  const rules: Record<string, unknown>[] = [];
  for (const [index, written] of Items(routing["rules"]).entries()) {
    if (index < compiled.guards) {
      // The guards in front are ours and never left out.
      rules.push(written);
      continue;
    }
    // What was meant for an outbound that is not served must not leave another way.
    const rule = refused.has(written[target]) ? { ...written, [target]: block } : written;
    const why = await dialect.objection({ ...compiled.frame, outbounds, [key]: { ...routing, rules: [rule] } });
    if (why === undefined) rules.push(rule);
    else
      warnings.push(
        noticeOf(rulePlace(index - compiled.guards), reason("engine_refused", why), "the rule is left out"),
      );
  }
  // What no rule matches goes to the first outbound: if that one is refused, the next in line must not inherit its
  // traffic.
  const [first] = all;
  const final = routing["final"];
  if (refused.has(first?.["tag"])) outbounds.sort((a, b) => Number(isBlock(b)) - Number(isBlock(a)));
  const rest = final !== undefined && refused.has(final) ? { ...routing, rules, final: block } : { ...routing, rules };
  const frame = { ...compiled.frame, outbounds, [key]: rest };
  const still = await objection(frame);
  if (still !== undefined) throw new Error(`${dialect.name} does not take the configuration: ${still}`);
  return { value: withFrame(dialect, compiled, frame), warnings };
}

function withFrame(dialect: Dialect, compiled: Compiled, frame: Json): Compiled {
  const frameDigest = digestOf([compiled.frameDigest, frame]);
  return {
    ...compiled,
    frame,
    frameDigest,
    coreDigest: dialect.abilities.hotFrame ? compiled.coreDigest : frameDigest,
  };
}

/** Those inbounds that the engine takes. Users are not looked at where they change live: they were screened. */
export async function vetInbounds(
  dialect: Dialect,
  compiled: Compiled,
  inbounds: readonly PopulatedInbound[],
): Promise<Vetted<PopulatedInbound[]>> {
  const endpoint = anyEndpoint(dialect);
  const bare = (populated: PopulatedInbound): Json => {
    const { id, listen, port, users } = populated.inbound;
    const one = users === "live" ? { ...populated, accounts: new Map() } : populated;
    return dialect.inboundConfig(one, { tag: engineTags(id)[0], listen, port });
  };
  const objection = async (list: readonly PopulatedInbound[]): Promise<string | undefined> =>
    dialect.objection(dialect.config(compiled, list.map(bare), endpoint));
  if ((await objection(inbounds)) === undefined) return { value: [...inbounds], warnings: [] };
  const value: PopulatedInbound[] = [];
  const warnings: AgentNotice[] = [];
  for (const populated of inbounds) {
    const why = await objection([populated]);
    if (why === undefined) value.push(populated);
    else warnings.push(noticeOf(itemPlace("inbound", populated.inbound.tag), reason("engine_refused", why)));
  }
  return { value, warnings };
}
