// A server that crashed forgets the transactions that it had not written down, and gives their numbers to others.
// Nothing may be taken for another thing because of that.
import { defineEntity, p } from "@mikro-orm/core";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { entity, lock, StoreUnavailable } from "../../src/db/index.ts";
import { createOrm } from "../../src/db/orm.ts";
import { INSERT_NOTE, PostgresCommitLog } from "../../src/db/postgresql/commit-log.ts";
import { connectTestDatabase } from "../database.ts";
import { canHarmPostgres, Cluster } from "./postgresql.ts";
import { startRelay } from "./relay.ts";

const FORGOTTEN = 20;
/** A port on which nobody answers. */
const NOBODY = 1;

const Counters = entity(
  defineEntity({
    name: "Counter",
    tableName: "counters",
    properties: { id: p.bigint("number").primary().autoincrement(false), value: p.bigint("number") },
  }),
);

describe.skipIf(!canHarmPostgres)("a PostgreSQL that forgot transactions in a crash", () => {
  let cluster: Cluster | undefined;
  const pools: pg.Pool[] = [];
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.end()));
    await cluster?.dispose();
  });
  const connect = (max: number): pg.Pool => {
    const pool = new pg.Pool({ connectionString: cluster?.url() ?? "", max });
    pool.on("error", () => {});
    pools.push(pool);
    return pool;
  };

  it("tells whoever follows of the commits that bear their numbers", async () => {
    cluster = await Cluster.start({ settings: ["wal_writer_delay=10s"] });
    const pool = connect(1);
    await pool.query(
      "create table commit_log (id bigserial primary key, xid bigint not null, boot text not null, note text not null)",
    );
    const log = new PostgresCommitLog(pool, cluster.url(), "follower", (error) =>
      error instanceof Error ? error : new Error(String(error)),
    );
    const { position } = await log.join();
    for (let turn = 0; turn < FORGOTTEN; turn++) {
      await pool.query("begin");
      await pool.query("select pg_current_xact_id()");
      await pool.query("rollback");
    }
    const seen = await log.since(position);
    await cluster.stop("immediate");
    await cluster.start();
    const [xid] = (await connect(1).query<{ xid: string }>("select pg_current_xact_id()::text as xid")).rows;
    expect(Number(xid?.xid), "the server gives numbers again").toBeLessThan(Number(/:(\d+):/.exec(seen.position)?.[1]));
    await connect(1).query(INSERT_NOTE, ["another", JSON.stringify({ rows: {}, facts: { said: ["news"] } })]);
    const { notes } = await log.since(seen.position);
    expect(notes.map((note) => JSON.parse(note) as unknown)).toEqual([{ rows: {}, facts: { said: ["news"] } }]);
  });

  it("does not pass off another's commit as the one whose answer was lost", async () => {
    cluster = await Cluster.start({ settings: ["wal_writer_delay=10s"] });
    const orm = await createOrm({ dialect: "postgresql", target: cluster.url() }, [Counters]);
    await orm.schema.create();
    await orm.close(true);
    const relay = await startRelay(cluster.port);
    const database = await connectTestDatabase(cluster.url("postgres", relay.port), [Counters]);
    try {
      const numberOf = async (pool: pg.Pool) =>
        Number((await pool.query<{ xid: string }>("select pg_current_xact_id()::text as xid")).rows[0]?.xid);
      const before = await numberOf(connect(1));
      const session = database.store.begin();
      await session.load([lock(Counters, 1)]);
      // The server crashes before it hears of the commit; the store can ask after it only when its number belongs to
      // another.
      relay.moveTo(NOBODY);
      const table = database.tables.named("counters");
      const finished = session.finish({
        purges: [],
        writes: [{ op: "insert", table, id: 1, key: "counters:1", row: { id: 1, value: 1 } }],
        statements: [],
      });
      const outcome = finished.then(
        () => "committed",
        (error: unknown) => error,
      );
      await cluster.stop("immediate");
      await cluster.start();
      const others = connect(1);
      let taken = 0;
      while (taken <= before + 3) taken = await numberOf(others);
      relay.moveTo(cluster.port);
      expect(await outcome).toBeInstanceOf(StoreUnavailable);
      expect((await others.query("select 1 from counters")).rowCount).toBe(0);
    } finally {
      await database.close();
      await relay.close();
    }
  });
});
