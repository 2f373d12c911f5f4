// Counts the fleet's usage: agents' ledger batches as set-based statements, applied exactly once. Users who crossed a
// limit are marked due in the same transaction (rules usage.count).
//
// A batch (`bootId`, `seq`) is counted in the transaction that moves its cursor, and acknowledged after that commit.
// Batches that arrive while a transaction runs are counted together in the next one, one of each ledger; what arrives
// again meanwhile (its sender lost patience or its connection) shares the answer. Should a transaction fail for what
// one of its batches says, each is counted alone. Multiplying never rounds: what is left over is kept in millionths of
// a byte. What of a batch counts is judged before (`usage-judge.ts`); what does not is written down in the same
// transaction, and the batch is acknowledged all the same. Several processes may be sent the same batch (one that lost
// its link counts while the next holder is asked already): the cursor decides, so one of them counts and both
// acknowledge.
import {
  ExpectationFailed,
  Facts,
  sql,
  StoreUnavailable,
  type Committer,
  type Reader,
  type Statement,
} from "../../db/index.ts";
import { MAX_USAGE_ROWS } from "../../protocol/messages.ts";
import { CELLS } from "../../protocol/usage-rows.ts";
import { DUE } from "../../runtime/index.ts";
import type { UserCounting } from "./served-accounts.ts";
import { refusalStatements, TELL_MS } from "./usage-refusals.ts";
import type { TrafficRecord } from "./traffic-record.ts";
import { UsageJudge, type NodeLedger, type SentBatch, type Served, type Verdict } from "./usage-judge.ts";
import { usersOf } from "./usage-sums.ts";
import { cursorId, usageStatements, type NodeCount } from "./usage-statements.ts";

const MINUTE_MICROS = 60_000_000;

interface Waiting extends SentBatch {
  readonly resolve: (acknowledged: number) => void;
  readonly reject: (error: unknown) => void;
}

/** A batch of a transaction, with everybody who sent it. */
interface Turn {
  readonly sent: SentBatch;
  readonly by: Waiting[];
}

export interface UsageOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly now: () => number;
  readonly served: Served;
  readonly counting: UserCounting;
  readonly recordTraffic: TrafficRecord;
  /** The fastest line that a node may have; 0: any. */
  readonly maxNodeGbps: number;
  /** Something of these nodes was refused, and nothing was said of them for an hour. */
  readonly onRefused: (nodeIds: readonly number[]) => void;
  /** So many batches of a node were counted in a database that is no longer there: a restore came since. */
  readonly onLost?: (nodeId: number, batches: number) => void;
}

/** Times that a transaction is tried again because another process, or a command, was there first. */
const ROUNDS = 5;
/** Batches counted in one transaction at most, and their rows: as many as one batch may have. */
const BATCHES = 256;
const CELLS_AT_ONCE = MAX_USAGE_ROWS * CELLS;

export class UsageCounter {
  readonly #options: UsageOptions;
  readonly #judge: UsageJudge;
  #waiting: Waiting[] = [];
  #running = false;
  #moved = 0;
  #pruned = 0;

  constructor(options: UsageOptions) {
    this.#options = options;
    this.#judge = new UsageJudge(options.reads, options.served, options.maxNodeGbps);
  }

