// What is kept and said of nodes: the settings of this room, as data (docs/settings.md).
import { nowhere } from "../http/index.ts";
import { defineSettings, flag, number } from "../feature/index.ts";

const unused = true;
const percent = number(0, 100, "empty");

export const fleetSettings = defineSettings({
  /** Whether the newest address is served, and the oldest refused, when an account has more than its `ipLimit`. */
  ip_limit_newest: { group: "general", points: nowhere, check: flag, default: "false" },
  alert_disk_percent: { group: "alerts", points: nowhere, check: percent, default: "", whenEmpty: "90", unused },
  alert_memory_percent: { group: "alerts", points: nowhere, check: percent, default: "", whenEmpty: "90", unused },
  alert_rejected_per_hour: {
    points: nowhere,
    group: "alerts",
    check: number(0, Number.MAX_SAFE_INTEGER, "empty"),
    default: "",
    whenEmpty: "100",
    unused,
  },
});
