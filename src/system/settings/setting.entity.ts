// Stored settings: a row per key that was ever written.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, partlySealedText, type RowOf } from "../../db/index.ts";

export const SettingRows = entity(
  defineEntity({
    name: "Setting",
    tableName: "settings",
    properties: {
      /** The wire key. */
      id: p.text().primary(),
      /** As validated; secret ones sealed. */
      value: partlySealedText(),
      /** Unix seconds. */
      createdAt: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
  }),
);
export type SettingRow = RowOf<typeof SettingRows>;
