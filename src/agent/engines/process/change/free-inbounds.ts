// Which of the wanted inbounds can listen: an engine that cannot open one of its ports does not start at all.
import type { HeldPort } from "../../contract/driver.ts";
import type { PopulatedInbound } from "../dialect.ts";
import type { EngineSet } from "../lifecycle/engine-set.ts";
import { portTaken } from "../ports/holder.ts";
import { deniedPorts, takenPorts } from "../ports/ports.ts";
import { type AgentNotice, itemPlace, noticeOf } from "../../../notices.ts";

export interface FreeInbounds {
  readonly free: readonly PopulatedInbound[];
  /** Ports of the others, and a warning for each of them. */
  readonly held: readonly HeldPort[];
  readonly warnings: readonly AgentNotice[];
}

export async function freeInbounds(
  wanted: readonly PopulatedInbound[],
  engines: Pick<EngineSet, "serving" | "ports">,
): Promise<FreeInbounds> {
  const inbounds = wanted.map(({ inbound }) => inbound);
  const own = engines.serving?.inbounds ?? [];
  const ours = new Set(own.flatMap(({ networks, port }) => networks.map((network) => `${network}:${port}`)));
  const taken = await takenPorts(inbounds, ours);
  // Behind the port map an inbound listens elsewhere.
  const denied = await deniedPorts(inbounds.filter((inbound) => !engines.ports.isMapped(inbound)));
  const left = inbounds.filter((inbound) => taken.has(inbound) || denied.has(inbound));
  const warnings = left.map(async (inbound) =>
    noticeOf(itemPlace("inbound", inbound.tag), denied.get(inbound) ?? (await portTaken(inbound))),
  );
  return {
    free: wanted.filter(({ inbound }) => !left.includes(inbound)),
    held: left.map(({ port, listen, networks }) => ({ port, listen, networks })),
    warnings: await Promise.all(warnings),
  };
}
