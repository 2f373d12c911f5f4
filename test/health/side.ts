// The panel's side of health without links: a database, nodes as rows, a clock that is moved by hand, and what a
// process keeps of them.
import type { Database, Dialect } from "../../src/db/index.ts";
import { lock } from "../../src/db/index.ts";
import { Heartbeats, NodeRows, type NodeRow } from "../../src/fleet/index.ts";
import { type Said } from "../../src/fleet/testing.ts";
import { foldReadings } from "../../src/health/folding.ts";
import { nodeHealth } from "../../src/health/health.queries.ts";
import { ReadingLedger } from "../../src/health/reading-ledger.ts";
import { healthEntities } from "../../src/health/readings.entity.ts";
import { NodeWatch } from "../../src/health/node-watch.ts";
import { ManualClock } from "../../src/lib/clock.ts";
import { soleShards } from "../runtime/sole-shards.ts";
import { openTestDatabase, type TestDatabase } from "../database.ts";

/** A Monday at noon in UTC; the time of every test's beginning. */
export const NOON = Date.UTC(2026, 10, 23, 12) / 1000;
const fail = (error: unknown) => {
  throw error;
};

const NODE = {
  rev: 1,
  mctx: {},
  mver: 2,
  msince: 0,
  mlast: null,
  dueAt: null,
  faultAt: null,
  faultCount: 0,
  faultMessage: "",
  faultCause: null,
  address: "127.0.0.1",
  port: 1,
  remark: "",
  linkAddress: "",
  isLocal: false,
  routing: null,
  templateId: null,
  multiplierMicros: 1_000_000,
  enabled: true,
  limitBytes: 0,
  limitPeriod: "",
  limitStartDay: 0,
  limitStartMonth: 0,
  fallbackCertMode: "",
  fallbackCertId: null,
  sshHost: "",
  sshPort: 0,
  sshUser: "",
  sshKeyId: null,
  sshKeyInstalled: false,
  limitDisabled: false,
  message: "",
  warnings: [],
  fingerprint: "",
  coreVersion: "",
  nodeVersion: "",
  arch: "",
  setup: "",
  engine: "",
  troubleSince: 0,
  createdAt: 0,
  updatedAt: 0,
};

/** Time may also pass while nothing wakes. */
class SleepyClock extends ManualClock {
  #asleep = 0;

  override now(): number {
    return super.now() + this.#asleep;
  }

  sleep(ms: number): void {
    this.#asleep += ms;
  }
}

/** Nodes on a database, and the processes that watch them, one after the other or at once. */
export class HealthSide {
  readonly clock = new SleepyClock(NOON * 1000);
  readonly #db: TestDatabase;

  private constructor(db: TestDatabase) {
    this.#db = db;
  }

  static async open(dialect: Dialect): Promise<HealthSide> {
    return new HealthSide(await openTestDatabase(dialect, [NodeRows, ...healthEntities]));
  }

  dispose(): Promise<void> {
    return this.#db.dispose();
  }

  get db(): Database {
    return this.#db;
  }

  get now(): number {
    return this.clock.now() / 1000;
  }

  async node(mstate: string, { infoSeenAt = 1 } = {}): Promise<number> {
    return this.#db.commits.submit({
      name: "node",
      locks: [],
      decide(draft) {
        const id = draft.nextId("nodes");
        draft.insert(NodeRows, { ...(NODE as unknown as NodeRow), id, name: `n${id}`, mstate, infoSeenAt });
        return id;
      },
    });
  }

  async becomes(id: number, mstate: string): Promise<void> {
    await this.#db.commits.submit({
      name: "node",
      locks: [lock(NodeRows, id)],
      decide(draft) {
        const { rev } = draft.find(NodeRows, id) ?? fail(new Error("no node"));
        draft.update(NodeRows, id, { mstate, rev: rev + 1, infoSeenAt: 1 });
      },
    });
  }

  /** Starts a process that watches all nodes. */
  async panel() {
    const heartbeats = new Heartbeats();
    const shards = soleShards(this.#db, () => this.clock.now());
    const ledger = new ReadingLedger({
      commits: this.#db.commits,
      reads: this.#db.reads,
      clock: this.clock,
      onError: fail,
    });
    const { commits, reads } = this.#db;
    const looked = Promise.withResolvers<void>();
    let killed = false;
    const seen = Object.assign(Object.create(reads) as typeof reads, {
      query: async (...question: Parameters<typeof reads.query>) => {
        const rows = await reads.query(...question);
        setImmediate(looked.resolve);
        return rows;
      },
    });
    const watch = new NodeWatch({
      commits,
      reads: seen,
      clock: this.clock,
      shards,
      heartbeats,
      onReadings: (readings) => {
        if (!killed) ledger.add(readings);
      },
      onError: fail,
    });
    await shards.start();
    await looked.promise;
    return {
      /** Says it every ten seconds for so long. */
      hears: (id: number, seconds: number, said: Said["figures"] = {}, online = 0) => {
        for (let at = 0; at < seconds; at += 10) {
          heartbeats.tell(id, { figures: said, online });
          this.clock.advance(10_000);
        }
      },
      current: (id: number) => watch.current(id),
      settled: () => ledger.settled(),
      /** As the process ends: in order, or killed. */
      stop: async () => {
        watch.stop();
        await ledger.stop();
        await shards.stop();
      },
      kill: async () => {
        // A process that gives up its shards in order hands over what it saw: a killed one has no time for it.
        killed = true;
        await ledger.stop();
        await shards.stop();
      },
    };
  }

  fold(days = 90): Promise<void> {
    return foldReadings(this.#db, this.now, days);
  }

  /** What is told of a node in the time since noon or a range that begins then. */
  health(nodeId: number, start = NOON, end = Math.max(this.now, NOON + 300)) {
    return nodeHealth(this.#db.reads, { nodeId, start, end, now: this.now, current: undefined });
  }
}
