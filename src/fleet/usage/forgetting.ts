// Forgets what late usage no longer needs: departures that every node has told past, refusals and late usage of deleted
// accounts that are old.
//
// A node that uses nothing sends no batches; of one that has long been linked it is known all the same that it has told
// everything. That is written down only while there is a departure that waits for it, so a fleet at rest is not
// written.
//
// It also corrects timestamps in the future. If the clock was set back, also while the panel was off, such timestamps
// would cause valid usage to be refused until the clock has caught up.
import { sql, sweepRows, type Query, type SweepStore } from "../../db/index.ts";
import type { Cancel, Clock } from "../../lib/clock.ts";

const LOOK_MS = 60_000;
const DAY_MS = 86_400_000;
/** No usage is believed later than this. */
export const DEPARTURES_KEPT_MS = 35 * DAY_MS;
const REFUSALS_KEPT_MS = 30 * DAY_MS;
/** How long a node is warned about after usage of it was refused. */
const WARNED_MS = DAY_MS;
/** What judges a batch looks so much further back (`usage-judge.ts`). */
const MARGIN_MS = 2 * 60_000;
/** Another process's clock may be ahead by so much. */
const AHEAD_MS = 5000;
/** Moments that are only ever of the past. */
const MOMENTS = [
  ["node_usage", "given_since"],
  ["departures", "until"],
] as const;

/**
 * From when a node may tell of accounts, where the stored moment lies in the future: the clock was set back, less than
 * one look of this class ago. Until that look what was taken away since counts (Unix milliseconds).
 */
export function givenSinceSet(stored: number, now: number): number {
  return stored > now ? now - 2 * LOOK_MS : stored;
}

export interface ForgettingOptions extends SweepStore {
  readonly clock: Clock;
  /** Linked nodes, and until when each has told of everything although it sent no batch (Unix milliseconds). */
  readonly told: () => readonly { readonly id: number; readonly until: number }[];
  readonly onError: (error: unknown) => void;
}

export class Forgetting {
  readonly #options: ForgettingOptions;
  #cancel: Cancel = () => {};
  #stopped = false;

  constructor(options: ForgettingOptions) {
    this.#options = options;
    this.#later();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /** Looks once; what it finds it deletes in small parts. */
  async look(): Promise<void> {
    const now = this.#options.clock.now();
    await this.#bringBack();
    await this.#departures(now);
    const refused = Math.floor((now - REFUSALS_KEPT_MS) / 1000);
    await this.#forget("usage_refusals", sql`at < ${refused}`);
    await this.#forget(
      "deleted_usage",
      sql`counted_at < ${now - DEPARTURES_KEPT_MS} and kept_until < ${Math.floor(now / 1000)}`,
    );
    const warned = sql`refused_at > 0 and refused_at < ${now - WARNED_MS}`;
    if (await this.#any(sql`select 1 as x from node_usage where ${warned} limit 1`))
      await this.#execute(sql`update node_usage set refused_at = 0 where ${warned}`);
  }

  /**
   * All to one moment: what came before another does not come after it then, and what a node may still tell of it may
   * tell of.
   */
  async #bringBack(): Promise<void> {
    const { clock, commits, reads } = this.#options;
    for (const [table, column] of MOMENTS) {
      const [name, moment] = [sql.table(table), sql.raw(column)];
      if (!(await this.#any(sql`select 1 as x from ${name} where ${moment} > ${clock.now() + AHEAD_MS} limit 1`)))
        continue;
      // Made when the transaction has begun: what was written while it waited for its turn is not in the future.
      const statements = () => {
        const now = clock.now();
        const back = sql`update ${name} set ${moment} = ${Math.floor(now - LOOK_MS)} where ${moment} > ${now + AHEAD_MS}`;
        return [reads.statement("usage.broughtBack", back)];
      };
      await commits.execute({ name: "usage.broughtBack", statements });
    }
  }

  async #departures(now: number): Promise<void> {
    const { reads, told } = this.#options;
    const [oldest] = await reads.query<{ until: number }>(sql`select until from departures order by until limit 1`);
    if (!oldest) return;
    const needed = oldest.until + MARGIN_MS;
    const past = told().filter(({ until }) => until > needed);
    const behind = sql`given_since <= ${needed}`;
    if (past.length > 0) {
      const ids = sql`id in (${sql.join(past.map(({ id }) => id))})`;
      const until = Math.min(...past.map((each) => each.until));
      if (await this.#any(sql`select 1 as x from node_usage where ${ids} and ${behind} limit 1`))
        await this.#execute(sql`update node_usage set given_since = ${Math.floor(until)} where ${ids} and ${behind}`);
    }
    // A node that has no template, and left none, has nobody to tell of.
    const [slowest] = await reads.query<{ since: number | null }>(
      sql`select min(u.given_since) as since from node_usage u join nodes n on n.id = u.id
        where n.template_id is not null or exists (select 1 from departures d where d.subject = n.id and d.kind = 'node')`,
    );
    const before = Math.max(now - DEPARTURES_KEPT_MS, (slowest?.since ?? now) - MARGIN_MS);
    await this.#forget("departures", sql`until < ${before}`);
  }

  async #forget(table: string, where: Query): Promise<void> {
    const ids = sql`select id from ${sql.table(table)} where ${where}`;
    await sweepRows(this.#options, { name: "usage.forget", table, ids, going: () => !this.#stopped });
  }

  async #any(query: Query): Promise<boolean> {
    return (await this.#options.reads.query(query)).length > 0;
  }

  async #execute(query: Query): Promise<void> {
    const { commits, reads } = this.#options;
    await commits.execute({ name: "usage.forget", statements: [reads.statement("usage.forget", query)] });
  }

  #later(): void {
    this.#cancel = this.#options.clock.after(LOOK_MS, () => {
      this.look()
        .catch((error: unknown) => this.#options.onError(error))
        .finally(() => {
          if (!this.#stopped) this.#later();
        });
    });
  }
}
