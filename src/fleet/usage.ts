// Counts the fleet's usage: agents' ledger batches as set-based statements, applied exactly once, with whoever crossed a line marked due in the same transaction.
//
// A batch (`bootId`, `seq`) is counted in the transaction that moves its cursor, and acknowledged after that commit. Batches that arrive while a transaction runs are counted together
// in the next one, one of each ledger; what arrives again meanwhile (its sender lost patience or its connection) shares the answer. Should a transaction fail for what one of its
// batches says, each is counted alone. Multiplying never rounds: what is left over is kept in millionths of a byte.
import type { UsageBatch } from "../protocol/messages.ts";
import { ExpectationFailed, sql, StoreUnavailable, type Committer, type Query, type Reader, type Statement } from "../db/index.ts";

const MICRO = 1_000_000;

/** A batch with the node that sent it. */
export interface NodeBatch {
  readonly nodeId: number;
  /** The node's multiplier in millionths; 0 counts as 1. */
  readonly micros: number;
  readonly batch: UsageBatch;
}

interface Waiting extends NodeBatch {
  readonly resolve: (acknowledged: number) => void;
  readonly reject: (error: unknown) => void;
}

/** A batch of a transaction, with everybody who sent it. */
interface Turn {
  readonly sent: NodeBatch;
  readonly by: Waiting[];
}

interface UserSum {
  id: number;
  up: number;
  down: number;
  upRest: number;
  downRest: number;
  at: number;
  inbound: number;
}

export interface UsageOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly now: () => number;
}

/** Batches counted in one transaction at most. */
const BATCHES = 256;

export class UsageCounter {
  readonly #options: UsageOptions;
  #waiting: Waiting[] = [];
  #running = false;
  #moved = 0;

  constructor(options: UsageOptions) {
    this.#options = options;
  }

  /** Counts a batch. Resolves to the highest seq of its ledger that is on disk, which the agent may forget. Rejects when the database is away. */
  count(batch: NodeBatch): Promise<number> {
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
      // The database is away, or the only one failed: that is the answer. Else whoever is to blame shall not hold up the rest.
      const alone = turns.length > 1 && !(failure instanceof StoreUnavailable);
      for (const turn of turns) {
        const error = alone ? await this.#settle([turn]) : failure;
        if (error !== undefined) for (const { reject } of turn.by) reject(error);
      }
    }
    this.#running = false;
  }

  /** What the next transaction counts: of each ledger the batch that came first, since a cursor moves once in a transaction. The rest keeps its place. */
  #takeTurns(): Turn[] {
    const turns = new Map<string, Turn>();
    const left: Waiting[] = [];
    for (const waiting of this.#waiting) {
      const id = cursorId(waiting.nodeId, waiting.batch.bootId);
      const turn = turns.get(id);
      if (turn?.sent.batch.seq === waiting.batch.seq) turn.by.push(waiting);
      else if (turn || turns.size >= BATCHES) left.push(waiting);
      else turns.set(id, { sent: waiting, by: [waiting] });
    }
    this.#waiting = left;
    return [...turns.values()];
  }

  /** Counts and answers; resolves to why it could not. Nobody is answered then. */
  async #settle(turns: readonly Turn[]): Promise<unknown> {
    try {
      const cursors = await this.#countFresh(turns.map(({ sent }) => sent));
      for (const { sent, by } of turns) {
        const acknowledged = Math.max(sent.batch.seq, cursors.get(cursorId(sent.nodeId, sent.batch.bootId)) ?? 0);
        for (const { resolve } of by) resolve(acknowledged);
      }
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** Counts what the cursors say is new; resolves to the cursors as they were. If another process counted one of them meanwhile, everything was rolled back: look again. */
  async #countFresh(batches: readonly NodeBatch[]): Promise<ReadonlyMap<string, number>> {
    for (let round = 0; ; round++) {
      const cursors = await this.#cursors(batches);
      const fresh = batches.filter(({ nodeId, batch }) => batch.seq > (cursors.get(cursorId(nodeId, batch.bootId)) ?? 0));
      try {
        if (fresh.length > 0) await this.#apply(fresh);
        return cursors;
      } catch (error) {
        if (!(error instanceof ExpectationFailed) || round >= 3) throw error;
      }
    }
  }

  async #cursors(batches: readonly NodeBatch[]): Promise<Map<string, number>> {
    const ids = batches.map(({ nodeId, batch }) => cursorId(nodeId, batch.bootId));
    const rows = await this.#options.reads.query<{ id: string; seq: number }>(
      sql`select id, seq from usage_cursors where id in (${sql.join(ids)})`,
    );
    return new Map(rows.map((row) => [row.id, row.seq]));
  }

  async #apply(batches: readonly NodeBatch[]): Promise<void> {
    const { commits, reads, now } = this.#options;
    // Microseconds, and always forward: the cursor of integrations that ask whose counters moved.
    this.#moved = Math.max(this.#moved + 1, now() * 1000);
    await commits.execute({
      name: "usage",
      statements: usageStatements(reads, batches, now(), this.#moved),
      facts: { due: [true] },
    });
  }
}

