// Bells: a table of a feature that the panel does not have.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../../../src/db/index.ts";
import { actorColumns } from "../../../src/runtime/index.ts";

export const BellRows = entity(
  defineEntity({
    name: "Bell",
    tableName: "bells",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text(),
      rung: p.bigint("number"),
      ...actorColumns(),
    },
  }),
);
export type BellRow = RowOf<typeof BellRows>;
