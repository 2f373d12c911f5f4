// Time that passes costs what is due alone: of many accounts, an hour's resets, ends and warnings read and write the
// rows of those whose hour it is, once each.
import { expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { DAY, START, TestPanel } from "./panel.ts";

const HOUR = 3600;
const IDLE = 40;

// rule users.due.1
test.each(dialects)("an hour touches the rows that are due, on %s", async (dialect) => {
  const panel = await TestPanel.open(dialect);
  panel.settings.set("alert_user_volume_percent", "80").set("alert_user_expiry_days", "7");
  const { commits, reads, store } = panel.database;
  let made = 0;
  const make = async (body: object): Promise<number> =>
    (await panel.ok("POST", "/users", { name: `user ${++made}`, ...body })).id;
  const resetting = { autoReset: true, resetDays: 30 };
  const due = new Map<number, string>();
  for (let n = 0; n < 3; n++) {
    const reset = await make(resetting);
    await panel.traffic(reset, 5, 0);
    await panel.ok("PATCH", `/users/${reset}`, { nextReset: START + 600 + n });
    due.set(reset, "reset");
    due.set(await make({ expiry: START + 1200 + n }), "end");
    due.set(await make({ expiry: START + 7 * DAY + 1800 + n }), "warning");
  }
  for (let n = 0; n < IDLE; n += 4) {
    await make({ volume: 1000 });
    await make({ expiry: START + 60 * DAY + n });
    await make(resetting);
    await make({ expiry: START + 2 * HOUR, enable: false });
  }
  await panel.supervisor.start();
  await panel.until(1, () => true);

  const begin = store.begin.bind(store);
  const read = new Map<string, Set<number>>();
  const written = new Map<string, number>();
  store.begin = () => {
    const session = begin();
    const load = session.load.bind(session);
    session.load = (locks) => {
      for (const { table, id } of locks) read.set(table, (read.get(table) ?? new Set<number>()).add(Number(id)));
      return load(locks);
    };
    return session;
  };
  commits.onCommit(({ changes }) => {
    for (const { table, id } of changes)
      if (["users", "user_usage", "user_text_queue", "user_credentials"].includes(table))
        written.set(`${table} ${id}`, (written.get(`${table} ${id}`) ?? 0) + 1);
  });
  const entries = async () =>
    (await reads.query<{ id: number | string }>(sql`select actor_id as id from journal where kind = 'user'`)).map(
      ({ id }) => Number(id),
    );
  const before = await entries();

  await panel.advance(HOUR);
  const left = async () => {
    panel.supervisor.pokeTimers();
    return reads.query(sql`select id from timers where due_at <= ${panel.clock.now()}`);
  };
  await expect.poll(left).toEqual([]);

  const ids = [...due.keys()];
  expect([...(read.get("users") ?? [])].toSorted((a, b) => a - b)).toEqual(ids);
  expect([...(read.get("user_usage") ?? [])].toSorted((a, b) => a - b)).toEqual(ids);
  // Counters change where they are reset.
  const of = (table: string) =>
    new Map(
      [...written].flatMap(([key, times]) =>
        key.startsWith(`${table} `) ? [[Number(key.split(" ")[1]), times] as const] : [],
      ),
    );
  const once = (some: readonly number[]) => new Map(some.map((id) => [id, 1]));
  // A reader sees a commit before this process is told of it.
  await expect.poll(() => of("users")).toEqual(once(ids));
  expect(of("user_usage")).toEqual(once(ids.filter((id) => due.get(id) === "reset")));
  expect([of("user_text_queue").size, of("user_credentials").size]).toEqual([0, 0]);
  // One entry of the journal each.
  expect((await entries()).slice(before.length).toSorted((a, b) => a - b)).toEqual(ids);
  expect(panel.failures).toEqual([]);
  await panel.dispose();
});
