// The health of nodes as the panel takes it: what nodes say and whether they serve, kept as readings.
import type { AnyFeature, Core, Opened } from "../feature/index.ts";
import type { Heartbeats } from "../fleet/index.ts";
import { hasDuty } from "../runtime/index.ts";
import { foldReadings } from "./folding.ts";
import { healthRoutes } from "./health.routes.ts";
import { healthSettings } from "./health.settings.ts";
import { healthWords } from "./health.words.ts";
import { ReadingLedger } from "./reading-ledger.ts";
import { healthEntities } from "./readings.entity.ts";
import { NodeWatch } from "./node-watch.ts";

/** What health asks of the fleet. */
interface HealthNeeds {
  readonly heartbeats: Heartbeats;
}

function open(core: Core<keyof typeof healthSettings>, { heartbeats }: HealthNeeds): Opened {
  const { clock, commits, log, reads, settings, shards, undo } = core;
  const now = () => Math.floor(clock.now() / 1000);
  const days = () => settings.number("node_health_retention_days");
  const ledger = new ReadingLedger({
    commits,
    reads,
    clock,
    onError: (error) => log.warn({ err: error }, "readings of nodes were not written down"),
  });
  undo.push(() => ledger.stop());
  const watch = new NodeWatch({
    commits,
    reads,
    clock,
    shards,
    heartbeats,
    onReadings: (readings) => {
      if (days() > 0) ledger.add(readings);
    },
    onError: (error) => log.warn({ err: error }, "nodes are not watched: they could not be read"),
  });
  undo.push(() => watch.stop());
  return {
    routes: healthRoutes({ reads, now, current: (nodeId) => (days() > 0 ? watch.current(nodeId) : undefined) }),
    hourly: async () => {
      if (hasDuty(shards, "health.fold")) await foldReadings({ commits, reads }, now(), days());
    },
  };
}

export const feature = {
  name: "health",
  entities: healthEntities,
  settings: healthSettings,
  words: healthWords,
  open,
} as const satisfies AnyFeature;