function cursorId(nodeId: number, bootId: string): string {
  return `${nodeId}:${bootId}`;
}

/** Sums of a transaction's batches by user, multiplied, in id order (every transaction takes row locks in that order). */
export function sumByUser(batches: readonly NodeBatch[]): UserSum[] {
  const sums = new Map<number, UserSum>();
  for (const { micros: stored, batch } of batches) {
    const micros = BigInt(stored || MICRO);
    for (const [id, inbound, up, down, at] of batch.rows) {
      let sum = sums.get(id);
      if (!sum) sums.set(id, (sum = { id, up: 0, down: 0, upRest: 0, downRest: 0, at: 0, inbound: 0 }));
      add(sum, "up", "upRest", up, micros);
      add(sum, "down", "downRest", down, micros);
      if (at >= sum.at) {
        sum.at = at;
        sum.inbound = inbound;
      }
    }
  }
  return [...sums.values()].toSorted((a, b) => a.id - b.id);
}

function add(sum: UserSum, bytes: "up" | "down", rest: "upRest" | "downRest", raw: number, micros: bigint): void {
  if (micros === BigInt(MICRO)) {
    sum[bytes] += raw;
    return;
  }
  const product = BigInt(raw) * micros;
  sum[bytes] += Number(product / BigInt(MICRO));
  sum[rest] += Number(product % BigInt(MICRO));
}

/** The statements that count batches: cursors (each must be new), users, nodes, and the marks of whoever crossed a line. */
export function usageStatements(reads: Reader, batches: readonly NodeBatch[], now: number, moved: number): Statement[] {
  const users = sumByUser(batches);
  const cursors = batches.map(({ nodeId, batch }) => ({ id: cursorId(nodeId, batch.bootId), node: nodeId, seq: batch.seq }));
  const nodes = new Map<number, { id: number; up: number; down: number }>();
  for (const { nodeId, batch } of batches) {
    const sum = nodes.get(nodeId) ?? { id: nodeId, up: 0, down: 0 };
    nodes.set(nodeId, { id: nodeId, up: sum.up + batch.up, down: sum.down + batch.down });
  }
  const nodeSums = [...nodes.values()].toSorted((a, b) => a.id - b.id);
  const text = reads.dialect === "sqlite" ? sqliteText : postgresText;
  const at = Math.floor(now);
  // An agent whose clock is ahead must not make its users look online until then.
  const seconds = Math.floor(now / 1000);
  const usersJson = JSON.stringify(
    users.map(({ upRest, downRest, at: seen, ...sum }) => ({ ...sum, at: Math.min(seen, seconds), up_rest: upRest, down_rest: downRest })),
  );
  return [
    reads.statement("usage cursor", text.cursors(JSON.stringify(cursors)), cursors.length),
    ...(users.length === 0 ? [] : text.users(usersJson, moved).map((query) => reads.statement("usage of users", query))),
    ...(users.length === 0 ? [] : [reads.statement("users due", text.usersDue(usersJson, at))]),
    ...text.nodes(JSON.stringify(nodeSums)).map((query) => reads.statement("usage of nodes", query)),
    reads.statement("nodes due", text.nodesDue(JSON.stringify(nodeSums), at)),
  ];
}

interface UsageText {
  cursors(json: string): Query;
  users(json: string, moved: number): Query[];
  usersDue(json: string, now: number): Query;
  nodes(json: string): Query[];
  nodesDue(json: string, now: number): Query;
}

