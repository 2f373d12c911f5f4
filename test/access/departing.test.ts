// What goes with an operator that is deleted, and what stays.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

describe.each(dialects)("a deleted operator on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  async function ok(method: string, path: string, body?: unknown, as = panel.token) {
    const answer = await panel.call(method, `/api/v1${path}`, body, { authorization: `Bearer ${as}` });
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
    return answer.body;
  }

  // rule admins.account.6
  test("takes its tokens and webhooks along; what others made stays, one that it turned round switched off, and so does the record of what it did", async () => {
    const { id } = await ok("POST", "/admins", { username: "leaver", password: "correct horse", role: "sudo" });
    const { token } = await ok("POST", "/tokens", { adminId: id, desc: "leaver's" });
    const hook = { url: "https://receiver.example/hook" };
    const [own, others] = [
      await ok("POST", "/webhooks", { ...hook, name: "own" }, token),
      await ok("POST", "/webhooks", { ...hook, name: "others" }),
    ];
    await ok("PUT", `/webhooks/${others.id}`, { url: "https://leaver.example/hook" }, token);
    const user = await ok("POST", "/users", { name: "customer" }, token);
    await ok("DELETE", `/admins/${id}`);
    expect((await ok("GET", "/webhooks")).items).toMatchObject([{ id: others.id, enabled: false }]);
    expect((await panel.call("GET", `/api/v1/webhooks/${own.id}/deliveries`)).status).toBe(404);
    expect((await ok("GET", "/tokens")).items).toMatchObject([{ adminName: "root" }]);
    expect(await ok("GET", `/users/${user.id}`)).toMatchObject({ name: "customer" });
    expect((await ok("GET", "/changes?actor=leaver")).items).toMatchObject([
      { key: "users" },
      { key: "webhooks", entityId: String(others.id), action: "update" },
      { key: "webhooks", entityId: String(own.id) },
    ]);
  });
});
