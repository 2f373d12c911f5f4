// The version of a record, its `updatedAt`: a change that says which version it was made from is refused when somebody
// else has changed the record since (rule http.body.5).
import { Refusal } from "./refusals/errors.ts";
import { count } from "./wire.ts";

/** Field in the body of a change. Absent: the change is made whatever the record says. */
export const version = count.optional().describe("the `updatedAt` that the caller read");

/** Throws 409 with the record as `current`, unless it still is as the caller read it. */
export function refuseOutdated(
  read: number | undefined,
  { updatedAt }: { readonly updatedAt: number },
  current: () => object,
): void {
  if (read !== undefined && read !== updatedAt)
    throw new Refusal("version_conflict", { extra: { current: current() } });
}
