// The small job of the owner behind the large ones of others.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startStopwatch } from "../stopwatch.ts";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { sendFile } from "./send-file.ts";
import { jobEnded, makeUsers, newReseller, type Reseller } from "./users.ts";

/** More than there are places, several jobs each. */
const RESELLERS = 8;
const LINES = 4000;

describe.each(dialects)("large jobs of others on %s", (dialect) => {
  const panels: WholePanel[] = [];
  let panel: WholePanel;
  const resellers: Reseller[] = [];
  let mine: number[] = [];
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    panels.push(panel);
    if (dialect === "postgresql") panels.push(await panel.neighbour());
    mine = await makeUsers(panel, 1, { volume: 1000 });
    for (let index = 0; index < RESELLERS; index++) resellers.push(await newReseller(panel));
  }, 120_000);
  afterAll(async () => {
    for (const each of panels.toReversed()) await each.dispose();
  });

  // rule jobs.own.3
  test("the owner's begins and ends while none of theirs is over", { timeout: 240_000 }, async () => {
    const jobs: { id: number; headers: Record<string, string> }[] = [];
    for (const [index, { name, headers }] of resellers.entries()) {
      const text = Array.from({ length: LINES }, (_, at) => `{"name":"${name}-${at}"}\n`).join("");
      const to = panels[index % panels.length] ?? panel;
      const { status, body } = await sendFile(to, "?async=true", text, headers);
      expect(status).toBe(202);
      jobs.push({ id: body.job, headers });
    }
    for (const { id } of jobs)
      await expect
        .poll(async () => (await panel.call("GET", `/api/v1/jobs/${id}`)).body, { timeout: 100_000 })
        .toMatchObject({ state: "running" });
    const took: number[] = [];
    for (let time = 0; time < 3; time++) {
      const elapsed = startStopwatch();
      const bulk = await panel.call("POST", "/api/v1/users/bulk/add-volume", { ids: mine, bytes: 1 });
      took.push(elapsed());
      expect(bulk).toMatchObject({ status: 200, body: { affected: 1 } });
      const { startedAt, createdAt } = (await panel.call("GET", `/api/v1/jobs/${bulk.body.job}`)).body;
      expect(startedAt - createdAt).toBeLessThanOrEqual(2);
    }
    expect(Math.max(...took)).toBeLessThan(2000);
    const states = await Promise.all(jobs.map(async ({ id }) => (await panel.call("GET", `/api/v1/jobs/${id}`)).body));
    // All of them were under way meanwhile, and all go on together.
    expect(states.filter(({ state }) => state === "running")).toHaveLength(RESELLERS);
    expect(states.every(({ done }) => done > 0)).toBe(true);
    for (const { id, headers } of jobs) await panel.call("POST", `/api/v1/jobs/${id}/cancel`, undefined, headers);
    for (const { id, headers } of jobs) {
      const { done, affected } = await jobEnded(panel, id);
      expect(affected).toBe(done);
      // No line was done twice.
      expect((await panel.call("GET", "/api/v1/users?limit=1", undefined, headers)).body.total).toBe(done);
    }
  });
});
