// Users over HTTP: create, read, replace, patch, delete, and who may.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LATEST } from "../../src/lib/moments.ts";
import { dialects } from "../database.ts";
import { DAY, START, TestPanel } from "./panel.ts";

describe.each(dialects)("users on %s", (dialect) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  // rules users.create.1, users.create.2, users.create.3, users.create.5
  test("a bare create generates what is missing", async () => {
    const user = await panel.ok("POST", "/users", { name: "bare", unknown: 1, activatedAt: 5, nextReset: 5 });
    expect(user).toMatchObject({
      enable: true,
      allTemplates: true,
      templateIds: [],
      contact: {},
      licensed: true,
      activatedAt: 0,
      nextReset: 0,
      lastInbound: "",
    });
    expect(user.config.flow).toBe("xtls-rprx-vision");
    expect(Buffer.from(user.config.ss16, "base64")).toHaveLength(16);
    expect(Buffer.from(user.config.ss32, "base64")).toHaveLength(32);
    expect(user.config.password).toMatch(/^[\w-]{22}$/);
    expect(user.subId).toMatch(/^[A-Za-z0-9]{16}$/);
    expect(user.subToken).toMatch(/^[0-9a-f]{32}$/);
    expect(user.subUrl).toBe(`https://panel.example/sub/${user.subId}`);
    expect(await panel.ok("GET", `/users/${user.id}`)).toEqual(user);
  });

  // rule users.create.1
  test("supplied credentials are kept exactly, and one of the four means no flow", async () => {
    const { config } = await panel.ok("POST", "/users", { name: "given", config: { password: "hunter2", extra: [1] } });
    expect(config).toMatchObject({ password: "hunter2", extra: [1] });
    expect(config).not.toHaveProperty("flow");
    expect((await panel.ok("POST", "/users", { name: "no flow", config: { flow: "" } })).config.flow).toBe("");
    const { status, body } = await panel.call("POST", "/users", { name: "bad", config: { ss16: "AAAA" } });
    expect([status, body.field]).toEqual([400, "config.ss16"]);
  });

  // rule users.create.4
  test("what is unique is 400 duplicate with its field", async () => {
    await panel.ok("POST", "/users", { name: "twin", subId: "twin-sub" });
    expect((await panel.call("POST", "/users", { name: "twin" })).body).toMatchObject({
      code: "duplicate",
      field: "name",
    });
    expect((await panel.call("POST", "/users", { name: "twin2", subId: "twin-sub" })).body).toMatchObject({
      code: "duplicate",
      field: "subId",
    });
  });

  // rules users.create.4, users.create.8, users.change.5, users.reset.2
  test.each([
    ["name", { name: "" }],
    ["name", { name: "a\u0007b" }],
    ["volume", { name: "v", volume: -1 }],
    ["volume", { name: "v", volume: 1.5 }],
    ["volume", { name: "v", volume: "1" }],
    ["subId", { name: "v", subId: "no spaces" }],
    ["adminId", { name: "v", adminId: -2 }],
    ["planId", { name: "v", planId: 4 }],
    ["templateIds", { name: "v", templateIds: [12345] }],
    ["resetStartDay", { name: "v", resetPeriod: "weekly", resetStartDay: 7 }],
    ["resetStartDay", { name: "v", resetPeriod: "monthly", resetStartDay: 0 }],
    ["resetPeriod", { name: "v", resetPeriod: "daily" }],
    ["config.flow", { name: "v", config: { flow: "xtls-rprx-direct" } }],
    ["contact.email", { name: "v", contact: { email: "nobody" } }],
    ["contact.telegram_id", { name: "v", contact: { telegram_id: "two words" } }],
    ["contact", { name: "v", contact: Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`k${n}`, "x"])) }],
    ["contact", { name: "v", contact: { ["k".repeat(49)]: "x" } }],
    ["contact.note", { name: "v", contact: { note: "x".repeat(257) } }],
    [
      "contact",
      { name: "v", contact: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`k${n}`, "x".repeat(250)])) },
    ],
  ])("a bad %s is 400 (%j)", async (field, body) => {
    const answer = await panel.call("POST", "/users", body);
    expect([answer.status, answer.body.field]).toEqual([400, field]);
  });

  // rule users.change.4
  test("contact values become text; PATCH merges key by key, PUT replaces", async () => {
    const { id, contact } = await panel.ok("POST", "/users", {
      name: "contact",
      contact: { telegram_id: 12345, vip: true, empty: "" },
    });
    expect(contact).toEqual({ telegram_id: "12345", vip: "true" });
    const patched = await panel.ok("PATCH", `/users/${id}`, { contact: { vip: "", email: "a@b.example" } });
    expect(patched.contact).toEqual({ telegram_id: "12345", email: "a@b.example" });
    expect(
      (await panel.ok("PUT", `/users/${id}`, { name: "contact", contact: { phone: "+98 21 123" } })).contact,
    ).toEqual({
      phone: "+98 21 123",
    });
  });

  // rule users.change.5
  test.each(["(021) 555-1234", "+98 21 123", "112"])("%s is a phone number", async (phone) => {
    expect(await panel.ok("POST", "/users", { name: `phone ${phone}`, contact: { phone } })).toMatchObject({
      contact: { phone },
    });
  });

  // rules users.change.1, users.change.2, http.body.4
  test("PATCH writes the fields sent and nothing for what is unchanged", async () => {
    const user = await panel.ok("POST", "/users", { name: "patch", volume: 10, group: "g" });
    expect(await panel.ok("PATCH", `/users/${user.id}`, { volume: 10, name: "patch" })).toEqual(user);
    const once = await panel.ok("PATCH", `/users/${user.id}`, { volume: 20 });
    const twice = await panel.ok("PATCH", `/users/${user.id}`, { desc: "x", version: once.updatedAt });
    expect([once.updatedAt, twice.updatedAt]).toEqual([user.updatedAt + 1, user.updatedAt + 2]);
    expect(twice).toEqual({ ...user, volume: 20, desc: "x", updatedAt: user.updatedAt + 2 });
    const stale = await panel.call("PATCH", `/users/${user.id}`, { desc: "y", version: once.updatedAt });
    expect(stale).toMatchObject({ status: 409, body: { code: "version_conflict", current: twice } });
    for (const field of ["up", "totalDown", "subToken", "planId", "nonsense", "id"]) {
      expect(await panel.call("PATCH", `/users/${user.id}`, { [field]: 1 })).toMatchObject({
        status: 400,
        body: { field },
      });
    }
    expect((await panel.call("PATCH", "/users/999999", { desc: "z" })).status).toBe(404);
  });

  // rule users.change.3
  test("PUT takes defaults for what is absent, except for credentials, subId and owner", async () => {
    const user = await panel.ok("POST", "/users", {
      name: "put",
      volume: 10,
      group: "g",
      subId: "kept",
      adminId: 7,
      desc: "d",
      templateIds: [],
    });
    const put = await panel.ok("PUT", `/users/${user.id}`, {
      name: "put2",
      enable: true,
      config: { password: "other" },
      planId: 99,
    });
    expect(put).toMatchObject({
      name: "put2",
      volume: 0,
      group: "",
      desc: "",
      subId: "kept",
      adminId: 7,
      allTemplates: true,
    });
    expect(put.config).toEqual({ ...user.config, password: "other" });
    expect(await panel.ok("PUT", `/users/${user.id}`, { name: "put2", enable: true })).toEqual(put);
  });

  // rules users.reset.1, users.reset.2, users.reset.3
  test("reset cycles: exactly N days from the write, or the next boundary of the calendar", async () => {
    const rolling = await panel.ok("POST", "/users", {
      name: "rolling",
      autoReset: true,
      resetDays: 30,
      resetCalendar: "jalali",
    });
    expect(rolling).toMatchObject({ nextReset: START + 30 * DAY, resetCalendar: "" });
    const monthly = await panel.ok("POST", "/users", {
      name: "monthly",
      autoReset: true,
      resetPeriod: "monthly",
      resetStartDay: 31,
    });
    expect(monthly.nextReset).toBe(Date.UTC(2026, 2, 31) / 1000);
    const weekly = await panel.ok("PATCH", `/users/${monthly.id}`, { resetPeriod: "weekly", resetStartDay: 0 });
    expect(weekly.nextReset).toBe(Date.UTC(2026, 2, 15) / 1000);
    expect((await panel.call("PATCH", `/users/${monthly.id}`, { resetPeriod: "monthly" })).body).toMatchObject({
      field: "resetStartDay",
    });
    expect(await panel.ok("PATCH", `/users/${monthly.id}`, { nextReset: START + 5 })).toMatchObject({
      nextReset: START + 5,
    });
    expect(await panel.ok("PATCH", `/users/${monthly.id}`, { autoReset: false })).toMatchObject({ nextReset: 0 });
  });

  // rules admins.reseller.5, users.owner.1, users.list.4
  test("a reseller creates for itself and sees its own", async () => {
    panel.reseller("shop", 42);
    const own = await panel.ok("POST", "/users", { name: "shop-1", adminId: 0 }, "shop");
    expect(own.adminId).toBe(42);
    const other = await panel.ok("POST", "/users", { name: "house" });
    expect(await panel.ok("GET", "/users?admin_id=0", undefined, "shop")).toMatchObject({
      total: 1,
      items: [{ id: own.id }],
    });
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/renew"],
      ["POST", "/reset-usage"],
    ] as const) {
      expect(
        (await panel.call(method, `/users/${other.id}${path}`, method === "PATCH" ? {} : undefined, "shop")).status,
      ).toBe(404);
    }
    expect((await panel.call("PATCH", `/users/${own.id}`, { adminId: 0 }, "shop")).status).toBe(403);
    expect(await panel.ok("GET", "/users/summary", undefined, "shop")).toMatchObject({ total: 1 });
  });

  test("an idempotent create happens once", async () => {
    const headers = { "idempotency-key": "k1" };
    const first = await panel.call("POST", "/users", { name: "once" }, "root", headers);
    const second = await panel.call("POST", "/users", { name: "once" }, "root", headers);
    expect(second.body).toEqual(first.body);
    expect(second.headers["idempotent-replay"]).toBe("true");
  });

  // rule users.move.7
  test("a term beyond the largest date ends at it", async () => {
    const user = await panel.ok("POST", "/users", {
      name: "eternal",
      expiry: LATEST - 1,
      termDays: 30,
    });
    expect((await panel.ok("POST", `/users/${user.id}/renew`)).expiry).toBe(LATEST);
    const late = await panel.ok("POST", "/users", { name: "late", duration: 36_500 * DAY });
    await panel.ok("PATCH", `/users/${late.id}`, { activatedAt: 5, expiry: 9 });
    await panel.ok("POST", `/users/${late.id}/renew`);
    await panel.ok("GET", `/users/${late.id}`);
  });

  // rule users.renew.4
  test("a renewal says by how much it would extend, and may be given another end", async () => {
    const ends = 86_400 * 400_000;
    const user = await panel.ok("POST", "/users", { name: "chosen", expiry: ends, termDays: 31 });
    expect(user.term).toBe(31 * 86_400);
    expect((await panel.ok("POST", `/users/${user.id}/renew`)).expiry).toBe(ends + user.term);
    expect((await panel.ok("POST", `/users/${user.id}/renew`, { expiry: ends + 5 })).expiry).toBe(ends + 5);
    const past = await panel.call("POST", `/users/${user.id}/renew`, { expiry: 1 });
    expect([past.status, past.body.field]).toEqual([400, "expiry"]);
    const waiting = await panel.ok("POST", "/users", { name: "chosen-later", duration: 60 });
    expect(waiting.term).toBe(60);
    const early = await panel.call("POST", `/users/${waiting.id}/renew`, { expiry: ends });
    expect([early.status, early.body.field]).toEqual([400, "expiry"]);
    const off = await panel.ok("POST", "/users", { name: "chosen-late", volume: 5 });
    expect(off.term).toBe(0);
    expect(await panel.ok("POST", `/users/${off.id}/renew`, { expiry: ends })).toMatchObject({
      expiry: ends,
      enable: true,
    });
  });

  // rule users.create.6
  test("a batch creates what it can and lists the rest", async () => {
    const users = [
      ...Array.from({ length: 150 }, (_, n) => ({ name: `batch-${n}` })),
      { name: "batch-3" },
      { volume: 1 },
      { name: "batch-x", templateIds: [9999] },
      { name: "twin" },
    ];
    const { created, problems } = await panel.ok("POST", "/users/batch", { users });
    expect(created).toHaveLength(150);
    expect(problems.map((problem: { index: number }) => problem.index)).toEqual([150, 151, 152, 153]);
    expect(problems[1].error).toMatch(/^name: /);
    expect(panel.audits.at(-1)).toMatchObject({ key: "users", action: "batch", obj: { created: 150 } });
  });

  // rule users.change.7
  test("the audit log says what changed, without credentials", async () => {
    const user = await panel.ok("POST", "/users", { name: "audited" });
    await panel.ok("PATCH", `/users/${user.id}`, { volume: 3, config: { password: "secret" } });
    const [created, updated] = panel.audits.slice(-2);
    expect(created).toMatchObject({ key: "users", action: "create", entityId: String(user.id) });
    const hidden = "[redacted]";
    expect(created?.obj).toMatchObject({
      config: { uuid: hidden, password: hidden, ss16: hidden, ss32: hidden, flow: "xtls-rprx-vision" },
      subToken: hidden,
      subId: hidden,
    });
    expect(updated).toMatchObject({ action: "update" });
    expect(updated?.obj).toEqual({ volume: [0, 3], config: [{ password: hidden }, { password: hidden }] });
    for (const secret of [...Object.values<string>(user.config).slice(0, 4), user.subToken, user.subId, "secret"])
      expect(JSON.stringify([created, updated])).not.toContain(secret);
    const by = { trojan: { password: "of trojan" } };
    await panel.ok("PATCH", `/users/${user.id}`, { config: { by, flow: "" } });
    expect(panel.audits.at(-1)?.obj).toEqual({
      config: [{ flow: "xtls-rprx-vision" }, { flow: "", by: hidden }],
    });
    await panel.ok("POST", `/users/${user.id}/sub/rotate`, {});
    expect(panel.audits.at(-1)?.obj).toEqual({ subToken: [hidden, hidden], subId: [hidden, hidden] });
  });

  // rule users.list.5
  test("usage moves are told once per cursor, and those of one transaction together", async () => {
    await panel.advance(5);
    const { cursor } = await panel.ok("GET", "/users/usage?limit=10000");
    const [a, b] = await Promise.all([
      panel.ok("POST", "/users", { name: "moves-a" }),
      panel.ok("POST", "/users", { name: "moves-b" }),
    ]);
    expect(await panel.ok("GET", `/users/usage?since=${cursor}`)).toEqual({ cursor, rows: [] });
    await panel.advance(5);
    const next = await panel.ok("GET", `/users/usage?since=${cursor}&limit=1`);
    expect(next.rows).toEqual(
      [a.id, b.id].toSorted((x, y) => x - y).map((id) => ({ id, up: 0, down: 0, onlineAt: 0 })),
    );
    expect(await panel.ok("GET", `/users/usage?since=${next.cursor}`)).toEqual({ cursor: next.cursor, rows: [] });
  });
});
