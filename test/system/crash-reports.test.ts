// panel.crashed: once per route and message in five minutes, and never in the way of the answer.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { EventRows, Outbox } from "../../src/runtime/index.ts";
import { crashReporter } from "../../src/system/crash-reports.ts";
import { openTestDatabase, type TestDatabase } from "../database.ts";

let db: TestDatabase;
let now = 1_000_000;
beforeAll(async () => {
  db = await openTestDatabase("sqlite", [EventRows], () => now);
});
afterAll(() => db.dispose());

// rule http.error.5
test("the same crash is said once in five minutes, another one at once", async () => {
  const failures: unknown[] = [];
  const report = crashReporter({
    commits: db.commits,
    outbox: new Outbox({ record: () => {} }),
    now: () => now,
    version: "1",
    onError: (error) => failures.push(error),
  });
  const crash = (path: string, message: string) => report({ method: "GET", path }, new Error(message));
  crash("/users", "boom");
  crash("/users", "boom");
  crash("/users", "bang");
  crash("/nodes", "boom");
  now += 299_999;
  crash("/users", "boom");
  now += 1;
  crash("/users", "boom");
  const read = () => db.reads.rows(EventRows, sql`select * from events order by id`);
  await expect.poll(async () => (await read()).length).toBe(4);
  const rows = await read();
  expect(rows.map((row) => JSON.parse(row.data))).toEqual([
    { method: "GET", path: "/users", error: "boom", version: "1" },
    { method: "GET", path: "/users", error: "bang", version: "1" },
    { method: "GET", path: "/nodes", error: "boom", version: "1" },
    { method: "GET", path: "/users", error: "boom", version: "1" },
  ]);
  expect(failures).toEqual([]);
});
