// What `q` searches of accounts: narrow tables, so that an edit of anything else touches no index of them. The parts of
// three letters of `user_texts` are indexed by the migration of that name: on SQLite in the full-text table
// `user_text_grams`, on PostgreSQL in an index over the function of that name. The index is dear to write, so a commit
// only puts the new text into the queue; `text-indexing.ts` takes it over later.
//
// Invariant: in every snapshot, the text of an account is that of its row in the queue, and where there is none, that
// of its row in `user_texts`.
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

/** Texts that are not indexed yet. */
export const UserTextQueueRows = entity(
  defineEntity({
    name: "UserTextQueue",
    tableName: "user_text_queue",
    properties: {
      /** The account's id. */
      id: p.bigint("number").primary().autoincrement(false),
      /** As in `user_texts`; empty: the account is deleted. */
      text: p.text(),
    },
  }),
  { owned: true },
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
