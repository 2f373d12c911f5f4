// Accounts from a name pattern.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { jobEnded, newReseller } from "./users.ts";

describe.each(dialects)("generated users on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const generate = (body: object, query = "", headers?: Record<string, string>) =>
    panel.call("POST", `/api/v1/users/generate${query}`, body, headers);

  // rules jobs.generate.1, jobs.generate.3
  test("names follow the pattern, taken ones are skipped, and one event tells of all", async () => {
    const stem = `gen-${dialect}`;
    const plan = await panel.call("POST", "/api/v1/plans", { name: stem, days: 30, volume: 5, namePrefix: "p-" });
    const planId = plan.body.id;
    await panel.call("POST", "/api/v1/users", { name: `p-${stem}-008` });
    const { body: before } = await panel.call("GET", "/api/v1/events/log?limit=1");
    const made = await generate({ pattern: `${stem}-{n:3}`, count: 3, start: 7, planId });
    expect(made).toMatchObject({ status: 200, body: { created: 2, skipped: 1, failed: 0 } });
    expect(made.body.users.map(({ name }: { name: string }) => name)).toEqual([`p-${stem}-007`, `p-${stem}-009`]);
    const [{ id, subUrl }] = made.body.users;
    expect((await panel.call("GET", `/api/v1/users/${id}`)).body).toMatchObject({ volume: 5, subUrl });
    const { body: log } = await panel.call("GET", "/api/v1/events/log?limit=20");
    const fresh = log.items.filter((each: { id: number }) => each.id > (before.items[0]?.id ?? 0));
    expect(fresh).toMatchObject([
      { event: "user.generated", data: { pattern: `${stem}-{n:3}`, count: 2, skipped: 1, planId, adminId: 0 } },
    ]);
    const { body: changes } = await panel.call("GET", "/api/v1/changes?limit=1&action=generate");
    expect(changes.items[0]).toMatchObject({ key: "users", obj: { created: 2, skipped: 1 } });
  });

  // rule jobs.generate.2
  test("with async the job says later whom it made", async () => {
    const begun = await generate({ pattern: `{rand:8}-${dialect}`, count: 20 }, "?async=true");
    expect(begun.status).toBe(202);
    expect(await jobEnded(panel, begun.body.job)).toMatchObject({ kind: "users.generate", total: 20, affected: 20 });
    const { body: users } = await panel.call("GET", `/api/v1/jobs/${begun.body.job}/users`);
    expect(new Set(users.map(({ name }: { name: string }) => name)).size).toBe(20);
    expect(users[0].subUrl).toContain("/sub/");
    const reseller = await newReseller(panel);
    const foreign = await panel.call("GET", `/api/v1/jobs/${begun.body.job}/users`, undefined, reseller.headers);
    expect(foreign.status).toBe(404);
  });

  // rule jobs.generate.1
  test("what is wrong with all of them is refused at once; a cap stops where it is reached", async () => {
    expect((await generate({ pattern: "same", count: 2 })).body).toMatchObject({ field: "pattern" });
    expect((await generate({ pattern: "{x}", count: 1 })).body).toMatchObject({ field: "pattern" });
    expect((await generate({ pattern: "a{n}", count: 1001 })).body).toMatchObject({ field: "count" });
    expect((await generate({ pattern: "a{n}", count: 1, planId: 987_654 })).body).toMatchObject({ field: "planId" });
    const reseller = await newReseller(panel, { userLimit: 2 });
    const some = await generate({ pattern: `capped-${dialect}-{n}`, count: 4 }, "", reseller.headers);
    expect(some.body).toMatchObject({ created: 2, failed: 2, problems: [{ id: 3 }, { id: 4 }] });
    expect((await generate({ pattern: `capped-${dialect}-{n}`, count: 1 }, "", reseller.headers)).status).toBe(403);
  });
});
