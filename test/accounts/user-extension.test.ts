// Volume and time added to an account: what grows, what comes back, whose ceilings hold.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resellerOwners } from "../../src/accounts/testing.ts";
import { sql } from "../../src/db/index.ts";
import { EventRows } from "../../src/runtime/index.ts";
import { dialects } from "../database.ts";
import { DAY, START, TestPanel } from "./panel.ts";
import { reseller } from "./resellers.ts";

describe.each(dialects)("extending on %s", (dialect) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect, resellerOwners);
    await panel.supervisor.start();
  });
  afterAll(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  const make = async (name: string, body: object = {}) => panel.ok("POST", "/users", { name, ...body });
  const extend = async (id: number, body: object, token?: string) =>
    panel.call("POST", `/users/${id}/extend`, body, token);
  const lastEvent = async (id: number) => {
    const rows = await panel.database.reads.rows(
      EventRows,
      sql`select * from events where subject = ${`user:${id}`} order by id desc limit 1`,
    );
    return [rows[0]?.event, JSON.parse(rows[0]?.data ?? "{}")];
  };

  // rule users.extend.1
  test("bytes are added to a volume, seconds to the later of now and the date; counters stay", async () => {
    const { id } = await make("both", { volume: 100, expiry: START + 30 * DAY, termDays: 30 });
    await panel.traffic(id, 10, 20);
    const { body } = await extend(id, { bytes: 50, seconds: DAY });
    expect(body).toMatchObject({ volume: 150, expiry: START + 31 * DAY, up: 10, down: 20, term: 30 * DAY });
    expect(panel.audits.at(-1)).toMatchObject({
      key: "users",
      action: "extend",
      entityId: String(id),
      obj: { volume: [100, 150], expiry: [START + 30 * DAY, START + 31 * DAY] },
    });
    expect(await lastEvent(id)).toEqual([
      "user.renewed",
      expect.objectContaining({ userId: id, volume: 150, expiry: START + 31 * DAY, extended: true }),
    ]);
    const free = await make("unlimited", { expiry: START + DAY });
    expect((await extend(free.id, { bytes: 50 })).body).toEqual(free);
    expect((await extend(free.id, { bytes: 50, seconds: 7 })).body).toMatchObject({
      volume: 0,
      expiry: START + DAY + 7,
    });
    expect((await extend(id, { bytes: Number.MAX_SAFE_INTEGER })).body.volume).toBe(Number.MAX_SAFE_INTEGER);
  });

  // rule users.extend.1
  test("one of the two is needed, and none is negative; nothing added is no change", async () => {
    const user = await make("needs", { volume: 5 });
    for (const [body, field] of [
      [{}, "bytes"],
      [{ bytes: -1 }, "bytes"],
      [{ bytes: 1.5 }, "bytes"],
      [{ seconds: "1" }, "seconds"],
    ] as const)
      expect(await extend(user.id, body)).toMatchObject({ status: 400, body: { field } });
    expect((await panel.call("POST", `/users/${user.id}/extend`)).status).toBe(400);
    expect((await extend(user.id, { bytes: 0 })).body).toEqual(user);
    expect(await panel.events(user.id)).toEqual(["user.created"]);
    expect((await extend(999_999, { bytes: 1 })).status).toBe(404);
  });

  // rule users.extend.2
  test("before the first use the length grows; without any end there is nothing to extend", async () => {
    const waiting = await make("waiting", { duration: 30 * DAY });
    expect((await extend(waiting.id, { seconds: 2 * DAY })).body).toMatchObject({
      duration: 32 * DAY,
      term: 30 * DAY,
      expiry: 0,
      activatedAt: 0,
    });
    expect((await panel.rows(waiting.id)).user?.mstate).toBe("enabled.waiting");
    const endless = await make("endless", { volume: 5 });
    expect(await extend(endless.id, { bytes: 5, seconds: DAY })).toMatchObject({
      status: 409,
      body: { code: "nothing_to_extend" },
    });
    expect(await panel.ok("GET", `/users/${endless.id}`)).toEqual(endless);
  });

  // rule users.extend.3
  test("what the panel switched off comes back where that is enough, a person's off stays", async () => {
    const spent = await make("spent", { volume: 100 });
    await panel.traffic(spent.id, 60, 60);
    await panel.until(spent.id, (user) => user.disabledReason === "volume");
    expect((await extend(spent.id, { bytes: 20 })).body).toMatchObject({ enable: false, disabledReason: "volume" });
    expect((await extend(spent.id, { bytes: 1 })).body).toMatchObject({ enable: true, volume: 121, up: 60 });
    expect(await panel.events(spent.id)).toEqual([
      "user.created",
      "user.disabled",
      "user.quota_reached",
      "user.renewed",
      "user.enabled",
      "user.renewed",
    ]);
    const past = await make("past", { expiry: START + 1, volume: 10 });
    await panel.advance(2);
    await panel.until(past.id, (user) => user.disabledReason === "expiry");
    expect((await extend(past.id, { bytes: 5 })).body).toMatchObject({ enable: false });
    const { body } = await extend(past.id, { seconds: DAY });
    expect(body).toMatchObject({ enable: true, expiry: Math.floor(panel.clock.now() / 1000) + DAY });
    const manual = await make("manual", { volume: 10, enable: false });
    expect((await extend(manual.id, { bytes: 5 })).body).toMatchObject({ enable: false, volume: 15 });
  });

  // rule users.extend.4
  test("the owner's ceilings hold, and a repeat under one key is the first answer", async () => {
    await reseller(panel, 30, { maxDuration: 30 * DAY });
    await reseller(panel, 31, {}, { plansOnly: true });
    await reseller(panel, 32, {}, { usersReadOnly: true });
    for (const id of [30, 31, 32]) panel.reseller(`shop-${id}`, id);
    const now = Math.floor(panel.clock.now() / 1000);
    const own = await make("own", { adminId: 30, expiry: now + 20 * DAY, volume: 5 });
    expect(await extend(own.id, { seconds: 11 * DAY }, "shop-30")).toMatchObject({
      status: 403,
      body: { field: "expiry" },
    });
    expect((await extend(own.id, { seconds: 9 * DAY, bytes: 1 }, "shop-30")).status).toBe(200);
    expect((await extend(own.id, { seconds: 9 * DAY })).status).toBe(403);
    const waiting = await make("own-waiting", { adminId: 30, duration: 20 * DAY });
    expect(await extend(waiting.id, { seconds: 11 * DAY }, "shop-30")).toMatchObject({
      status: 403,
      body: { field: "duration" },
    });
    expect((await extend(waiting.id, { seconds: 10 * DAY }, "shop-30")).body.duration).toBe(30 * DAY);
    for (const adminId of [31, 32]) {
      const theirs = await make(`theirs-${adminId}`, { adminId, volume: 5 });
      expect((await extend(theirs.id, { bytes: 1 }, `shop-${adminId}`)).status).toBe(403);
      expect((await extend(theirs.id, { bytes: 1 }, "shop-30")).status).toBe(404);
    }
    const headers = { "idempotency-key": "top-up" };
    const first = await panel.call("POST", `/users/${own.id}/extend`, { bytes: 4 }, "shop-30", headers);
    const second = await panel.call("POST", `/users/${own.id}/extend`, { bytes: 4 }, "shop-30", headers);
    expect([first.body.volume, second.body, second.headers["idempotent-replay"]]).toEqual([10, first.body, "true"]);
  });

  // rule users.extend.5
  test("what many add at once adds up, beside edits of other fields", async () => {
    const { id } = await make("many", { volume: 100, duration: 5 });
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => extend(id, { bytes: 3, seconds: 1 })),
      panel.call("PATCH", `/users/${id}`, { desc: "beside" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await panel.ok("GET", `/users/${id}`)).toMatchObject({ volume: 160, duration: 25, desc: "beside" });
  });
});
