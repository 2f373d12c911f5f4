// The users that a bulk operation is about: rows that were ticked, or all that match the list's filters, however many.
import type { QueryValue } from "../api/call.ts";
import type { Job } from "../jobs/job.ts";
import type { User } from "./user.ts";

export interface SelectedUsers {
  /** The selected users that the page knows: all of them, or none when all that match are meant. */
  readonly rows: readonly User[];
  readonly total: number;
  /** How the routes of bulk operations are told of them: in the query, or in the body. */
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly ids: { readonly ids?: readonly number[] };
}

/**
 * `matching`: how many match `parameters`, where all of them are meant. Without any filter, all users are named so: a
 * selection that says nothing is refused.
 */
export function selectedUsers(
  rows: readonly User[],
  matching: number | undefined,
  parameters: Readonly<Record<string, QueryValue>>,
): SelectedUsers {
  if (matching === undefined) return { rows, total: rows.length, query: {}, ids: { ids: rows.map(({ id }) => id) } };
  const { sort: _sort, order: _order, limit: _limit, offset: _offset, ...filters } = parameters;
  const narrowed = Object.values(filters).some((value) => value !== undefined && value !== "");
  return { rows: [], total: matching, query: narrowed ? filters : { all: true }, ids: {} };
}

type Problems = Job["problems"];

/** What a job refused, and what it did to accounts that their reseller keeps off all the same. */
export function problemsOf(problems: Problems): { readonly refused: Problems; readonly keptOff: Problems } {
  const isKept = ({ code }: Problems[number]) => code === "kept_off";
  return { refused: problems.filter((each) => !isKept(each)), keptOff: problems.filter(isKept) };
}

/** The users that a job refused: they stay selected. */
export function refusedOf({ rows }: SelectedUsers, { problems }: Pick<Job, "problems">): readonly User[] {
  const refused = new Set(problemsOf(problems).refused.map(({ id }) => id));
  return rows.filter(({ id }) => refused.has(id));
}
