// How long traffic is kept: the settings of this room, as data (docs/settings.md).
import { nowhere } from "../http/index.ts";
import { defineSettings, number } from "../feature/index.ts";

export const historySettings = defineSettings({
  history_retention_days: {
    points: nowhere,
    group: "records",
    check: number(0, 36_500, "empty"),
    default: "400",
    whenEmpty: "400",
  },
});
