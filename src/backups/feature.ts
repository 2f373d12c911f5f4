// Backups as the panel takes them: archives of its database, and what they bring back.
import type { AnyFeature, Core, Opened } from "../feature/index.ts";
import { BackupOrderRows } from "./stored/order.entity.ts";
import { BackupOutcomeRows } from "./stored/outcome.entity.ts";

function open(_: Core) {
  return {} satisfies Opened;
}

export const feature = {
  name: "backups",
  entities: [BackupOutcomeRows, BackupOrderRows],
  open,
} as const satisfies AnyFeature;
