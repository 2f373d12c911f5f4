// The pool as the panel takes it: inbounds, their fronts, outbounds, templates.
import type { AnyFeature, Core, Opened } from "../feature/index.ts";
import { FrontRows } from "./front.entity.ts";
import { InboundRows } from "./inbound.entity.ts";
import { departureOf } from "./departures.ts";
import { OutboundRows } from "./outbound.entity.ts";
import { poolEntities, poolRoutes, type PoolDeps } from "./routes.ts";
import { storedForbidden } from "./pool.queries.ts";
import { poolSettings } from "./pool.settings.ts";
import { TemplateRows } from "./template.entity.ts";
import type { PoolUsers } from "./used-by.queries.ts";
import { poolWords } from "./pool.words.ts";

/** What the pool asks of those who use what it holds. */
type PoolNeeds = Pick<PoolDeps, keyof PoolUsers | "carryOutDepartures" | "inboundLeaves">;

function open(
  { environment, reads }: Core,
  { carryOutDepartures, inboundLeaves, membersOf, nodesOn, nodesRouting }: PoolNeeds,
): Opened {
  const { privateTargets } = environment;
  return {
    routes: poolRoutes({
      reads,
      certificateExists: () => false,
      membersOf,
      nodesOn,
      nodesRouting,
      carryOutDepartures,
      inboundLeaves,
      privateTargets,
    }),
  };
}

export const feature = {
  name: "pool",
  entities: poolEntities,
  echo: { tables: [InboundRows, FrontRows, OutboundRows, TemplateRows] },
  settings: poolSettings,
  words: poolWords,
  consequences: [departureOf(TemplateRows, "template", ({ inboundIds }) => ({ was: inboundIds }))],
  forbidden: storedForbidden,
  open,
} as const satisfies AnyFeature;
