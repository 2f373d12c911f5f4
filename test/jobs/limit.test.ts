// Jobs that one account may have under way.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql, type Database } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { makeUsers, newReseller } from "./users.ts";

describe.each(dialects)("many jobs of one account on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const among = async <A>(act: (db: Database) => Promise<A>): Promise<A> => {
    const db = await connectTestDatabase(panel.databaseUrl, entities);
    try {
      return await act(db);
    } finally {
      await db.close();
    }
  };
  /** So many jobs of the main admin seem not to be over. */
  const leave = async (many: number) => {
    await panel.stop();
    await among(({ commits, reads }) =>
      commits.execute({
        name: "test",
        statements: [reads.statement("count", sql`update job_counts set unfinished = ${many} where id = 1`)],
      }),
    );
    await panel.start();
  };
  const unfinished = () =>
    among(async ({ reads }) => {
      const [row] = await reads.query(sql<{ n: number | string }>`select unfinished as n from job_counts where id = 1`);
      return Number(row?.n);
    });

  // rule jobs.own.3
  test("the twenty-first is refused until one has ended; others' are not counted", async () => {
    const [id] = await makeUsers(panel, 1);
    const bulk = (headers?: Record<string, string>) =>
      panel.call("POST", "/api/v1/users/bulk/add-volume?async=true", { ids: [id], bytes: 1 }, headers);
    for (let index = 0; index < 20; index++)
      await panel.call("POST", "/api/v1/users/bulk/add-volume", { ids: [id], bytes: 1 });
    expect((await bulk()).status).toBe(202);
    const reseller = await newReseller(panel);
    await leave(20);
    expect(await bulk()).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    const refused = await panel.call("POST", "/api/v1/users/generate", { pattern: "a{n}", count: 1 });
    expect(refused.headers.get("retry-after")).toBe("5");
    expect((await bulk(reseller.headers)).status).toBe(202);
    expect((await panel.call("POST", "/api/v1/users/bulk/disable?all=true&dryRun=true")).status).toBe(200);
  });

  // rule jobs.own.3
  test("of many that start at once those above the limit are refused, and each end makes room", async () => {
    const [id] = await makeUsers(panel, 1);
    await leave(17);
    const started = await Promise.all(
      Array.from({ length: 12 }, () =>
        panel.call("POST", "/api/v1/users/bulk/add-volume?async=true", { ids: [id], bytes: 1 }),
      ),
    );
    const accepted = started.filter(({ status }) => status === 202);
    expect(started.filter(({ status }) => status !== 202).every(({ status }) => status === 429)).toBe(true);
    // A job that ends meanwhile makes room for one more.
    expect(accepted.length).toBeGreaterThanOrEqual(3);
    for (const { body } of accepted)
      await expect
        .poll(async () => (await panel.call("GET", `/api/v1/jobs/${String(body["job"])}`)).body["state"])
        .toBe("succeeded");
    expect(await unfinished()).toBe(17);
    await leave(0);
  });
});
