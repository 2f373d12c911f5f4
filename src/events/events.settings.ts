// The event log, and which addresses are called: the settings of this room, as data (docs/settings.md).
import { nowhere } from "../http/index.ts";
import { defineSettings, flag, number } from "../feature/index.ts";

const panelWide = true;

export const eventsSettings = defineSettings({
  event_retention_days: {
    points: nowhere,
    group: "events",
    check: number(0, 36_500, "empty"),
    default: "30",
    whenEmpty: "30",
    panelWide,
  },
  webhook_allow_private: { group: "events", points: nowhere, check: flag, default: "false", panelWide },
});
