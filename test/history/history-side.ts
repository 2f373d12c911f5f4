// The history of traffic on a real database, with the fleet's counter before it and a clock that tests move, beside a
// plain list of everything that was counted.
import { randomUUID } from "node:crypto";
import { UserRows } from "../../src/accounts/index.ts";
import { UserUsageRows } from "../../src/accounts/testing.ts";
import { OwnerCountRows } from "../../src/accounts/records/owner.entity.ts";
import { lock, sql, type Database, type Dialect } from "../../src/db/index.ts";
import { NodeRows } from "../../src/fleet/index.ts";
import { freshCounters, NodeUsageRows } from "../../src/fleet/testing.ts";
import { Fold } from "../../src/history/fold.ts";
import { forget } from "../../src/history/forget.ts";
import { recordTraffic } from "../../src/history/testing.ts";
import { Periods } from "../../src/history/periods.ts";
import { HistoryThread } from "../../src/history/thread.ts";
import { TrafficHistory } from "../../src/history/traffic.queries.ts";
import { ManualClock } from "../../src/lib/clock.ts";
import { PANEL } from "../../src/panel/features.ts";
import { nodeRow, usageRow, userRow } from "../simulation/month/records.ts";
import { connectTestDatabase, createTestDatabase } from "../database.ts";
import { OpenCounter } from "../fleet/open-counter.ts";

export const HOUR = 3600;
export const DAY = 24 * HOUR;

/** A row that was counted. `at`: Unix second that the agent said. */
export interface Counted {
  readonly node: number;
  readonly account: number;
  readonly inbound: number;
  readonly up: number;
  readonly down: number;
  readonly at: number;
  readonly owner: number;
}

const machine = {
  rev: 1,
  mstate: "",
  mctx: {},
  mver: 1,
  msince: 0,
  mlast: null,
  dueAt: null,
  faultAt: null,
  faultCount: 0,
  faultMessage: "",
  faultCause: null,
};

export class HistorySide {
  readonly db: Database;
  readonly clock: ManualClock;
  readonly counted: Counted[] = [];
  readonly url: string;
  readonly #drop: () => Promise<void>;
  readonly #thread = new HistoryThread();
  readonly #owners = new Map<number, number>();
  readonly #bootId = randomUUID();
  readonly #seqs = new Map<number, number>();
  #counter!: OpenCounter;
  #fold!: Fold;
  periods!: Periods;
  traffic!: TrafficHistory;
  daysKept = 400;

  private constructor(db: Database, url: string, clock: ManualClock, zone: string, drop: () => Promise<void>) {
    this.db = db;
    this.clock = clock;
    this.url = url;
    this.#drop = drop;
    this.restart(zone);
  }

  static async open(dialect: Dialect, start: number, zone = "UTC"): Promise<HistorySide> {
    const { url, drop } = await createTestDatabase(dialect, PANEL.entities);
    const clock = new ManualClock(start * 1000);
    const db = await connectTestDatabase(url, PANEL.entities, () => clock.now());
    return new HistorySide(db, url, clock, zone, drop);
  }

  /** Another process on the same database, at the same time. */
  async beside(): Promise<HistorySide> {
    const db = await connectTestDatabase(this.url, PANEL.entities, () => this.clock.now());
    return new HistorySide(db, this.url, this.clock, this.periods.zone, () => Promise.resolve());
  }

  /** Everything in memory is new. */
  restart(zone = this.periods.zone): void {
    const { commits, reads } = this.db;
    const now = () => this.clock.now();
    this.periods = new Periods(zone);
    const periods = () => this.periods;
    this.#counter = new OpenCounter(this.db, now, { recordTraffic });
    this.#fold = new Fold({ commits, reads, thread: this.#thread, periods, now });
    this.traffic = new TrafficHistory({
      reads,
      thread: this.#thread,
      periods,
      now,
      hoursKeptDays: 35,
      daysKept: () => this.daysKept,
    });
  }

  get now(): number {
    return Math.floor(this.clock.now() / 1000);
  }

  pass(seconds: number): void {
    this.clock.advance(seconds * 1000);
  }

  async addUsers(ids: readonly number[], owner = 0): Promise<void> {
    await this.db.commits.submit({
      name: "users",
      locks: [],
      decide: (draft) => {
        for (const id of ids) {
          this.#owners.set(id, owner);
          draft.insert(UserUsageRows, usageRow(id));
          draft.insert(UserRows, { ...userRow(id, draft.time, { adminId: owner }), ...machine });
        }
        if (owner !== 0) draft.insert(OwnerCountRows, { id: owner, users: ids.length });
      },
    });
  }

  async deleteUser(id: number): Promise<void> {
    await this.db.commits.submit({
      name: "delete",
      locks: [lock(UserRows, id), lock(UserUsageRows, id)],
      decide: (draft) => {
        draft.delete(UserRows, id);
        draft.delete(UserUsageRows, id);
      },
    });
  }

  async addNodes(ids: readonly number[]): Promise<void> {
    await this.db.commits.submit({
      name: "nodes",
      locks: [],
      decide: (draft) => {
        for (const id of ids) {
          draft.insert(NodeUsageRows, freshCounters(id, 0));
          draft.insert(NodeRows, { ...nodeRow(id, draft.time, {}), ...machine });
        }
      },
    });
  }

  /** A batch of a node: account, inbound, up, down, and the moment (now, where none is given). */
  async count(node: number, rows: readonly (readonly [number, number, number, number, number?])[]): Promise<void> {
    const seq = (this.#seqs.get(node) ?? 0) + 1;
    this.#seqs.set(node, seq);
    const cells = rows.map(([account, inbound, up, down, at = this.now]) => [account, inbound, up, down, at]);
    await this.#counter.count({
      nodeId: node,
      micros: 1_000_000,
      batch: { bootId: this.#bootId, seq, rows: cells },
    });
    for (const [account, inbound, up, down, at = this.now] of rows)
      this.counted.push({ node, account, inbound, up, down, at, owner: this.#owners.get(account) ?? 0 });
  }

  fold(going: () => boolean = () => true): Promise<void> {
    return this.#fold.run(going);
  }

  forget(): Promise<void> {
    const { commits, reads } = this.db;
    const periods = () => this.periods;
    return forget({ commits, reads, periods, now: () => this.clock.now(), daysKept: () => this.daysKept }, () => true);
  }

  async rowsOf(table: string): Promise<number> {
    const [found] = await this.db.reads.query<{ count: number }>(
      sql`select count(*) as count from ${sql.table(table)}`,
    );
    return found?.count ?? 0;
  }

  async dispose(): Promise<void> {
    await this.#thread.close();
    await this.db.close();
    await this.#drop();
  }
}
