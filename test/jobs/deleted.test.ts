// Many deleted accounts: brought back at once, and by taking back the operation that deleted them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { jobEnded, makeUsers, newReseller } from "./users.ts";

describe.each(dialects)("many deleted accounts on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const user = async (id: number | undefined) => panel.call("GET", `/api/v1/users/${id}`);
  const bulkDelete = async (ids: readonly number[]) =>
    (await panel.call("POST", "/api/v1/users/bulk/delete", { ids })).body;
  const restore = (ids: readonly number[], query = "", headers?: Record<string, string>) =>
    panel.call("POST", `/api/v1/users/deleted/restore${query}`, { ids }, headers);
  const undone = async (job: number) => {
    const begun = await panel.call("POST", `/api/v1/jobs/${job}/undo`);
    expect(begun.status).toBe(202);
    return jobEnded(panel, begun.body.job);
  };
  const kept = ({ updatedAt: _, since: __, ...account }: Record<string, unknown>) => account;

  // rule users.deleted.9
  test("many come back by one request; those that cannot are listed", async () => {
    const ids = await makeUsers(panel, 5);
    const before = await Promise.all(ids.map(async (id) => (await user(id)).body));
    await bulkDelete(ids);
    const [own = 0, taken = 0] = ids;
    const { name } = before[1];
    await panel.call("POST", "/api/v1/users", { name });
    const { body } = await restore([...ids, 999_999_999]);
    expect(body).toMatchObject({ op: "restore", matched: 5, affected: 4, blocked: 1, failed: 1 });
    expect(body.problems).toMatchObject([
      { id: taken, name, code: "duplicate", field: "name" },
      { id: 999_999_999, code: "not_found" },
    ]);
    expect(kept((await user(own)).body)).toEqual(kept(before[0]));
    expect((await user(taken)).status).toBe(404);
    const events = (await panel.call("GET", "/api/v1/events/log?event=user.bulk&limit=1")).body;
    expect(JSON.stringify(events)).toContain('"op":"restore"');
    const changes = (await panel.call("GET", "/api/v1/changes?limit=20")).body.items;
    expect(changes.map(({ action }: { action: string }) => action)).toContain("bulk.restore");
    const started = await restore([taken], "?async=true");
    expect(started.status).toBe(202);
    expect(await jobEnded(panel, started.body.job)).toMatchObject({ kind: "users.restore", affected: 0, blocked: 1 });
  });

  // rule users.deleted.9
  test("two of one name: the first comes back", async () => {
    const name = `twice-${process.pid}-${dialect}`;
    const ids = [];
    for (let turn = 0; turn < 2; turn++) {
      const { body } = await panel.call("POST", "/api/v1/users", { name });
      ids.push(body.id);
      await bulkDelete([body.id]);
    }
    expect((await restore(ids)).body).toMatchObject({ affected: 1, blocked: 1, problems: [{ id: ids[1] }] });
  });

  // rule users.deleted.6
  test("a reseller brings back its own alone", async () => {
    const seller = await newReseller(panel);
    const [own] = await makeUsers(panel, 1, { adminId: seller.id });
    const [others] = await makeUsers(panel, 1);
    if (own === undefined || others === undefined) throw new Error("no users");
    await bulkDelete([own, others]);
    const { body } = await restore([own, others], "", seller.headers);
    expect(body).toMatchObject({ affected: 1, failed: 1, problems: [{ id: others, code: "not_found" }] });
    expect((await user(others)).status).toBe(404);
  });

  // rules jobs.undo.1, jobs.undo.2
  test("a bulk deletion is taken back; what was touched since stays as it is", async () => {
    const ids = await makeUsers(panel, 4, { volume: 1000, enable: false });
    const before = await Promise.all(ids.map(async (id) => (await user(id)).body));
    const { job } = await bulkDelete(ids);
    expect((await panel.call("GET", `/api/v1/jobs/${job}`)).body.undoUntil).toBeGreaterThan(0);
    const [, back, again, forgotten] = ids;
    await panel.call("POST", `/api/v1/users/${back}/restore`);
    await panel.call("POST", `/api/v1/users/${again}/restore`);
    await panel.call("DELETE", `/api/v1/users/${again}`);
    await panel.call("DELETE", `/api/v1/users/deleted/${forgotten}`);
    const ended = await undone(job);
    expect(ended).toMatchObject({ kind: "users.undo", op: "delete", undoes: job, affected: 1, total: 4 });
    expect(ended.problems.map(({ id, code }: { id: number; code: string }) => [id, code])).toEqual([
      [back, "not_found"],
      [again, "changed_meanwhile"],
      [forgotten, "not_found"],
    ]);
    const was = before[0];
    expect((await user(ids[0])).body).toMatchObject(kept(was));
  });

  // rules jobs.undo.4, jobs.undo.2
  test("users from a pattern are taken back: those that nobody touched are deleted", async () => {
    const stem = `undone-${process.pid}-${dialect}`;
    const { body } = await panel.call("POST", "/api/v1/users/generate", { pattern: `${stem}-{n}`, count: 4, start: 5 });
    const [first, touched] = body.users.map(({ id }: { id: number }) => id);
    await panel.call("PATCH", `/api/v1/users/${touched}`, { remark: "sold" });
    expect(await undone(body.job)).toMatchObject({
      op: "generate",
      affected: 3,
      blocked: 1,
      problems: [{ id: touched, code: "changed_meanwhile" }],
    });
    expect([(await user(first)).status, (await user(touched)).status]).toEqual([404, 200]);
    expect((await panel.call("GET", `/api/v1/users/deleted/${first}`)).status).toBe(200);
  });

  // rules jobs.undo.1, jobs.undo.4
  test("a step whose last record was left as it was is no end: all behind it is taken back", async () => {
    // A job's first step has fifty records.
    const ids = await makeUsers(panel, 60, { volume: 1000 });
    await panel.call("DELETE", `/api/v1/users/${ids[49]}`);
    const added = await panel.call("POST", "/api/v1/users/bulk/add-volume", { ids, bytes: 5 });
    expect(added.body).toMatchObject({ affected: 59, failed: 1 });
    expect(await undone(added.body.job)).toMatchObject({ done: 59, affected: 59 });
    expect((await user(ids[59])).body).toMatchObject({ volume: 1000 });

    const stem = `edge-${process.pid}-${dialect}`;
    await panel.call("POST", "/api/v1/users", { name: `${stem}-50` });
    const { body } = await panel.call("POST", "/api/v1/users/generate", { pattern: `${stem}-{n}`, count: 60 });
    expect(await undone(body.job)).toMatchObject({ done: 59, affected: 59 });
    expect((await panel.call("GET", `/api/v1/users?q=${stem}-`)).body.total).toBe(1);
  });

  // rules jobs.undo.4, jobs.undo.2
  test("an import is taken back: what it made is deleted, what it overwrote is as it was", async () => {
    const [id, other] = await makeUsers(panel, 2, { volume: 1000 });
    const [before, others] = [(await user(id)).body, (await user(other)).body];
    const fresh = `import-${process.pid}-${dialect}`;
    const lines = [`${others.name},7`, `${fresh}-1,5`, `${before.name},9`, `${fresh}-2,5`, "bad,lots"];
    const response = await fetch(`${panel.url}/api/v1/users/import?format=csv&onConflict=update`, {
      method: "POST",
      headers: { authorization: `Bearer ${panel.token}`, "content-type": "text/csv" },
      body: `name,volume\n${lines.join("\n")}\n`,
    });
    const answer = (await response.json()) as { job: number };
    expect(answer).toMatchObject({ created: 2, updated: 2, failed: 1 });
    await panel.call("PATCH", `/api/v1/users/${other}`, { remark: "by hand" });
    expect(await undone(answer.job)).toMatchObject({
      op: "import",
      affected: 3,
      problems: [{ id: other, code: "changed_meanwhile" }],
    });
    const was = before;
    expect((await user(id)).body).toMatchObject(kept(was));
    expect((await user(other)).body).toMatchObject({ volume: 7, remark: "by hand" });
    for (const name of [`${fresh}-1`, `${fresh}-2`])
      expect((await panel.call("GET", `/api/v1/users?name=${name}`)).body.total).toBe(0);
  });

  // rules jobs.undo.3, users.deleted.7
  test("where deleted accounts are not kept, a deletion cannot be taken back", async () => {
    const ids = await makeUsers(panel, 1);
    const keep = (value: string) => panel.call("PUT", "/api/v1/settings/deleted_retention_days", { value });
    expect((await keep("0")).status).toBe(200);
    const { job } = await bulkDelete(ids);
    expect(await panel.call("POST", `/api/v1/jobs/${job}/undo`)).toMatchObject({
      status: 409,
      body: { code: "cannot_undo" },
    });
    expect((await restore(ids)).body).toMatchObject({ affected: 0, failed: 1 });
    await keep("7");
  });
});
