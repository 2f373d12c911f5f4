// The text of each account that `q` searches, part of every commit that changes a field of it (rule users.list.3). What
// such a commit writes is one row of the queue; `text-indexing.ts` indexes it afterwards.
import type { Draft } from "../../db/index.ts";
import type { Consequence } from "../../feature/index.ts";
import { folded } from "../../lib/folded.ts";
import { UserRows, type UserRow } from "../records/user.entity.ts";
import { UserTextRows, UserTextQueueRows } from "../records/text.entity.ts";

/** Fields that are searched by a part. */
const FIELDS = [
  "name",
  "groupLabel",
  "description",
  "remark",
  "subId",
  "externalId",
  "contactText",
] as const satisfies readonly (keyof UserRow)[];

/** A control character: no field holds one, and what is searched for loses it. */
const SEPARATOR = "\u001f";

/** In the queue: the account is deleted. No account's text is empty. */
const GONE = "";

/** What is searched for, as the texts are kept. */
export function foldedPart(part: string): string {
  return folded(part).replaceAll(SEPARATOR, " ");
}

/** Without fields that are empty: each would add parts to the index that nobody finds. Older rows may have them. */
export function textOf(row: Readonly<UserRow>): string {
  return FIELDS.flatMap((field) => (row[field] ? [foldedPart(row[field])] : [])).join(SEPARATOR);
}

/** Enters accounts of an older version. What has a row in the queue is searched by that. */
export function enterTexts(draft: Draft, rows: readonly Readonly<UserRow>[]): void {
  for (const row of rows) draft.upsert(UserTextRows, { id: row.id, text: textOf(row) });
}

/** Part of every change: the text of an account is that of its row. */
export const textsFollow: Consequence = {
  table: UserRows.name,
  record(draft, key) {
    const id = Number(key);
    const before = draft.before(UserRows, id);
    const after = draft.find(UserRows, id);
    if (before && after && FIELDS.every((field) => before[field] === after[field])) return;
    draft.upsert(UserTextQueueRows, { id, text: after ? textOf(after) : GONE });
  },
};
