// Commands that enter something unique, such as a row that says whose a value is.
import { UniqueConflict } from "./errors.ts";
import type { AnyEntity } from "./orm.ts";

/**
 * Runs a change that inserts rows into `table`. If another process inserted one of them in the meantime, `decide` runs
 * again and then sees that row.
 */
export async function decidedAgainIfTaken<T>({ name }: Pick<AnyEntity, "name">, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof UniqueConflict) || error.table !== name) throw error;
    return change();
  }
}
