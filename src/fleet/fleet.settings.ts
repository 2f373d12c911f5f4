// What is kept and said of nodes: the settings of this room, as data (docs/settings.md).
import { defineSettings, number } from "../feature/index.ts";

const panelWide = true;
const percent = number(0, 100, "empty");

export const fleetSettings = defineSettings({
  node_health_retention_days: { check: number(0, 730, "empty"), default: "", whenEmpty: "90", panelWide },
  alert_disk_percent: { check: percent, default: "", whenEmpty: "90" },
  alert_memory_percent: { check: percent, default: "", whenEmpty: "90" },
  alert_rejected_per_hour: { check: number(0, Number.MAX_SAFE_INTEGER, "empty"), default: "", whenEmpty: "100" },
});
