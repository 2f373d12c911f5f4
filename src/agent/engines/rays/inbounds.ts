// All inbounds of a plan together: tags and ports must be unique, since engines share a port out at random without a
// word.
import type { PlanInbound, Structure } from "../../../protocol/plan.ts";
import type { CompiledInbound } from "../process/dialect.ts";
import { type AgentNotice, type Attempt, noticeOf, itemPlace, Refusal } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

export function collectInbounds<T extends CompiledInbound>(
  structure: Structure,
  compile: (inbound: PlanInbound) => T,
  attempt: Attempt,
  warnings: AgentNotice[],
): T[] {
  const inbounds: T[] = [];
  const tags = new Set<string>();
  const holders = new Map<string, string>();
  for (const object of Object.values(structure)) {
    if (object.kind !== "inbound") continue;
    const compiled = attempt(itemPlace("inbound", object.tag), () => {
      if (tags.has(object.tag)) throw new Refusal(reason("tag_twice"));
      const inbound = compile(object);
      const holder = inbound.networks
        .map((network) => holders.get(`${network} ${inbound.port}`))
        .find((tag) => tag !== undefined);
      if (holder !== undefined) throw new Refusal(reason("port_twice", inbound.port, holder));
      return inbound;
    });
    if (!compiled) continue;
    tags.add(compiled.tag);
    for (const network of compiled.networks) holders.set(`${network} ${compiled.port}`, compiled.tag);
    inbounds.push(compiled);
    warnings.push(...compiled.notes.map((note) => noticeOf(itemPlace("inbound", compiled.tag), note)));
  }
  return inbounds;
}

/** The ids of all planned inbounds by tag, also of those that are not served. */
export function inboundIds(structure: Structure): Map<string, number> {
  const ids = new Map<string, number>();
  for (const object of Object.values(structure)) if (object.kind === "inbound") ids.set(object.tag, object.id);
  return ids;
}

/** The address to listen on: Go opens both families for either wildcard. */
export function listenAddress(listen: string): string {
  return listen === "" || listen === "::" ? "0.0.0.0" : listen;
}
