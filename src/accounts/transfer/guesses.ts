// How many lines of imports may tell an account of credentials that accounts of others hold: as many a minute as its
// sessions are told of (rule users.credential.4), whatever number of imports it has under way. In memory, of this
// panel.
const PER_MINUTE = 12;
const MINUTE_S = 60;

export class Guesses {
  /** Unix seconds. */
  readonly #now: () => number;
  readonly #told = new Map<number, { readonly minute: number; readonly lines: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** False where they are too many for this minute; nothing is told of any of them then, nor until the next one. */
  take(adminId: number, lines: number): boolean {
    if (lines === 0) return true;
    const minute = Math.floor(this.#now() / MINUTE_S);
    for (const [id, told] of this.#told) if (told.minute !== minute) this.#told.delete(id);
    const all = (this.#told.get(adminId)?.lines ?? 0) + lines;
    this.#told.set(adminId, { minute, lines: all });
    return all <= PER_MINUTE;
  }
}