  /**
   * Counts a batch. Resolves to the highest seq of its ledger that is on disk, which the agent may forget. Rejects when
   * the database is away.
   */
  count(batch: SentBatch): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...batch, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const turns = this.#takeTurns();
      const failure = await this.#settle(turns);
      if (failure === undefined) continue;
      // The database is away, or the only one failed: that is the answer. Otherwise the faulty batch must not block the
      // others.
      const alone = turns.length > 1 && !(failure instanceof StoreUnavailable);
      for (const turn of turns) {
        const error = alone ? await this.#settle([turn]) : failure;
        if (error !== undefined) for (const { reject } of turn.by) reject(error);
      }
    }
    this.#running = false;
  }

  /**
   * What the next transaction counts: of each ledger the batch that came first, since a cursor moves once in a
   * transaction. Of those the one that waits longest, and the smallest others: a node that sends as much as it may
   * holds up neither those that send little nor itself.
   */
  #takeTurns(): Turn[] {
    const turns = new Map<string, Turn>();
    for (const waiting of this.#waiting) {
      const id = cursorId(waiting.nodeId, waiting.batch.bootId);
      const turn = turns.get(id);
      if (!turn) turns.set(id, { sent: waiting, by: [waiting] });
      else if (turn.sent.batch.seq === waiting.batch.seq) turn.by.push(waiting);
    }
    const [oldest, ...others] = turns.values();
    if (!oldest) return [];
    const taken = [oldest];
    let left = CELLS_AT_ONCE - oldest.sent.batch.rows.length;
    for (const turn of others.toSorted((one, other) => one.sent.batch.rows.length - other.sent.batch.rows.length)) {
      left -= turn.sent.batch.rows.length;
      if (left < 0 || taken.length >= BATCHES) break;
      taken.push(turn);
    }
    const counted = new Set(taken.flatMap(({ by }) => by));
    this.#waiting = this.#waiting.filter((waiting) => !counted.has(waiting));
    return taken;
  }

  /** Counts and answers; resolves to why it could not. Nobody is answered then. */
  async #settle(turns: readonly Turn[]): Promise<unknown> {
    try {
      const { cursors, gone } = await this.#countFresh(turns.map(({ sent }) => sent));
      for (const { sent, by } of turns) {
        if (gone.has(sent.nodeId)) {
          for (const { reject } of by) reject(new Error("the node is gone"));
          continue;
        }
        this.#sayLost(sent, cursors.get(cursorId(sent.nodeId, sent.batch.bootId)));
        const acknowledged = Math.max(sent.batch.seq, cursors.get(cursorId(sent.nodeId, sent.batch.bootId)) ?? 0);
        for (const { resolve } of by) resolve(acknowledged);
      }
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /**
   * Agents forget what was acknowledged, and number their batches without a gap: where there is one, a restore to an
   * older state took what was counted.
   */
  #sayLost({ nodeId, batch: { seq } }: SentBatch, cursor: number | undefined): void {
    if (cursor !== undefined && seq > cursor + 1) this.#options.onLost?.(nodeId, seq - cursor - 1);
  }

  /**
   * Counts what the cursors say is new; resolves to the cursors as they were. If another process counted one of them
   * meanwhile, or a node or an account was deleted, everything was rolled back: look again. Of nodes that are gone
   * nothing is counted, or their cursors would be left behind for ever.
   */
  async #countFresh(
    batches: readonly SentBatch[],
  ): Promise<{ cursors: ReadonlyMap<string, number>; gone: ReadonlySet<number> }> {
    for (let round = 0; ; round++) {
      const [cursors, ledgers] = await Promise.all([this.#cursors(batches), this.#ledgers(batches)]);
      const gone = new Set(batches.map(({ nodeId }) => nodeId).filter((id) => !ledgers.has(id)));
      const fresh = batches.filter(
        ({ nodeId, batch }) => !gone.has(nodeId) && batch.seq > (cursors.get(cursorId(nodeId, batch.bootId)) ?? 0),
      );
      try {
        if (fresh.length > 0)
          await this.#apply(await this.#judge.judge(fresh, ledgers, this.#options.now(), round > 0), ledgers);
        return { cursors, gone };
      } catch (error) {
        if (!(error instanceof ExpectationFailed) || round >= ROUNDS) throw error;
      }
    }
  }

  async #ledgers(batches: readonly SentBatch[]): Promise<Map<number, NodeLedger>> {
    const ids = [...new Set(batches.map(({ nodeId }) => nodeId))];
    const rows = await this.#options.reads.query<
      Record<"id" | "template_id" | "counted_at" | "given_since" | "line_from" | "told", number>
    >(
      sql`select u.id, coalesce(n.template_id, 0) as template_id, u.counted_at, u.given_since, u.line_from, u.refusal_told_at as told
        from node_usage u left join nodes n on n.id = u.id where u.id in (${sql.join(ids)})`,
    );
    return new Map(
      rows.map((row) => [
        row.id,
        {
          id: row.id,
          templateId: row.template_id,
          countedAt: row.counted_at,
          givenSince: row.given_since,
          lineFrom: row.line_from,
          refusalToldAt: row.told,
        },
      ]),
    );
  }

  async #cursors(batches: readonly SentBatch[]): Promise<Map<string, number>> {
    const ids = batches.map(({ nodeId, batch }) => cursorId(nodeId, batch.bootId));
    const rows = await this.#options.reads.query<{ id: string; seq: number }>(
      sql`select id, seq from usage_cursors where id in (${sql.join(ids)})`,
    );
    return new Map(rows.map((row) => [row.id, row.seq]));
  }

  async #apply(verdict: Verdict, before: ReadonlyMap<number, NodeLedger>): Promise<void> {
    const { commits, counting, reads, recordTraffic, now } = this.#options;
    const { batches, ledgers, refused, deleted } = verdict;
    const at = Math.floor(now());
    const refusing = new Set(refused.map(({ nodeId }) => nodeId));
    const nodes = new Map<number, NodeCount>();
    for (const [id, { givenSince, lineFrom, countedAt: was }] of ledgers)
      nodes.set(id, {
        was,
        countedAt: Math.max(at, was + 1),
        givenSince,
        lineFrom,
        refusedAt: refusing.has(id) ? at : 0,
      });
    await commits.execute({
      name: "usage",
      // Made when the transaction has begun, for its moment: see `moves.queries.ts`.
      statements: () => {
        const moved = this.#moment();
        const counted = usageStatements(reads, counting, batches, now(), moved, { nodes, deleted });
        const refusals = refusalStatements(reads, refused, Math.floor(at / 1000));
        return [...counted, ...recordTraffic(reads, batches, now()), ...refusals, ...this.#prune(moved)];
      },
      facts: new Facts().add(DUE, true).add(counting.countedFact, usersOf(batches)),
    });
    const silent = [...refusing].filter((id) => at - (before.get(id)?.refusalToldAt ?? 0) >= TELL_MS);
    if (silent.length > 0) this.#options.onRefused(silent);
  }

  /**
   * Microseconds, and always forward (unless the clock was set back): the cursor of integrations that ask whose
   * counters moved.
   */
  #moment(): number {
    const micros = this.#options.now() * 1000;
    this.#moved = this.#moved - micros > MINUTE_MICROS ? micros : Math.max(this.#moved + 1, micros);
    return this.#moved;
  }

  /** Once a minute, the statement that forgets which counters moved long ago. */
  #prune(moved: number): Statement[] {
    if (Math.abs(moved - this.#pruned) < MINUTE_MICROS) return [];
    this.#pruned = moved;
    return [this.#options.counting.forgetMoves(this.#options.reads, moved)];
  }
}
