// What every fault of the store must look like from outside: 503 with Retry-After and nothing else, nothing half-done,
// one complaint in the log and one all-clear.
import { expect } from "vitest";
import Database from "better-sqlite3";
import pg from "pg";
import type { E2ePanel } from "../e2e/panel.ts";
import { complaints, messages } from "./panel.ts";
import { Load, type Answer } from "./load.ts";

/** Nobody was told anything but 200 or a 503 that says when to come again. */
export function expectHonestAnswers(told: readonly Answer[]): void {
  const wrong = told.filter(({ status }) => status !== 200 && status !== 503);
  expect(wrong.slice(0, 3), JSON.stringify(Load.statuses(told))).toEqual([]);
  const mute = told.filter(
    ({ status, retryAfter, code }) =>
      status === 503 && (code !== "unavailable" || !/^[1-9]\d*$/.test(retryAfter ?? "")),
  );
  expect(mute.slice(0, 3)).toEqual([]);
}

/** The log said once what is wrong and once that it is over, and little else. */
export function expectOneOutageInLog(panel: E2ePanel, from: number): void {
  const said = messages(panel, from);
  expect(said.filter((message) => message.startsWith("the database is out of service"))).toHaveLength(1);
  expect(said.filter((message) => message.startsWith("the database is in service again"))).toHaveLength(1);
  const others = complaints(panel, from).filter((line) => !line.includes("the database is "));
  expect(others.length, others.slice(0, 10).join("\n")).toBeLessThanOrEqual(5);
}

/** Questions whose answer is 0 on a database without half-done changes. */
const WHOLE = {
  "users without counters":
    "select count(*) as n from users u where not exists (select 1 from user_usage x where x.id = u.id)",
  "counters without user":
    "select count(*) as n from user_usage x where not exists (select 1 from users u where u.id = x.id)",
  "actors whose journal does not end in their state":
    "select count(*) as n from users u where not exists (select 1 from journal j where j.kind = 'user' and j.actor_id = u.id and j.seq = u.rev and j.to_state = u.mstate)",
  "journals with gaps":
    "select count(*) as n from (select actor_id from journal where kind = 'user' group by actor_id having max(seq) - min(seq) + 1 <> count(*)) x",
};

/** No change was carried out in part. */
export async function expectWhole(databaseUrl: string): Promise<void> {
  const ask = await asker(databaseUrl);
  try {
    for (const [what, question] of Object.entries(WHOLE)) expect(await ask.number(question), what).toBe(0);
  } finally {
    await ask.close();
  }
}

async function asker(url: string): Promise<{ number(sql: string): Promise<number>; close(): Promise<void> }> {
  if (url.startsWith("sqlite:")) {
    const database = new Database(url.slice("sqlite:".length), { readonly: true });
    return {
      number: async (sql) => Number(database.prepare(sql).pluck().get()),
      close: async () => void database.close(),
    };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    number: async (sql) => Number((await client.query<{ n: string }>(sql)).rows[0]?.n),
    close: () => client.end(),
  };
}
