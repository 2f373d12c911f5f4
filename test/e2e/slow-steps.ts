// Makes each step of a job take longer in the database, so that a test finds a job half done on any machine.
import Database from "better-sqlite3";
import pg from "pg";
import { parseDatabaseUrl } from "../../src/db/orm.ts";

/** SQLite cannot wait: it counts. A fifth of a second on a quiet machine, as PostgreSQL sleeps. */
const SQLITE = {
  slow: `
    create view counting as
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1000000) select n from numbers;
    create trigger slow_steps after update of done on jobs when new.done > old.done begin
      select count(*) from counting;
    end`,
  quick: `drop trigger slow_steps; drop view counting`,
};
const POSTGRESQL = {
  slow: `
    create function wait_a_little() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.2); return null; end $$;
    create trigger slow_steps after update of done on jobs
      for each row when (new.done > old.done) execute function wait_a_little()`,
  quick: `drop trigger slow_steps on jobs; drop function wait_a_little`,
};

/** Slows the jobs of the panel on this database down until `work` has ended. */
export async function withSlowSteps<T>(url: string, work: () => Promise<T>): Promise<T> {
  await run(url, "slow");
  try {
    return await work();
  } finally {
    await run(url, "quick");
  }
}

async function run(url: string, pace: keyof typeof SQLITE): Promise<void> {
  const { dialect, target } = parseDatabaseUrl(url);
  if (dialect === "sqlite") {
    const database = new Database(target, { timeout: 60_000 });
    database.exec(SQLITE[pace]);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: target });
  await client.connect();
  await client.query(POSTGRESQL[pace]);
  await client.end();
}
