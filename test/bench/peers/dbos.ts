// DBOS doing what a counter does: a workflow with one step that changes the counter's row. The step is one UPDATE,
// without a chart, a journal or events: less than a counter does.
import { DBOS } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import { z } from "zod";
import { answerParent, beforeEnd } from "../measure/child.ts";
import { anyOf, closedLoop } from "../measure/closed-loop.ts";

const Message = z.discriminatedUnion("do", [
  z.object({ do: z.literal("open"), url: z.string(), keys: z.int() }),
  z.object({ do: z.literal("load"), keys: z.int(), inFlight: z.int(), ms: z.number() }),
  z.object({ do: z.literal("count") }),
]);
const CONNECTIONS = 20;

let pool: pg.Pool | undefined;
function database(): pg.Pool {
  if (!pool) throw new Error("load before open");
  return pool;
}

async function change(id: number): Promise<void> {
  await database().query(
    "update peer_counters set count = count + 1, state = case state when 'even' then 'odd' else 'even' end where id = $1",
    [id],
  );
}

const workflow = DBOS.registerWorkflow(async (id: number) => DBOS.runStep(() => change(id), { name: "change" }), {
  name: "count",
});

async function open(url: string, keys: number): Promise<void> {
  pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  await pool.query(
    "create table peer_counters (id bigint primary key, count bigint not null, state text not null) with (fillfactor = 70)",
  );
  await pool.query("insert into peer_counters select n, 0, 'even' from generate_series(1, $1) n", [keys]);
  DBOS.setConfig({
    name: "bench",
    applicationVersion: "1",
    systemDatabaseUrl: url,
    systemDatabasePoolSize: CONNECTIONS,
    logLevel: "error",
    enableOTLP: false,
  });
  await DBOS.launch();
  beforeEnd(async () => {
    await DBOS.shutdown();
    await pool?.end();
  });
}

/** What is stored: the counters' sum, and the workflows that ended well. */
async function counted(): Promise<object> {
  const sum = await database().query<{ sum: string }>("select sum(count) as sum from peer_counters");
  const ended = await database().query<{ ended: string }>(
    "select count(*) as ended from dbos.workflow_status where status = 'SUCCESS'",
  );
  return { counted: Number(sum.rows[0]?.sum), ended: Number(ended.rows[0]?.ended) };
}

answerParent(async (raw) => {
  const message = Message.parse(raw);
  if (message.do === "load") return closedLoop(message.inFlight, message.ms, () => workflow(anyOf(message.keys)));
  if (message.do === "count") return counted();
  await open(message.url, message.keys);
  return {};
});
