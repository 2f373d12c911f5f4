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

/** The text of each account as its last commit left it: `t.id`, `t.text`. */
export const CURRENT_TEXTS = `(
  select x.id, x.text from user_texts x where not exists (select 1 from user_text_queue w where w.id = x.id)
  union all select w.id, w.text from user_text_queue w) t`;

/** The same of the one account `u`. */
export const CURRENT_TEXT =
  "coalesce((select w.text from user_text_queue w where w.id = u.id), (select t.text from user_texts t where t.id = u.id))";

/** Whether the row `t` of `user_texts` has the account's text: none waits in the queue. */
export const IS_CURRENT = "not exists (select 1 from user_text_queue w where w.id = t.id)";

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
