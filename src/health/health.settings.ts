// How long readings of nodes are kept: the settings of this room, as data (docs/settings.md).
import { nowhere } from "../http/index.ts";
import { defineSettings, number } from "../feature/index.ts";

export const healthSettings = defineSettings({
  node_health_retention_days: {
    points: nowhere,
    group: "records",
    check: number(0, 730, "empty"),
    default: "",
    whenEmpty: "90",
    panelWide: true,
  },
});
