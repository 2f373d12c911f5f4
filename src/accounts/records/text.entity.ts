// What `q` searches of accounts: a narrow table, so that an edit of anything else touches no index of it. Its parts of
// three letters are indexed by the migration `user_texts`: on SQLite in the full-text table `user_text_grams`, on
// PostgreSQL in an index over the function of that name.
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "../../db/index.ts";

export const UserTextRows = entity(
  defineEntity({
    name: "UserText",
    tableName: "user_texts",
    properties: {
      /** The account's id. */
      id: p.bigint("number").primary().autoincrement(false),
      /** All of its texts, folded, with a separator that is in none of them. */
      text: p.text(),
    },
  }),
  { owned: true, triggers: true },
);

/** How far the accounts that an older version left are entered: one row. */
export const UserTextEntryRows = entity(
  defineEntity({
    name: "UserTextEntry",
    tableName: "user_text_entry",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      /** Accounts up to this id are. */
      upTo: p.bigint("number"),
    },
  }),
);
