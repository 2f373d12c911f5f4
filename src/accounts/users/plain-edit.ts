// An edit of fields that stand for themselves: no chart decides on them, nothing else of the account follows from them,
// and no other record names them. So it reads and writes the account's row alone, once, and an edit of very many
// accounts costs little more than their rows.
//
// Invariant: it does to an account what `patchUser` does, and under the same rules (`test/jobs/plain-edits.test.ts`).
import type { Draft } from "../../db/index.ts";
import type { Caller } from "../../http/index.ts";
import { UserRows, type UserRow } from "../records/user.entity.ts";
import { admitPatch, changeableRow, differing, type UserWriter } from "./user-change.ts";
import { QUOTA_FIELDS, type UserFields } from "./user-fields.ts";
import type { UserPatchBody } from "./users.schema.ts";

/** Fields of a PATCH with their columns. */
const PLAIN_FIELDS = {
  desc: "description",
  remark: "remark",
  speedLimit: "speedLimit",
  ipLimit: "ipLimit",
  deviceLimit: "deviceLimit",
  group: "groupLabel",
} as const satisfies Partial<
  Record<keyof UserPatchBody, Exclude<keyof UserFields, (typeof QUOTA_FIELDS)[number] | "adminId" | "config">>
>;

/** Columns that stand for themselves, with what they become. */
export type PlainEdit = Partial<Pick<UserFields, (typeof PLAIN_FIELDS)[keyof typeof PLAIN_FIELDS]>>;

/** What a PATCH writes; undefined where not all of its fields stand for themselves. */
export function plainEditOf(body: UserPatchBody): PlainEdit | undefined {
  const sent = Object.entries(body).filter(([, value]) => value !== undefined);
  if (sent.some(([field]) => !isPlain(field))) return undefined;
  return Object.fromEntries(sent.map(([field, value]) => [isPlain(field) ? PLAIN_FIELDS[field] : field, value]));
}

function isPlain(field: string): field is keyof typeof PLAIN_FIELDS {
  return Object.hasOwn(PLAIN_FIELDS, field);
}

/** What an edit did to an account. */
export interface PlainlyEdited {
  readonly before: Readonly<UserRow>;
  /** The very same row: every field had its value already. */
  readonly after: Readonly<UserRow>;
}

/**
 * Edits an account as part of a change that tells of itself as a whole: it raises no event. Every refusal comes before
 * the first write.
 */
export function editPlainly(
  draft: Draft,
  writer: UserWriter,
  caller: Caller,
  id: number,
  edit: PlainEdit,
): PlainlyEdited {
  const before = changeableRow(draft, writer, caller, id);
  const patch = differing(before, edit);
  if (Object.keys(patch).length === 0) return { before, after: before };
  admitPatch(draft, writer, caller, before, patch);
  return { before, after: draft.touch(UserRows, id, patch) };
}
