// What a person chose of the interface, beside the account: it is read by pages alone, never with the account.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../../db/index.ts";

export const InterfaceRows = entity(
  defineEntity({
    name: "AdminInterface",
    tableName: "admin_interfaces",
    properties: {
      /** The account. */
      id: p.bigint("number").primary().autoincrement(false),
      /** Views, columns, tiles, language, calendar, theme: the pages' own matter. */
      value: p.json<Record<string, unknown>>(),
      updatedAt: p.bigint("number"),
    },
  }),
  { owned: true },
);
export type InterfaceRow = RowOf<typeof InterfaceRows>;
