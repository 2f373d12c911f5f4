// The audit log: one record with every answered change, secrets never, found again by its filters, forgotten by hand
// and by age.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../src/panel/panel.cli.ts";
import { ChangeRows } from "../../src/access/records/change.entity.ts";
import { panelCertificates } from "../../src/certificates/index.ts";
import { sql } from "../../src/db/index.ts";
import { sealSecret } from "../../src/lib/seal.ts";
import { Outbox } from "../../src/runtime/index.ts";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, type AccessPanel } from "./panel.ts";

interface Change {
  readonly id: number;
  readonly time: number;
  readonly actor: string;
  readonly via: string;
  readonly key: string;
  readonly action: string;
  readonly entityId: string;
  readonly obj: Readonly<Record<string, unknown>>;
}

describe.each(dialects)("the audit log on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  let rootId: number;
  let serial = 0;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
    rootId = Number((await panel.send("GET", "/api/me", { as: root })).body["id"]);
  });
  afterAll(() => panel.dispose());

  const now = () => Math.floor(panel.clock.now / 1000);
  const changes = async (query = "") =>
    (await panel.send("GET", `/api/changes?${query}`, { as: root })).body as unknown as Change[];
  const newest = async () => (await changes("limit=1"))[0];
  const count = async (query = "") =>
    Number((await panel.send("GET", `/api/changes?limit=1&${query}`, { as: root })).headers["x-total-count"]);
  const create = (fields: object = {}, as = root, headers: Record<string, string> = {}) =>
    panel.send("POST", "/api/v1/admins", {
      as,
      headers,
      body: { username: `a${++serial}`, password: PASSWORD, role: "admin", ...fields },
    });
  const token = async (body: object = {}) =>
    (await panel.send("POST", "/api/tokens", { as: root, body })).body as { id: number; token: string };

  // rules admins.audit.1, admins.audit.2
  test("a record says who did what to what, when and from where", async () => {
    const made = await create({ username: "anna" });
    expect(await newest()).toEqual({
      id: expect.any(Number),
      time: now(),
      actor: "root",
      adminId: rootId,
      via: "session",
      tokenId: 0,
      ip: "192.0.2.1",
      key: "admins",
      entityId: String(made.body["id"]),
      action: "create",
      obj: expect.objectContaining({ username: "anna", role: "admin" }),
    });
    await panel.send("PUT", `/api/admins/${String(made.body["id"])}`, {
      as: root,
      body: { username: "anne", role: "admin", expiry: 9 },
    });
    expect(await newest()).toMatchObject({ action: "update", obj: { username: ["anna", "anne"], expiry: [0, 9] } });
    await panel.send("DELETE", `/api/admins/${String(made.body["id"])}`, { as: root });
    expect(await newest()).toMatchObject({ action: "delete", obj: { username: "anne", expiry: 9 } });
  });

  // rule admins.audit.1
  test("a token's changes are its account's, and say which token it was", async () => {
    const { id, token: text } = await token();
    await create({}, text);
    expect(await newest()).toMatchObject({ actor: "root", adminId: rootId, via: "token", tokenId: id });
  });

  // rule admins.audit.1
  test("the command line's changes are recorded as its own", async () => {
    const { settings, database } = panel;
    const { commits, reads } = database;
    const secretKey = new Uint8Array(32);
    const certificates = panelCertificates(secretKey, () => panel.clock.now);
    const deps = {
      settings,
      commits,
      reads,
      outbox: new Outbox({ record: () => {} }),
      secretKey,
      privatePlaces: [],
      certificates,
      routes: [],
    };
    const run = (command: string, values: Record<string, string>) => runCommand(deps, command, values);
    await run("admin create", { username: "cliff", password: PASSWORD, role: "admin" });
    const cli = { actor: "command line", adminId: 0, via: "cli", tokenId: 0, ip: "", key: "admins" };
    expect(await newest()).toMatchObject({ ...cli, action: "create", obj: { username: "cliff", role: "admin" } });
    await run("admin reset-password", { username: "cliff", password: "another password" });
    expect(await newest()).toMatchObject({ ...cli, action: "password" });
    await run("settings set", { key: "sub_title", value: "from the shell" });
    expect(await newest()).toMatchObject({ ...cli, key: "settings", entityId: "sub_title", action: "update" });
  });

  // rule admins.audit.3
  test("what is refused is not recorded, what is replayed is recorded once", async () => {
    const before = await count();
    expect((await create({ username: "no such name!" })).status).toBe(400);
    expect((await create({ username: "ROOT" })).status).toBe(400);
    expect((await panel.send("DELETE", `/api/admins/${rootId}`, { as: root })).status).toBe(400);
    expect((await panel.send("DELETE", "/api/admins/424242", { as: root })).status).toBe(404);
    expect(await count()).toBe(before);
    const twice = { username: "once" };
    for (let time = 0; time < 2; time++)
      expect((await create(twice, root, { "idempotency-key": "k1" })).status).toBe(200);
    expect(await count()).toBe(before + 1);
  });

  // rules admins.audit.4, certificates.secret.7
  test("secrets are not in it: neither in what routes record, nor in what was written before, however deep", async () => {
    const secret = "hunter2-hunter2";
    await create({ password: secret });
    await panel.send("PUT", "/api/settings/acme_eab_key", { as: root, body: { value: secret } });
    const { token: text } = await token({ desc: "billing" });
    const log = await panel.send("GET", "/api/changes", { as: root });
    expect(log.text).not.toContain(secret);
    expect(log.text).not.toContain(text);
    const stored = await panel.database.reads.query<{ obj: unknown }>(sql`select obj from changes`);
    expect(JSON.stringify(stored)).not.toContain(secret);
    const names = [
      "password",
      "clientSecret",
      "token",
      "key",
      "privateKey",
      "private_key",
      "passphrase",
      "apiKey",
      "preSharedKey",
      "seed",
      "uuid",
    ];
    const old = {
      id: 4_000_000,
      time: now(),
      actor: "old",
      adminId: 0,
      via: "system",
      tokenId: 0,
      ip: "",
      collection: "old",
      entityId: "",
      action: "old",
    } as const;
    const sealed = sealSecret(Buffer.alloc(32, 1), "plain", { table: "sessions", column: "enrolment", id: 1 });
    const obj = {
      ...Object.fromEntries(names.map((name) => [name, secret])),
      nested: { list: [{ config: { password: [secret, "other"] } }] },
      row: { enrolment: sealed, value: ["before", sealed] },
      publicKey: "shown",
      tokenId: 5,
      secretSet: true,
      tokenUrl: "https://shown.example",
    };
    await panel.database.commits.submit({
      name: "test",
      locks: [],
      decide: (draft) => draft.insert(ChangeRows, { ...old, obj }),
    });
    const [shown] = await changes("actor=old");
    expect(shown?.obj).toEqual({
      ...Object.fromEntries(names.map((name) => [name, "[redacted]"])),
      nested: { list: [{ config: { password: ["[redacted]", "[redacted]"] } }] },
      row: { enrolment: "[redacted]", value: ["before", "[redacted]"] },
      publicKey: "shown",
      tokenId: 5,
      secretSet: true,
      tokenUrl: "https://shown.example",
    });
  });

  // rule admins.audit.5
  test("filters: exact actor, entity type and action, inclusive times, q, updated_since, and all together", async () => {
    panel.clock.now += 60_000;
    const from = now();
    const { token: text } = await token({ desc: "filters" });
    await create({ username: "filtered" }, text);
    panel.clock.now += 60_000;
    const to = now();
    await panel.send("PUT", "/api/settings/sub_title", { as: root, body: { value: "filters" } });
    expect((await changes(`from=${from}`)).map(({ key }) => key)).toEqual(["settings", "admins", "tokens"]);
    expect((await changes(`updated_since=${to}`)).map(({ key }) => key)).toEqual(["settings"]);
    expect((await changes(`from=${from}&to=${to - 1}`)).map(({ key }) => key)).toEqual(["admins", "tokens"]);
    expect(
      (await changes(`from=${from}&to=${to}&key=settings&action=update&actor=root`)).map(({ entityId }) => entityId),
    ).toEqual(["sub_title"]);
    expect(await count(`from=${from}&q=SUB_TI`)).toBe(1);
    expect(await count("actor=roo")).toBe(0);
    expect(await count("actor=ROOT")).toBe(0);
    for (const bad of ["from=x", "to=-1", "from=1.5", "limit=0", "offset=-1"])
      expect((await panel.send("GET", `/api/v1/changes?${bad}`, { as: root })).status, bad).toBe(400);
  });

  // rule admins.audit.5
  test("newest first, in pages", async () => {
    const all = await changes();
    const order = all.map(({ time, id }) => [time, id] as const);
    expect(order).toEqual(order.toSorted(([t1, i1], [t2, i2]) => t2 - t1 || i2 - i1));
    const page = (await panel.send("GET", "/api/v1/changes?limit=2&offset=1", { as: root })).body;
    expect(page).toEqual({ items: all.slice(1, 3), total: all.length, limit: 2, offset: 1 });
  });

  // rule admins.audit.5
  test("facets: every actor, entity type and action once, under both names", async () => {
    const all = await changes();
    const distinct = (member: (change: Change) => string) => [...new Set(all.map(member))].toSorted();
    const expected = {
      actors: distinct((c) => c.actor),
      keys: distinct((c) => c.key),
      actions: distinct((c) => c.action),
    };
    for (const name of ["facets", "facetsj"])
      expect((await panel.send("GET", `/api/v1/changes/${name}`, { as: root })).body).toEqual(expected);
  });

  // rule admins.audit.2
  test("actions are a closed set: the filter knows it", async () => {
    expect((await panel.send("GET", "/api/v1/changes?action=delete", { as: root })).status).toBe(200);
    const unknown = await panel.send("GET", "/api/v1/changes?action=deleted", { as: root });
    expect([unknown.status, unknown.body]).toMatchObject([400, { field: "action", issues: [{ code: "choice" }] }]);
  });

  // rule admins.audit.6
  test("a purge takes what is older than its time, or everything, and is itself on record", async () => {
    panel.clock.now += 60_000;
    const before = now();
    const older = await count(`to=${before - 1}`);
    await create();
    const purged = await panel.send("DELETE", `/api/changes?before=${before}`, { as: root });
    expect(purged.body).toEqual({ deleted: older });
    expect(await changes()).toMatchObject([
      { key: "changes", action: "delete", actor: "root", via: "session", obj: { before, deleted: older } },
      { key: "admins", action: "create" },
    ]);
    expect((await panel.send("DELETE", "/api/changes", { as: root })).body).toEqual({ deleted: 2 });
    expect(await changes()).toMatchObject([{ key: "changes", obj: { before: 0, deleted: 2 } }]);
    expect((await panel.send("DELETE", "/api/changes?before=soon", { as: root })).status).toBe(400);
  });

  // rule admins.audit.7
  test("while logging is off nothing is recorded, but that it was switched off, and who empties the log", async () => {
    const write = (value: string) => panel.send("PUT", "/api/settings/changes_logging", { as: root, body: { value } });
    expect((await write("false")).status).toBe(200);
    expect(await newest()).toMatchObject({
      key: "settings",
      entityId: "changes_logging",
      obj: { value: ["true", "false"] },
    });
    const before = await count();
    expect((await create()).status).toBe(200);
    expect(await count()).toBe(before);
    await panel.send("DELETE", "/api/changes", { as: root });
    expect(await changes()).toMatchObject([{ key: "changes", action: "delete" }]);
    await write("true");
    await create();
    expect(await newest()).toMatchObject({ key: "admins" });
  });

  // rule admins.audit.8
  test("records older than changes_retention_days go with the hourly housekeeping; 0 keeps them", async () => {
    const write = (value: string) =>
      panel.send("PUT", "/api/settings/changes_retention_days", { as: root, body: { value } });
    await create({ username: "kept1" });
    await write("2");
    panel.clock.now += 3 * 86_400_000;
    root = String((await panel.send("POST", "/api/login", { body: { username: "root", password: PASSWORD } })).cookie);
    await write("0");
    await panel.access.prune();
    expect(await count("action=create")).toBeGreaterThan(0);
    await write("2");
    await panel.access.prune();
    expect(await count("action=create")).toBe(0);
    expect(await count("key=settings")).toBe(2);
  });

  // rule admins.audit.9
  test("it is read and emptied by main admins with admins:write alone", async () => {
    const { token: narrow } = await token({ scopes: ["settings:write"] });
    for (const [method, url] of [
      ["GET", "/api/changes"],
      ["GET", "/api/changes/facets"],
      ["DELETE", "/api/changes"],
    ] as const)
      expect((await panel.send(method, url, { as: narrow })).status).toBe(403);
  });
});
