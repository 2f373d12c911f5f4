// What webhooks are tried with: the events of this room, as data (docs/events.md).
import { defineEvents } from "../feature/index.ts";

export const eventsEvents = defineEvents("panel", "", {
  ping: [
    "a test event, sent to one subscriber whatever its filter",
    { subscriberId: "integer", name: "string", by: "string" },
  ],
});
