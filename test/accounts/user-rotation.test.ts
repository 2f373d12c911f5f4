// A new link for an account: what stops working, what stays, and what is free for others.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resellerOwners, servedAccounts } from "../../src/accounts/testing.ts";
import { dialects } from "../database.ts";
import { TestPanel } from "./panel.ts";

describe.each(dialects)("a new link on %s", (dialect) => {
  let panel: TestPanel;
  let ended: number[];
  beforeAll(async () => {
    panel = await TestPanel.open(dialect, resellerOwners);
    await panel.supervisor.start();
    ended = [];
    panel.database.commits.onCommit(({ facts }) => ended.push(...facts.of(servedAccounts.sessionsEndFact)));
  });
  afterAll(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  const make = async (name: string, body: object = {}) => panel.ok("POST", "/users", { name, ...body });
  const statusOf = async (key: string): Promise<number> =>
    (await panel.api.app.inject({ url: `/sub/${key}`, headers: { host: "panel.example" } })).statusCode;
  const rotate = async (id: number, body?: object) => panel.call("POST", `/users/${id}/sub/rotate`, body);

  // rule users.rotate.1
  test("the old link is gone, and everything else stays", async () => {
    const made = await make("link", { volume: 5, remark: "kept" });
    expect(await statusOf(made.subId)).toBe(200);
    // The first fetch is recorded beside the answer.
    const before = await panel.until(made.id, (user) => user.subFetchedAt > 0);
    const { body: after } = await rotate(before.id);
    for (const key of [before.subId, before.subToken]) expect(await statusOf(key)).toBe(404);
    for (const key of [after.subId, after.subToken]) expect(await statusOf(key)).toBe(200);
    expect(after.subUrl).not.toBe(before.subUrl);
    expect(after.subId).not.toBe(before.subId);
    expect(after.updatedAt).toBeGreaterThanOrEqual(before.updatedAt);
    const kept = (user: object) =>
      Object.fromEntries(Object.entries(user).filter(([field]) => !/^(sub|updatedAt)/.test(field)));
    expect(kept(after)).toEqual(kept(before));
    expect(ended).toEqual([]);
    expect(panel.audits.at(-1)).toMatchObject({ key: "users", action: "sub.rotate", entityId: String(before.id) });
    expect((await rotate(999_999)).status).toBe(404);
    expect(await rotate(before.id, { credentials: "yes" })).toMatchObject({
      status: 400,
      body: { field: "credentials" },
    });
  });

  // rule users.rotate.2
  test("new credentials: all four are new, the old ones are free, other parts stay", async () => {
    const before = await make("keys", { config: { flow: "xtls-rprx-vision", note: "kept" } });
    const { body: after } = await rotate(before.id, { credentials: true });
    for (const part of ["uuid", "password", "ss16", "ss32"]) {
      expect(after.config[part]).toMatch(/./);
      expect(after.config[part]).not.toBe(before.config[part]);
    }
    expect(after.config).toMatchObject({ flow: "xtls-rprx-vision", note: "kept" });
    expect((await panel.call("POST", "/users", { name: "taken", config: { uuid: after.config.uuid } })).status).toBe(
      400,
    );
    expect((await panel.call("POST", "/users", { name: "free", config: { uuid: before.config.uuid } })).status).toBe(
      200,
    );
  });

  // rule users.rotate.3
  test("what is open is told to end, with the commit alone", async () => {
    const { id } = await make("open");
    await rotate(id, { closeSessions: true });
    expect(ended).toEqual([id]);
  });
});
