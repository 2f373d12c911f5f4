// What was taken of each API token's budget in the current minute, where several processes share one database.
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "../../db/index.ts";

export const TokenBudgetRows = entity(
  defineEntity({
    name: "TokenBudget",
    tableName: "token_budgets",
    properties: {
      /** The API token's id. */
      id: p.bigint("number").primary().autoincrement(false),
      /** Unix minutes. */
      minute: p.bigint("number"),
      taken: p.integer(),
    },
  }),
  { archive: "never" },
);
