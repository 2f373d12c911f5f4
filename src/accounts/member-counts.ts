// How many accounts some templates serve. Only a walk over all accounts can say it, so one walk answers every question
// for a while: the longer it takes, the longer it holds.
import { sql, type Reader } from "../db/index.ts";

/** Walks take at most this share of the time. */
const SHARE = 1 / 20;

interface Group {
  readonly all: boolean;
  readonly templateIds: readonly number[];
  readonly accounts: number;
}

export class MemberCounts {
  readonly #reads: Reader;
  readonly #now: () => number;
  #walk: Promise<readonly Group[]> | undefined;
  /** Milliseconds; from when and until when the last walk holds: one before it is of a clock that was set back. */
  #holds = { from: 0, until: 0 };

  constructor(reads: Reader, now: () => number) {
    this.#reads = reads;
    this.#now = now;
  }

  /** Accounts that one of the templates serves, each once. */
  async of(templateIds: readonly number[]): Promise<number> {
    if (templateIds.length === 0) return 0;
    const wanted = new Set(templateIds);
    const served = (await this.#groups()).filter((each) => each.all || each.templateIds.some((id) => wanted.has(id)));
    return served.reduce((sum, { accounts }) => sum + accounts, 0);
  }

  #groups(): Promise<readonly Group[]> {
    const begun = this.#now();
    if (this.#walk && begun >= this.#holds.from && begun < this.#holds.until) return this.#walk;
    // Whoever asks meanwhile waits for the same walk.
    this.#holds = { from: 0, until: Number.POSITIVE_INFINITY };
    const walk = this.#read();
    this.#walk = walk;
    void walk.then(
      () => {
        const ended = this.#now();
        this.#holds = { from: ended, until: ended + (ended - begun) / SHARE };
      },
      () => {
        this.#walk = undefined;
      },
    );
    return walk;
  }

  async #read(): Promise<readonly Group[]> {
    const rows = await this.#reads.query<{
      all_templates: boolean | number;
      template_ids: string | number[];
      accounts: number | string;
    }>(sql`select all_templates, template_ids, count(*) as accounts from users group by all_templates, template_ids`, {
      scans: true,
    });
    return rows.map(({ all_templates: all, template_ids: ids, accounts }) => ({
      all: Boolean(all),
      templateIds: typeof ids === "string" ? (JSON.parse(ids) as number[]) : ids,
      accounts: Number(accounts),
    }));
  }
}
