// What is kept of a deleted account: its row, its counters and its devices, as they were.
import { blankRow } from "../../db/index.ts";
import type { KeptAccount } from "../records/deleted-user.entity.ts";
import { UserRows, UserUsageRows, type UserRow, type UserUsageRow } from "../records/user.entity.ts";

// What columns hold in accounts that were deleted before there were these columns.
const ABSENT_ROW: UserRow = {
  ...blankRow(UserRows),
  mstate: "disabled.manual",
  mctx: {},
  mver: 1,
  disabledReason: "manual",
  config: { uuid: "", password: "", ss16: "", ss32: "" },
  templateIds: [],
};
const ABSENT_USAGE: UserUsageRow = blankRow(UserUsageRows);

/** The rows of a kept account with the columns that this panel has. */
export function rowsOf(id: number, { row, usage }: KeptAccount): { row: UserRow; usage: UserUsageRow } {
  return { row: { ...laidOver(ABSENT_ROW, row), id }, usage: { ...laidOver(ABSENT_USAGE, usage), id } };
}

function laidOver<T extends object>(absent: T, kept: Partial<T>): T {
  const known = Object.entries(kept).filter(([column, value]) => column in absent && value !== undefined);
  return { ...absent, ...Object.fromEntries(known) };
}
