// Jobs that one account may have under way.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
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

  // rule jobs.own.3
  test("the twenty-first is refused until one has ended; others' are not counted", async () => {
    const [id] = await makeUsers(panel, 1);
    const bulk = (headers?: Record<string, string>) =>
      panel.call("POST", "/api/v1/users/bulk/add-volume?async=true", { ids: [id], bytes: 1 }, headers);
    for (let index = 0; index < 20; index++)
      await panel.call("POST", "/api/v1/users/bulk/add-volume", { ids: [id], bytes: 1 });
    expect((await bulk()).status).toBe(202);
    const reseller = await newReseller(panel);
    await panel.stop();
    const db = await connectTestDatabase(panel.databaseUrl, entities);
    const open = sql`update jobs set finished_at = 0`;
    await db.commits.execute({ name: "test", statements: [db.reads.statement("open", open)] });
    await db.close();
    await panel.start();
    expect(await bulk()).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    const refused = await panel.call("POST", "/api/v1/users/generate", { pattern: "a{n}", count: 1 });
    expect(refused.headers.get("retry-after")).toBe("5");
    expect((await bulk(reseller.headers)).status).toBe(202);
    expect((await panel.call("POST", "/api/v1/users/bulk/disable?all=true&dryRun=true")).status).toBe(200);
  });
});
