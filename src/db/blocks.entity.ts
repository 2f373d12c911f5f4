// The id blocks of `ids.ts`: the next free id of each sequence.
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "./table.ts";

export const IdBlockRows = entity(
  defineEntity({
    name: "IdBlock",
    tableName: "id_blocks",
    properties: { name: p.text().primary(), next: p.bigint("number") },
  }),
);
