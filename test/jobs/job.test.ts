// Jobs on their way: stopped, taken back, carried on by whoever is there, and ended with the rights of who started
// them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { jobEnded, makeUsers, newReseller } from "./users.ts";

/** The volumes that accounts have, each once. */
async function volumes(panel: WholePanel, query: string): Promise<Set<number>> {
  const found = new Set<number>();
  for (let offset = 0; ; offset += 500) {
    const { body } = await panel.call("GET", `/api/v1/users?limit=500&offset=${offset}&${query}`);
    for (const { volume } of body.items) found.add(volume);
    if (offset + 500 >= body.total) return found;
  }
}

describe.each(dialects)("jobs on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const bulk = (op: string, query: string, body?: object, headers?: Record<string, string>) =>
    panel.call("POST", `/api/v1/users/bulk/${op}${query}`, body, headers);
  const user = async (id: number | undefined) => (await panel.call("GET", `/api/v1/users/${id}`)).body;
  const total = async (query: string) =>
    Number((await panel.call("GET", `/api/v1/users?limit=1&${query}`)).headers.get("x-total-count"));
  const undone = async (job: number) => {
    const begun = await panel.call("POST", `/api/v1/jobs/${job}/undo`);
    expect(begun.status).toBe(202);
    return jobEnded(panel, begun.body.job);
  };
  /** What every account must have again, whatever moves with each write. */
  const kept = ({ updatedAt: _, since: __, offBy: ___, ...account }: Record<string, unknown>) => account;

  // rules jobs.undo.1, jobs.undo.2
  test("what nobody touched since goes back, the rest is listed", async () => {
    const expiry = Math.floor(Date.now() / 1000) + 86_400;
    const ids = await makeUsers(panel, 3, { group: `undo-${dialect}`, volume: 1000, expiry });
    const before = await Promise.all(ids.map(user));
    const named = { ids };
    const done = await bulk("edit", "", { ...named, set: { volume: 5, group: "moved", templateIds: [] } });
    const off = await bulk("disable", "", named);
    const links = await bulk("rotate-sub", "", named);
    const longer = await bulk("renew", "", { ...named, days: 30 });
    for (const { body } of [longer, links, off, done]) {
      const { job } = body;
      expect((await panel.call("GET", `/api/v1/jobs/${job}`)).body.undoUntil).toBeGreaterThan(0);
      expect(await undone(job)).toMatchObject({ kind: "users.undo", undoes: job, state: "succeeded", affected: 3 });
      // Each gives the accounts another version: the one before it is taken back only where it is the last.
      if (job === longer.body.job) break;
    }
    const after = await Promise.all(ids.map(user));
    expect(after.map(({ expiry: end }) => end)).toEqual(before.map(({ expiry: end }) => end));

    const again = await bulk("edit", "", { ...named, set: { remark: "bulk" } });
    await panel.call("PATCH", `/api/v1/users/${ids[1]}`, { remark: "by hand" });
    const back = await undone(again.body.job);
    expect(back).toMatchObject({
      affected: 2,
      failed: 0,
      blocked: 1,
      problems: [{ id: ids[1], code: "changed_meanwhile" }],
    });
    expect((await Promise.all(ids.map(user))).map(({ remark }) => remark)).toEqual(["", "by hand", ""]);
  });

  // rule jobs.undo.1
  test.each([
    ["disable", {}],
    ["rotate-sub", {}],
    ["add-volume", { bytes: 7 }],
    ["extend", { seconds: 60 }],
    ["edit", { set: { volume: 5, group: "moved", contact: { phone: "+989110000000" }, enable: false } }],
  ])("%s is taken back whole", async (op, body) => {
    const expiry = Math.floor(Date.now() / 1000) + 86_400;
    const ids = await makeUsers(panel, 2, { volume: 1000, expiry });
    const before = await Promise.all(ids.map(user));
    const { job } = (await bulk(op, "", { ids, ...body })).body;
    expect((await Promise.all(ids.map(user))).map(kept)).not.toEqual(before.map(kept));
    expect(await undone(job)).toMatchObject({ affected: 2, problems: [] });
    expect((await Promise.all(ids.map(user))).map(kept)).toEqual(before.map(kept));
  });

  // rule jobs.undo.1
  test("an account that a person had off, or the panel, is off again for the same reason", async () => {
    const past = Math.floor(Date.now() / 1000) - 60;
    const [manual] = await makeUsers(panel, 1, { enable: false });
    const [expired] = await makeUsers(panel, 1, { expiry: past });
    const on = (await bulk("enable", "", { ids: [manual] })).body;
    const longer = (await bulk("extend", "", { ids: [expired], seconds: 3600 })).body;
    expect(await user(expired)).toMatchObject({ enable: true });
    await undone(on.job);
    await undone(longer.job);
    expect(await user(manual)).toMatchObject({ enable: false, disabledReason: "manual" });
    expect(await user(expired)).toMatchObject({ enable: false, disabledReason: "expiry", expiry: past });
  });

  // rule jobs.undo.3
  test("a job is taken back once, and only one that changed what can go back", async () => {
    const ids = await makeUsers(panel, 2);
    const { job } = (await bulk("disable", "", { ids })).body;
    const { id: undoing } = await undone(job);
    const refused = async (id: number) =>
      expect(await panel.call("POST", `/api/v1/jobs/${id}/undo`)).toMatchObject({
        status: 409,
        body: { code: "cannot_undo" },
      });
    await refused(job);
    await refused(undoing);
    await refused((await bulk("disable", "", { ids: [999_999_999] })).body.job);
    expect((await panel.call("POST", "/api/v1/jobs/999999999/undo")).status).toBe(404);
  });

  // rule jobs.step.3
  test("one that is stopped did exactly what it says that it did", async () => {
    const group = `stopped-${dialect}`;
    await makeUsers(panel, 600, { group });
    const { job } = (await bulk("disable", `?group=${group}&async=true`)).body;
    const asked = await panel.call("POST", `/api/v1/jobs/${job}/cancel`);
    expect(asked.status).toBe(200);
    const ended = await jobEnded(panel, job);
    expect(ended).toMatchObject({ state: "cancelled", error: "cancelled", failed: 0 });
    expect(ended.done).toBeLessThan(600);
    expect(await total(`group=${group}&status=disabled`)).toBe(ended.affected);
    // Again, it stays as it is.
    expect((await panel.call("POST", `/api/v1/jobs/${job}/cancel`)).body).toEqual(ended);
    // What it did can be taken back.
    if (ended.affected > 0) await undone(job);
    expect(await total(`group=${group}&status=disabled`)).toBe(0);
  });

  // rule jobs.step.1
  test("one that a stop interrupts goes on where it was, and does nothing twice", async () => {
    const group = `interrupted-${dialect}`;
    await makeUsers(panel, 400, { group, volume: 100 });
    const { job } = (await bulk("add-volume", `?group=${group}&async=true`, { bytes: 1 })).body;
    await panel.restart();
    expect(await jobEnded(panel, job)).toMatchObject({ state: "succeeded", total: 400, done: 400, affected: 400 });
    expect(await volumes(panel, `group=${group}`)).toEqual(new Set([101]));
  });

  // rule jobs.own.2
  test("it ends as failed when whoever started it loses the right", async () => {
    const reseller = await newReseller(panel);
    await makeUsers(panel, 600, { adminId: reseller.id });
    const begun = await panel.call(
      "POST",
      "/api/v1/users/bulk/disable?all=true&async=true",
      undefined,
      reseller.headers,
    );
    await panel.call("PUT", `/api/v1/admins/${reseller.id}`, {
      username: reseller.name,
      role: reseller.name,
      usersReadOnly: true,
    });
    const ended = await jobEnded(panel, begun.body.job);
    expect(ended).toMatchObject({ state: "failed", error: expect.stringContaining("may not go on") });
    expect(await total(`admin_id=${reseller.id}&status=disabled`)).toBe(ended.affected);
    expect(ended.affected).toBeLessThan(600);
  });

  // rule jobs.own.2
  test("and when its account is gone", async () => {
    const name = `gone-${dialect}`;
    const admin = await panel.call("POST", "/api/v1/admins", {
      username: name,
      password: "correct horse battery",
      role: "admin",
    });
    const token = await panel.call(
      "POST",
      "/api/v1/tokens",
      { desc: name, adminId: admin.body.id },
      { cookie: panel.cookie },
    );
    await makeUsers(panel, 600, { group: name });
    const headers = { authorization: `Bearer ${token.body.token}` };
    const begun = await bulk("disable", `?group=${name}&async=true`, undefined, headers);
    expect(begun.status).toBe(202);
    await panel.call("DELETE", `/api/v1/tokens/${token.body.id}`, undefined, { cookie: panel.cookie });
    const ended = await jobEnded(panel, begun.body.job);
    expect(ended).toMatchObject({ state: "failed", error: expect.stringContaining("no account or token") });
    expect(await total(`group=${name}&status=disabled`)).toBe(ended.affected);
  });
});

test.runIf(dialects.includes("postgresql"))(
  "of two panels the one that is left finishes, and nothing is done twice",
  async () => {
    const one = await WholePanel.open("postgresql");
    const other = await one.neighbour();
    try {
      await makeUsers(one, 300, { volume: 100 });
      const begun = [1, 2].map(async (bytes) =>
        one.call("POST", "/api/v1/users/bulk/add-volume?all=true&async=true", { bytes }),
      );
      const jobs = (await Promise.all(begun)).map(({ body }) => body.job);
      await one.stop();
      for (const job of jobs) expect(await jobEnded(other, job)).toMatchObject({ state: "succeeded", affected: 300 });
      expect(await volumes(other, "")).toEqual(new Set([103]));
    } finally {
      await other.dispose();
      await one.start();
      await one.dispose();
    }
  },
);
