// The table of restores. Archives do not have it: a restore is of the database in which it was asked for, or of the one
// that it made.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../../db/index.ts";
import { actorColumns, actorIndexes } from "../../runtime/index.ts";

/** Where the archive comes from: sent with the request, or one of the folder of backups. */
export type ArchiveSource = "upload" | "stored";

export const RestoreRows = entity(
  defineEntity({
    name: "Restore",
    tableName: "restores",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      ...actorColumns(),
      source: p.text().$type<ArchiveSource>(),
      /** Name of a stored archive; empty for one that was sent. */
      archive: p.text(),
      /** The upload that it was sent in; 0: none. */
      upload: p.bigint("number"),
      /** Whether a panel without setup was restored: nothing was there that a snapshot could keep. */
      fresh: p.boolean(),
      keepWebSettings: p.boolean(),
      keepLicense: p.boolean(),
      /** Settings that the new database gets whatever the archive says. */
      settings: p.json<Record<string, string>>(),
      /** The account that asked for it, and how. */
      adminId: p.bigint("number"),
      actor: p.text(),
      via: p.text(),
      ip: p.text(),
      /** Path of the archive of what was there before. */
      snapshot: p.text(),
      /** Path of what the restore put aside; empty: nothing yet. */
      superseded: p.text(),
      tables: p.bigint("number"),
      rows: p.bigint("number"),
      /** What a person should know of the restore, as sentences. */
      warnings: p.json<string[]>(),
      /** Local nodes of another machine: the first start switches them off. */
      foreignNodes: p.json<number[]>(),
      error: p.text(),
      code: p.text(),
      /** `yes` while it is at work: of all at most one. */
      running: p.text().nullable().unique(),
      /** Unix seconds at which the panel said that it was applied; 0: not yet. */
      toldAt: p.bigint("number"),
      createdAt: p.bigint("number"),
      finishedAt: p.bigint("number"),
    },
    indexes: [...actorIndexes("restores")],
  }),
  { archive: "never" },
);
export type RestoreRow = RowOf<typeof RestoreRows>;
