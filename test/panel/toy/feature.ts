// A whole feature in a folder of its own: a table, a kind of actors, a setting, an event, a need of another feature,
// and a route.
import { z } from "zod";
import {
  defineEvents,
  defineSettings,
  number,
  type AnyFeature,
  type Core,
  type Opened,
} from "../../../src/feature/index.ts";
import { nowhere, route } from "../../../src/http/index.ts";
import { type BellActor, defineBell } from "./bell.actor.ts";
import { BellRows } from "./bell.entity.ts";

const bellSettings = defineSettings({
  bell_times: { group: "general", points: nowhere, check: number(1, 9, "empty"), default: "", whenEmpty: "2" },
});
const bellEvents = defineEvents("panel", "stats:read", {
  bell_rang: ["a bell was rung", { name: "string", rung: "integer" }],
});

interface BellNeeds {
  readonly onlineAt: (now: number) => Promise<number>;
}

function open(
  core: Core<keyof typeof bellSettings, keyof typeof bellEvents>,
  { onlineAt }: BellNeeds,
  { bell }: { bell: BellActor },
): Opened {
  const { clock, settings, supervisor } = core;
  return {
    routes: [
      route({
        method: "POST",
        path: "/bells/ring",
        scope: "stats:read",
        summary: "Ring a new bell",
        body: z.object({ name: z.string().max(32) }),
        answer: z.object({ id: z.int(), rung: z.int(), online: z.int() }),
        audit: { key: "bells", action: "create" },
        handle: async ({ body: { name }, commit, origin }) => {
          const online = await onlineAt(Math.floor(clock.now() / 1000));
          return commit({
            locks: [],
            decide(draft) {
              const id = draft.nextId(BellRows.name);
              supervisor.create(draft, bell, { id, name, rung: 0 }, origin);
              for (let each = 0; each < settings.number("bell_times"); each++)
                supervisor.step(draft, bell, id, { type: "ring" }, origin);
              return {
                answer: { id, rung: draft.find(BellRows, id)?.rung ?? 0, online },
                audit: { entityId: id, after: { name } },
              };
            },
          });
        },
      }),
    ],
  };
}

export const feature = {
  name: "bells",
  entities: [BellRows],
  settings: bellSettings,
  events: bellEvents,
  kinds: () => ({ bell: defineBell() }),
  open,
} as const satisfies AnyFeature;
