// What becomes of archives: the events of this room, as data (docs/events.md).
import { defineEvents } from "../feature/index.ts";

export const backupsEvents = {
  ...defineEvents("panel", "backup:read", {
    backup_done: ["the scheduled backup wrote an archive", { name: "string", size: "integer" }],
    backup_failed: ["the scheduled backup failed; it is retried within the hour", { error: "string" }],
    backup_upload_failed: [
      "an archive did not reach a backup destination",
      { destination: "string", name: "string", error: "string" },
    ],
  }),
};
