// Backups as the panel takes them: archives of its database, and what they bring back.
import type { AnyFeature, Core, Opened } from "../feature/index.ts";

function open(_: Core) {
  return {} satisfies Opened;
}

export const feature = {
  name: "backups",
  open,
} as const satisfies AnyFeature;
