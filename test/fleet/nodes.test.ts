// Nodes over HTTP on the whole panel: validation, defaults, what may change when, lists; on both databases.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { lock } from "../../src/db/index.ts";
import { NodeProgressRows, NodeRows } from "../../src/fleet/records/node.entity.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

describe.each(dialects)("nodes on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());
  /** Every node has an address of its own, at which nobody answers. */
  let port = 1;
  const create = async (more: object = {}) =>
    (
      await panel.call("POST", "/api/v1/nodes", {
        name: "n",
        address: "127.0.0.1",
        port: ++port,
        enabled: false,
        ...more,
      })
    ).body;

  // rules nodes.record.1, nodes.record.6
  test("a node needs name, address and port; the rest has its defaults", async () => {
    for (const [body, field] of [
      [{ address: "a", port: 1 }, "name"],
      [{ name: "n", port: 1 }, "address"],
      [{ name: "n", address: "a" }, "port"],
      [{ name: "n", address: "a b", port: 1 }, "address"],
      [{ name: "n", address: "a", port: 0 }, "port"],
      [{ name: "n", address: "a", port: 1, limitBytes: -1 }, "limitBytes"],
      [{ name: "n", address: "a", port: 1, limitPeriod: "weekly", limitStartDay: 7 }, "limitStartDay"],
      [{ name: "n", address: "a", port: 1, limitPeriod: "monthly", limitStartDay: 0 }, "limitStartDay"],
      [{ name: "n", address: "a", port: 1, templateId: 99 }, "templateId"],
      [{ name: "n", address: "a", port: 1, multiplier: "2" }, "multiplier"],
    ] as const) {
      expect(await panel.call("POST", "/api/v1/nodes", body)).toMatchObject({ status: 400, body: { field } });
    }
    expect(await create({ name: "defaults" })).toMatchObject({
      name: "defaults",
      status: "disabled",
      message: "switched off",
      warnings: [],
      notices: [],
      licensed: true,
      isLocal: false,
      routing: null,
      templateId: null,
      multiplier: 1,
      enabled: false,
      limitBytes: 0,
      limitDisabled: false,
      periodUsed: 0,
      periodStart: 0,
      up: 0,
      down: 0,
      sshKeyId: null,
      fallbackCertMode: "",
      revision: 0,
      applied: 0,
      appliedAt: 0,
      nextAttemptAt: 0,
    });
  });

  // rule nodes.progress.4
  test("what changes a node's configuration answers the number of the new one; after a move nothing is acknowledged", async () => {
    const node = await create({ name: "routed", routing: { final: "direct" } });
    const get = async () => (await panel.call("GET", `/api/v1/nodes/${node.id}`)).body;
    expect(node).toMatchObject({ revision: 1, applied: 0 });
    expect(await get()).toMatchObject({ revision: 1, applied: 0 });
    const db = await connectTestDatabase(panel.databaseUrl, entities);
    onTestFinished(() => db.close());
    const digest = "0".repeat(32);
    const word = { revision: 7, applied: 7, appliedAt: 5, structure: digest, users: digest };
    await db.commits.submit({
      name: "an agent acknowledged something",
      locks: [lock(NodeRows, node.id)],
      decide(draft) {
        draft.insert(NodeProgressRows, { id: node.id, fence: 1, ...word });
        draft.update(NodeRows, node.id, { infoSeenAt: 5 });
      },
    });
    expect(await get()).toMatchObject({ revision: 8, applied: 7, appliedAt: 5 });
    const put = await panel.call("PUT", `/api/v1/nodes/${node.id}`, { routing: { final: "block" } });
    expect(put.body).toMatchObject({ revision: 8, applied: 7, appliedAt: 5 });
    const moved = await panel.call("POST", `/api/v1/nodes/${node.id}/move`, { address: "127.0.0.4" });
    expect(moved.body).toMatchObject({ revision: 8, applied: 0, appliedAt: 0 });
    expect(await get()).toMatchObject({ revision: 8, applied: 0, appliedAt: 0 });
    await panel.call("DELETE", `/api/v1/nodes/${node.id}`);
    expect(await db.reads.find(NodeProgressRows, node.id)).toBeUndefined();
  });

  // rules nodes.record.3, nodes.record.4
  test("PUT keeps what is absent, moves the version only when something differs, and refuses to move a node that is switched on", async () => {
    const node = await create({ name: "kept", remark: "r", multiplier: 1.25 });
    const put = (body: object) => panel.call("PUT", `/api/v1/nodes/${node.id}`, body);
    expect((await put({ remark: "s" })).body).toMatchObject({ name: "kept", remark: "s", multiplier: 1.25 });
    const { updatedAt } = (await put({})).body;
    expect((await put({ remark: "s" })).body.updatedAt).toBe(updatedAt);
    expect((await put({ address: "127.0.0.2" })).body.address).toBe("127.0.0.2");
    expect((await put({ enabled: true })).body.status).toBe("connecting");
    const refused = await put({ port: 1 });
    expect(refused).toMatchObject({ status: 409, body: { code: "node_on", field: "port" } });
    expect(refused.body.error).toContain("move");
    expect(
      (await panel.call("POST", `/api/v1/nodes/${node.id}/move`, { address: "127.0.0.3", port: 3 })).body,
    ).toMatchObject({
      address: "127.0.0.3",
      port: 3,
    });
    expect(await panel.call("PUT", "/api/v1/nodes/999999", { remark: "x" })).toMatchObject({ status: 404 });
  });

  // rules nodes.record.2, nodes.record.5
  test("a reference names something or nothing: 0 and null are none, what does not exist is 400 with the field", async () => {
    const node = await create({ name: "references", enabled: false, templateId: 0, sshKeyId: 0, fallbackCertId: 0 });
    expect(node).toMatchObject({ templateId: null, sshKeyId: null, fallbackCertId: null });
    const put = (body: object) => panel.call("PUT", `/api/v1/nodes/${node.id}`, body);
    for (const field of ["templateId", "sshKeyId", "fallbackCertId"]) {
      expect(await put({ [field]: 99_999 })).toMatchObject({ status: 400, body: { field } });
    }
    expect(
      (await panel.call("PUT", `/api/v1/nodes/${node.id}/template`, { templateId: 0 })).body.templateId,
    ).toBeNull();
    expect(await put({ linkAddress: "a.example,,b.example" })).toMatchObject({
      status: 400,
      body: { field: "linkAddress" },
    });
    // The port is the inbound's.
    for (const linkAddress of ["192.0.2.1:443", "a.example:443", "[2001:db8::1]:443", "[a.example]"])
      expect(await put({ linkAddress })).toMatchObject({ status: 400, body: { field: "linkAddress" } });
    expect(await put({ address: "192.0.2.1:443" })).toMatchObject({ status: 400, body: { field: "address" } });
    expect((await put({ linkAddress: "Home|a.example, [2001:db8::1], 2001:db8::2" })).status).toBe(200);
  });

  // rules nodes.switch.3, nodes.switch.4
  test("sync and reconnect need a node that is switched on, and one that answers", async () => {
    const node = await create({ name: "off" });
    for (const verb of ["sync", "reconnect"])
      expect((await panel.call("POST", `/api/v1/nodes/${node.id}/${verb}`)).status).toBe(409);
    await panel.call("POST", `/api/v1/nodes/${node.id}/enabled`, { enabled: true });
    expect((await panel.call("POST", `/api/v1/nodes/${node.id}/sync`)).status).toBe(502);
    expect((await panel.call("POST", `/api/v1/nodes/${node.id}/reconnect`)).status).toBe(200);
    expect((await panel.call("POST", `/api/v1/nodes/${node.id}/repin`)).status).toBe(502);
    expect((await panel.call("POST", `/api/v1/nodes/${node.id}/enabled`, {})).status).toBe(400);
    expect((await panel.call("DELETE", `/api/v1/nodes/${node.id}`)).body).toEqual({ ok: true, stopped: false });
    expect((await panel.call("GET", `/api/v1/nodes/${node.id}`)).status).toBe(404);
  });

  // rule nodes.status.2
  // rule nodes.status.9
  test("a node out of reach is in error with the reason, and its next attempt is set", async () => {
    const node = await create({ name: "unreachable", port: 1, enabled: true });
    onTestFinished(async () => void (await panel.call("DELETE", `/api/v1/nodes/${node.id}`)));
    await expect
      .poll(async () => (await panel.call("GET", `/api/v1/nodes/${node.id}`)).body, { timeout: 30_000 })
      .toMatchObject({
        status: "error",
        message: expect.stringContaining("127.0.0.1:1 cannot be reached"),
        cause: {
          code: "connection_refused",
          values: ["127.0.0.1:1"],
          detail: expect.stringContaining("127.0.0.1:1 cannot be reached"),
        },
      });
    const { items } = (await panel.call("GET", `/api/v1/actors?kind=node&q=unreachable`)).body;
    expect(items).toMatchObject([
      { id: String(node.id), cause: { code: "connection_refused", values: ["127.0.0.1:1"] } },
    ]);
    const actor = await panel.call("GET", `/api/v1/actors/node/${node.id}`);
    expect(actor.body).toMatchObject({ kind: "node", name: "unreachable", fault: null });
  });

  test("lists: both shapes, search, filter by status, sort, paging", async () => {
    await create({ name: "alpha", remark: "Frankfurt" });
    const v1 = await panel.call("GET", "/api/v1/nodes?q=FRANK&status=disabled");
    expect(v1.body).toMatchObject({ total: 1, limit: 100, offset: 0, items: [{ name: "alpha" }] });
    const bare = await panel.call("GET", "/api/nodes?sort=name&order=desc&limit=2");
    expect(bare.body).toHaveLength(2);
    expect(Number(bare.headers.get("x-total-count"))).toBeGreaterThan(2);
    expect(bare.body[0].name >= bare.body[1].name).toBe(true);
    for (const status of ["connecting", "connected", "error", "disabled"]) {
      const listed = await panel.call("GET", `/api/v1/nodes?status=${status}`);
      expect(listed.body.items.every((node: { status: string }) => node.status === status)).toBe(true);
    }
    expect((await panel.call("GET", "/api/v1/nodes?status=up")).status).toBe(400);
  });

  // rule nodes.trust.1
  test("what agents must trust is the panel's certificate", async () => {
    const { body } = await panel.call("GET", "/api/v1/nodes/install/trust");
    expect(body.certificate).toContain("BEGIN CERTIFICATE");
    expect(body.fingerprint).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  });

  // rule nodes.record.7
  test("changes are in the audit log, by who made them", async () => {
    const node = await create({ name: "audited" });
    await panel.call("POST", `/api/v1/nodes/${node.id}/enabled`, { enabled: true });
    const { body } = await panel.call("GET", `/api/v1/changes?key=nodes&limit=2`);
    expect(body.items.map((row: { action: string }) => row.action)).toEqual(["enable", "create"]);
    expect(body.items[0]).toMatchObject({
      actor: "root",
      via: "token",
      entityId: String(node.id),
      obj: { enabled: [false, true] },
    });
  });
});
