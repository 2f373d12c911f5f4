// What an account was before a bulk operation changed it: enough to give it back what it had.
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { UserState } from "../users/user-change.ts";
import type { UserRow } from "../records/user.entity.ts";
import type { PlainEdit, PlainlyEdited } from "../users/plain-edit.ts";
import type { UserFields } from "../users/user-fields.ts";

/** Columns that people write, and so the operations. */
const COLUMNS = [
  "name",
  "config",
  "description",
  "contact",
  "contactText",
  "subId",
  "subToken",
  "externalId",
  "remark",
  "volume",
  "speedLimit",
  "ipLimit",
  "deviceLimit",
  "expiry",
  "duration",
  "term",
  "activatedAt",
  "armedTotal",
  "autoReset",
  "resetDays",
  "resetPeriod",
  "resetStartDay",
  "resetStartMonth",
  "resetCalendar",
  "nextReset",
  "groupLabel",
  "adminId",
  "allTemplates",
  "templateIds",
  "inboundIds",
] as const satisfies readonly (keyof UserFields | "subToken")[];

export type KeptFields = Partial<Pick<UserRow, (typeof COLUMNS)[number]>>;

/** As it is stored in a part of the job. */
export const KeptAccount = z.object({
  id: z.int(),
  /**
   * The account's version after the operation: one that has another was touched since. Of one that was deleted, the
   * revision of its end.
   */
  version: z.int(),
  /** It was deleted: taking back brings it back. */
  gone: z.literal(true).optional(),
  /** It was made: taking back deletes it. */
  made: z.literal(true).optional(),
  /** The job's record that did it, where that is none of the account: a line, a place in the row. */
  at: z.int().optional(),
  /** What the operation overwrote. */
  fields: z.record(z.string(), z.unknown()).default({}),
  /** Whether a person had it on or off; absent: the operation did not switch it, or the panel had it off. */
  enable: z.boolean().optional(),
  /** Counters that went to zero. */
  counters: z.object({ up: z.int(), down: z.int() }).optional(),
});
export type KeptAccount = z.output<typeof KeptAccount>;

export function goneOf({ row }: UserState): KeptAccount {
  return { id: row.id, version: row.rev + 1, gone: true, fields: {} };
}

export function madeOf({ row }: UserState, at: number): KeptAccount {
  return { id: row.id, version: row.updatedAt, made: true, at, fields: {} };
}

/** What an edit of fields that stand for themselves overwrote: `edit` names all that it may have written. */
export function beforePlain({ before, after }: PlainlyEdited, edit: PlainEdit): KeptAccount {
  const fields: KeptFields = {};
  for (const column of COLUMNS) if (Object.hasOwn(edit, column)) keepColumn(fields, column, before, after);
  return { id: before.id, version: after.updatedAt, fields };
}

export function beforeOf(before: UserState, after: UserState): KeptAccount {
  const fields: KeptFields = {};
  for (const column of COLUMNS) keepColumn(fields, column, before.row, after.row);
  const switched = before.row.enable !== after.row.enable || before.row.disabledReason !== after.row.disabledReason;
  const byPerson = before.row.enable || before.row.disabledReason === "manual";
  const { up, down } = before.usage;
  return {
    id: before.row.id,
    version: after.row.updatedAt,
    fields,
    ...(switched && byPerson ? { enable: before.row.enable } : {}),
    ...(up !== after.usage.up || down !== after.usage.down ? { counters: { up, down } } : {}),
  };
}

function keepColumn<C extends (typeof COLUMNS)[number]>(
  fields: Partial<Pick<UserRow, C>>,
  column: C,
  before: Readonly<UserRow>,
  after: Readonly<UserRow>,
): void {
  if (!isDeepStrictEqual(before[column], after[column])) fields[column] = before[column];
}
