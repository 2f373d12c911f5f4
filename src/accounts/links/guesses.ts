// How many records of jobs may tell an account of credentials and links that accounts of others have: as many a minute
// as its sessions are told of (rules users.credential.4, users.link.2), whatever number of jobs it has under way. In
// memory, of this panel.
import { Refusal } from "../../http/index.ts";
import type { JobRow } from "../../jobs/index.ts";

const PER_MINUTE = 12;
const MINUTE_S = 60;

export class Guesses {
  /** Unix seconds. */
  readonly #now: () => number;
  readonly #told = new Map<number, { readonly minute: number; readonly records: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** False where they are too many for this minute; nothing is told of any of them then, nor until the next one. */
  take(adminId: number, records: number): boolean {
    if (records === 0) return true;
    const minute = Math.floor(this.#now() / MINUTE_S);
    for (const [id, told] of this.#told) if (told.minute !== minute) this.#told.delete(id);
    const all = (this.#told.get(adminId)?.records ?? 0) + records;
    this.#told.set(adminId, { minute, records: all });
    return all <= PER_MINUTE;
  }

  /** Ends a job of a reseller that would be told of too many. Who sees all accounts may look at them anyway. */
  refuseMany({ adminId, plan }: Pick<JobRow, "adminId" | "plan">, records: number): void {
    if (plan["base"] === "resale" && !this.take(adminId, records))
      throw new Refusal("duplicate", {
        message: "too many accounts for one minute had credentials or links that others have by now",
      });
  }
}
