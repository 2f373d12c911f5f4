// Commands that enter something unique, such as a row that says whose a value is.
import { UniqueConflict } from "./errors.ts";
import type { AnyEntity } from "./orm.ts";

/**
 * Carries out a change that enters rows of `table`. Where another process entered one of them meanwhile, it is decided
 * once more, and then sees whose it is.
 */
export async function decidedAgainIfTaken<T>({ name }: Pick<AnyEntity, "name">, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof UniqueConflict) || error.table !== name) throw error;
    return change();
  }
}
