// The crowd that the bench of pages looks at: ten thousand nodes, a million users that differ as those of a panel do,
// and one of them with a long journal.
import { connectTestDatabase } from "../../database.ts";
import { entities } from "../../../src/panel/entities.ts";
import { sql, type Database } from "../../../src/db/index.ts";
import { runStatement, settle } from "../counters/actors.ts";
import { copyRow, type Span } from "../counters/copies.ts";

export interface Crowd {
  readonly users: number;
  readonly nodes: number;
  /** Entries in the journal of the first user. */
  readonly entries: number;
}

const NOW = Math.floor(Date.now() / 1000);
const YEAR = 365 * 86_400;
/**
 * Ids of journal entries, far from what a panel that runs for minutes gives out: of the long journal, of the other
 * users, of the nodes.
 */
const [LONG, USERS, NODES] = [1_000_000_000, 2_000_000_000, 3_000_000_000];

/** Places in the table say nothing of what they hold. */
const scattered = (factor: number, most: number) => `(cast(n as bigint) * ${factor}) % ${most}`;
const since = `1000 * (${NOW - YEAR} + ${scattered(7919, YEAR)})`;

const USER = {
  id: "n",
  name: "'user ' || n",
  sub_token: "'token' || n",
  sub_id: "'sub' || n",
  enable: "(n % 20 <> 0)",
  mstate: "case when n % 20 = 0 then 'disabled.manual' else o.mstate end",
  disabled_reason: "case when n % 20 = 0 then 'manual' else '' end",
  msince: since,
  mlast: `${USERS} + n`,
  rev: "1",
  group_label: "'group ' || (n % 50)",
  created_at: `${NOW - YEAR} + ${scattered(104_729, YEAR)}`,
};
/** What `q` searches: the name and the group, with the separator between them. */
const TEXT = {
  id: "n",
  text: `'user ' || n || '\u001f' || 'group ' || (n % 50)`,
};
const USAGE = {
  id: "n",
  up: scattered(15_485_863, 10_000_000_000),
  down: scattered(32_452_843, 100_000_000_000),
  online_at: `${NOW} - ${scattered(7919, YEAR / 10)}`,
};
const NODE = { id: "n", name: "'node ' || n", msince: since, mlast: `${NODES} + n`, rev: "1" };

/** Copies one user and one node, both made over the API, to a crowd; the panel must be stopped. */
export async function gather(
  databaseUrl: string,
  first: { readonly user: number; readonly node: number },
  crowd: Crowd,
): Promise<void> {
  const db = await connectTestDatabase(databaseUrl, entities);
  const span = (id: number, size: number): Span => ({ from: id + 1, to: id + size - 1 });
  await begin(db, "user", span(first.user, crowd.users), USERS);
  await begin(db, "node", span(first.node, crowd.nodes), NODES);
  await copyRow(db, "users", String(first.user), span(first.user, crowd.users), USER);
  await copyRow(db, "user_usage", String(first.user), span(first.user, crowd.users), USAGE);
  await copyRow(db, "user_texts", String(first.user), span(first.user, crowd.users), TEXT);
  await copyRow(db, "nodes", String(first.node), span(first.node, crowd.nodes), NODE);
  await copyRow(db, "node_usage", String(first.node), span(first.node, crowd.nodes), { id: "n" });
  await lengthen(db, first.user, crowd.entries);
  await count(db);
  await settle(db);
  await db.close();
}

/** Each copy's journal begins as the first one's did. */
async function begin(db: Database, kind: "user" | "node", span: Span, ids: number): Promise<void> {
  const newest = `(select id from journal where kind = '${kind}' order by id limit 1)`;
  await copyRow(db, "journal", newest, span, { id: `${ids} + n`, actor_id: "n" });
}

/** A journal of `entries` for a user that has one entry. */
async function lengthen(db: Database, user: number, entries: number): Promise<void> {
  const [newest] = await db.reads.query<{ id: number; state: string }>(
    sql`select mlast as id, mstate as state from users where id = ${user}`,
  );
  if (!newest) throw new Error("there is no first user");
  await copyRow(
    db,
    "journal",
    String(newest.id),
    { from: 2, to: entries },
    {
      id: `${LONG} + n`,
      seq: "n",
      at: `${(NOW - YEAR) * 1000} + n * 1000`,
      event: "'edited'",
      from_state: "to_state",
      changed: `'{"remark":["' || (n - 1) || '","' || n || '"]}'`,
      previous: `case when n = 2 then ${newest.id} else ${LONG - 1} + n end`,
    },
  );
  await runStatement(db, `update users set rev = ${entries}, mlast = ${LONG + entries} where id = ${user}`, 1);
}

/** Copies were counted by nobody. */
async function count(db: Database): Promise<void> {
  await runStatement(db, "delete from state_counts");
  for (const [kind, table] of [
    ["user", "users"],
    ["node", "nodes"],
  ]) {
    const columns = `'0.0:${kind}:' || mstate, '${kind}', mstate, count(*)`;
    await runStatement(
      db,
      `insert into state_counts (id, kind, state, total) select ${columns} from ${table} group by mstate`,
    );
  }
}