const userSums = sql`
  up = user_usage.up + v.up + (user_usage.up_rest + v.up_rest) / 1000000,
  down = user_usage.down + v.down + (user_usage.down_rest + v.down_rest) / 1000000,
  total_up = user_usage.total_up + v.up + (user_usage.up_rest + v.up_rest) / 1000000,
  total_down = user_usage.total_down + v.down + (user_usage.down_rest + v.down_rest) / 1000000,
  up_rest = (user_usage.up_rest + v.up_rest) % 1000000,
  down_rest = (user_usage.down_rest + v.down_rest) % 1000000,
  last_inbound_id = case when v.at >= user_usage.online_at then v.inbound else user_usage.last_inbound_id end`;

const sqliteText: UsageText = {
  cursors: (json) => sql`
    insert into usage_cursors (id, node_id, seq) select value->>'id', value->>'node', value->>'seq' from json_each(${json}) where true
    on conflict (id) do update set seq = excluded.seq where usage_cursors.seq < excluded.seq`,
  users: (json, moved) => [
    sql`update user_usage set ${userSums}, online_at = max(user_usage.online_at, v.at), moved_at = ${moved} from (
      select value->>'id' as id, value->>'up' as up, value->>'down' as down, value->>'up_rest' as up_rest, value->>'down_rest' as down_rest,
        value->>'at' as at, value->>'inbound' as inbound from json_each(${json})) v where user_usage.id = v.id`,
  ],
  usersDue: (json, now) => sql`
    insert into timers (id, kind, actor_id, name, event, due_at)
    select 'user:' || u.id || ':due', 'user', u.id, 'due', 'due', ${now} from json_each(${json}) v join user_usage u on u.id = v.value->>'id'
    where u.up + u.down >= u.wake_at
    on conflict (id) do update set due_at = min(timers.due_at, excluded.due_at)`,
  nodes: (json) => [
    sql`update node_usage set up = node_usage.up + v.up, down = node_usage.down + v.down,
      period_used = case when period_start > 0 then period_used + v.up + v.down else 0 end
      from (select value->>'id' as id, value->>'up' as up, value->>'down' as down from json_each(${json})) v where node_usage.id = v.id`,
  ],
  nodesDue: (json, now) => sql`
    insert into timers (id, kind, actor_id, name, event, due_at)
    select 'node:' || u.id || ':due', 'node', u.id, 'due', 'due', ${now} from json_each(${json}) v join node_usage u on u.id = v.value->>'id'
    where u.period_used >= u.wake_at
    on conflict (id) do update set due_at = min(timers.due_at, excluded.due_at)`,
};

const postgresText: UsageText = {
  cursors: (json) => sql`
    insert into usage_cursors (id, node_id, seq) select v.id, v.node, v.seq from json_to_recordset(${json}::json) v(id text, node bigint, seq bigint) order by v.id
    on conflict (id) do update set seq = excluded.seq where usage_cursors.seq < excluded.seq`,
  users: (json, moved) => [
    sql`select 1 from user_usage where id in (select v.id from json_to_recordset(${json}::json) v(id bigint)) order by id for update`,
    sql`update user_usage set ${userSums}, online_at = greatest(user_usage.online_at, v.at), moved_at = ${moved}
      from json_to_recordset(${json}::json) v(id bigint, up bigint, down bigint, up_rest bigint, down_rest bigint, at bigint, inbound bigint) where user_usage.id = v.id`,
  ],
  usersDue: (json, now) => sql`
    insert into timers (id, kind, actor_id, name, event, due_at)
    select 'user:' || u.id || ':due', 'user', u.id, 'due', 'due', ${now}::bigint from json_to_recordset(${json}::json) v(id bigint) join user_usage u on u.id = v.id
    where u.up + u.down >= u.wake_at order by u.id
    on conflict (id) do update set due_at = least(timers.due_at, excluded.due_at)`,
  nodes: (json) => [
    sql`select 1 from node_usage where id in (select v.id from json_to_recordset(${json}::json) v(id bigint)) order by id for update`,
    sql`update node_usage set up = node_usage.up + v.up, down = node_usage.down + v.down,
      period_used = case when period_start > 0 then period_used + v.up + v.down else 0 end
      from json_to_recordset(${json}::json) v(id bigint, up bigint, down bigint) where node_usage.id = v.id`,
  ],
  nodesDue: (json, now) => sql`
    insert into timers (id, kind, actor_id, name, event, due_at)
    select 'node:' || u.id || ':due', 'node', u.id, 'due', 'due', ${now}::bigint from json_to_recordset(${json}::json) v(id bigint) join node_usage u on u.id = v.id
    where u.period_used >= u.wake_at order by u.id
    on conflict (id) do update set due_at = least(timers.due_at, excluded.due_at)`,
};
