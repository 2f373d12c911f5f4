// Account moves: each row of the table, over a supervisor on a real database.
import { afterEach, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { sql } from "../../src/db/index.ts";
import { JournalRows } from "../../src/runtime/index.ts";
import { DAY, START, TestPanel } from "./panel.ts";

describe.each(dialects)("account moves on %s", (dialect) => {
  let panel: TestPanel;
  const open = async () => {
    panel = await TestPanel.open(dialect);
    await panel.supervisor.start();
    return panel;
  };
  afterEach(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  // rule users.move.1
  test("a person's off is never undone", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "manual", volume: 100, autoReset: true, resetDays: 1 });
    expect(await panel.ok("PATCH", `/users/${id}`, { enable: false })).toMatchObject({
      enable: false,
      disabledReason: "manual",
    });
    await panel.ok("PATCH", `/users/${id}`, { volume: 1000, expiry: START + 100 * DAY });
    await panel.ok("POST", `/users/${id}/reset-usage`);
    await panel.ok("POST", `/users/${id}/renew`, { days: 30 });
    await panel.advance(3 * DAY);
    expect(await panel.ok("GET", `/users/${id}`)).toMatchObject({ enable: false, disabledReason: "manual" });
    expect(await panel.ok("PATCH", `/users/${id}`, { enable: true })).toMatchObject({
      enable: true,
      disabledReason: "",
    });
    expect(await panel.events(id)).toEqual([
      "user.created",
      "user.suspended",
      "user.updated",
      "user.renewed",
      "user.resumed",
    ]);
  });

  // rule users.move.7
  test("a stored plan longer than time itself ends at the largest date", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "endless", duration: 1 });
    // Writes what a version that accepted such a plan left behind.
    const longest = sql`update users set duration = ${Number.MAX_SAFE_INTEGER} where id = ${id}`;
    const { commits, reads } = panel.database;
    await commits.execute({ name: "test", statements: [reads.statement("longest", longest)] });
    await panel.traffic(id, 1, 1);
    const started = await panel.until(id, (user) => user.activatedAt > 0);
    expect(started.expiry).toBe(Number.MAX_SAFE_INTEGER);
  });

  // rule users.move.2
  test("the volume reached by counted traffic switches off; a larger volume brings back", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "volume", volume: 1000 });
    await panel.traffic(id, 400, 500);
    expect((await panel.rows(id)).user?.mstate).toBe("enabled.started");
    await panel.traffic(id, 50, 50);
    const off = await panel.until(id, (user) => !user.enable);
    expect(off).toMatchObject({ disabledReason: "volume", up: 450, down: 550 });
    expect(off.updatedAt).toBeGreaterThan(START);
    expect(await panel.ok("PATCH", `/users/${id}`, { volume: 5000 })).toMatchObject({
      enable: true,
      disabledReason: "",
    });
    expect(await panel.events(id)).toEqual(["user.created", "user.disabled", "user.quota_reached", "user.enabled"]);
  });

  // rule users.move.3
  test("the date passed switches off at its second; a later date brings back", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "expiry", expiry: START + 40 * DAY });
    await panel.advance(40 * DAY - 1);
    expect(await panel.ok("GET", `/users/${id}`)).toMatchObject({ enable: true });
    await panel.advance(1);
    await panel.until(id, (user) => user.disabledReason === "expiry");
    await panel.ok("PATCH", `/users/${id}`, { expiry: START + 50 * DAY });
    expect(await panel.ok("GET", `/users/${id}`)).toMatchObject({ enable: true, disabledReason: "" });
    expect(await panel.events(id)).toEqual(["user.created", "user.disabled", "user.expired", "user.enabled"]);
  });

  // rule users.move.4
  test("the first traffic starts a plan; setting the duration anew arms it again", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "plan", duration: 10 * DAY, expiry: START + DAY });
    // A provisional date switches nobody off.
    await panel.advance(2 * DAY);
    expect((await panel.rows(id)).user?.mstate).toBe("enabled.waiting");
    await panel.traffic(id, 1, 0);
    const started = await panel.until(id, (user) => user.activatedAt > 0);
    expect(started).toMatchObject({ activatedAt: START + 2 * DAY, expiry: START + 12 * DAY });
    expect(await panel.ok("PATCH", `/users/${id}`, { duration: 10 * DAY })).toMatchObject({
      activatedAt: START + 2 * DAY,
    });
    expect(await panel.ok("PATCH", `/users/${id}`, { duration: 20 * DAY })).toMatchObject({ activatedAt: 0 });
    expect((await panel.rows(id)).user?.mstate).toBe("enabled.waiting");
    await panel.traffic(id, 0, 1);
    const again = await panel.until(id, (user) => user.activatedAt > 0);
    expect(again.expiry).toBe(again.activatedAt + 20 * DAY);
    expect(await panel.events(id)).toEqual(["user.created", "user.activated", "user.updated", "user.activated"]);
  });

  // rules users.move.5, users.change.7
  test("a reset of the counters brings back, by hand and by its cycle", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "cycle", volume: 10, autoReset: true, resetDays: 3 });
    await panel.traffic(id, 10, 0);
    await panel.until(id, (user) => user.disabledReason === "volume");
    expect(await panel.ok("POST", `/users/${id}/reset-usage`)).toMatchObject({ enable: true, up: 0, totalUp: 10 });
    expect(panel.audits.at(-1)?.obj).toMatchObject({ up: [10, 0], enable: [false, true] });
    await panel.traffic(id, 0, 10);
    await panel.until(id, (user) => user.disabledReason === "volume");
    await panel.advance(3 * DAY);
    const back = await panel.until(id, (user) => user.enable);
    expect(back).toMatchObject({ up: 0, down: 0, totalDown: 10, nextReset: START + 6 * DAY });
    expect(await panel.events(id)).toEqual([
      "user.created",
      "user.disabled",
      "user.quota_reached",
      "user.enabled",
      "user.renewed",
      "user.disabled",
      "user.quota_reached",
      "user.enabled",
    ]);
  });

  // rule users.renew.1
  test("a renewal adds the term to the later of now and the date", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", {
      name: "renew",
      expiry: START + 5 * DAY,
      termDays: 30,
      volume: 5,
    });
    expect(await panel.ok("POST", `/users/${id}/renew`)).toMatchObject({ expiry: START + 35 * DAY });
    await panel.advance(70 * DAY);
    await panel.until(id, (user) => user.disabledReason === "expiry");
    expect(await panel.ok("POST", `/users/${id}/renew`)).toMatchObject({ enable: true, expiry: START + 100 * DAY });
    expect(await panel.events(id)).toEqual([
      "user.created",
      "user.renewed",
      "user.disabled",
      "user.expired",
      "user.enabled",
      "user.renewed",
    ]);
    expect((await panel.call("POST", `/users/${id}/renew`, { planId: 3 })).body).toMatchObject({ field: "planId" });
  });

  // rule users.renew.2
  test("an account that has not started gets a longer term: each renewal adds one length", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "waiting", duration: 30 * DAY, volume: 5 });
    for (const times of [2, 3, 4])
      expect(await panel.ok("POST", `/users/${id}/renew`)).toMatchObject({
        duration: times * 30 * DAY,
        term: 30 * DAY,
        activatedAt: 0,
        expiry: 0,
      });
    // An edit that names the same duration changes nothing; another one is another length.
    expect(await panel.ok("PATCH", `/users/${id}`, { duration: 120 * DAY })).toMatchObject({ term: 30 * DAY });
    expect(await panel.ok("PATCH", `/users/${id}`, { duration: 10 * DAY })).toMatchObject({ term: 10 * DAY });
    expect(await panel.ok("POST", `/users/${id}/renew`)).toMatchObject({ duration: 20 * DAY });
    await panel.ok("PATCH", `/users/${id}`, { activatedAt: START, expiry: START + 20 * DAY });
    expect(await panel.ok("POST", `/users/${id}/renew`)).toMatchObject({
      duration: 20 * DAY,
      expiry: START + 30 * DAY,
    });
    expect(await panel.ok("PATCH", `/users/${id}`, { duration: 0, expiry: 0 })).toMatchObject({ term: 0 });
  });

  // rule users.renew.2
  test("before the start too the counters go to zero and the totals stay", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "counted", duration: 30 * DAY, volume: 100 });
    await panel.traffic(id, 3, 4);
    // Armed again: what it used stands in its counters.
    await panel.ok("PATCH", `/users/${id}`, { duration: 20 * DAY });
    expect(await panel.ok("GET", `/users/${id}`)).toMatchObject({ up: 3, down: 4, activatedAt: 0 });
    expect(await panel.ok("POST", `/users/${id}/renew`)).toMatchObject({
      up: 0,
      down: 0,
      totalUp: 3,
      totalDown: 4,
      duration: 40 * DAY,
      activatedAt: 0,
    });
    await panel.traffic(id, 1, 0);
    expect(await panel.ok("GET", `/users/${id}`)).toMatchObject({ up: 1, totalUp: 4, totalDown: 4 });
  });

  // rule users.renew.3
  test("with neither an end nor a volume there is nothing to renew", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "endless" });
    expect(await panel.call("POST", `/users/${id}/renew`)).toMatchObject({
      status: 409,
      body: { code: "nothing_to_renew" },
    });
    expect(await panel.events(id)).toEqual(["user.created"]);
    await panel.ok("PATCH", `/users/${id}`, { volume: 5 });
    await panel.ok("POST", `/users/${id}/renew`);
  });

  // rule users.renew.6
  test("a term is what was sold, never what is left until a date", async () => {
    await open();
    const plan = await panel.ok("POST", "/plans", { name: "month", days: 30 });
    const dated = { expiry: START + 3 * DAY };
    const sold: readonly (readonly [object, number])[] = [
      [dated, 0],
      [{ expiry: START - 3 * DAY }, 0],
      [{ ...dated, volume: 5 }, 0],
      [{ ...dated, termDays: 0 }, 0],
      [{ ...dated, termDays: 31 }, 31 * DAY],
      [{ duration: 7 * DAY }, 7 * DAY],
      [{ duration: 7 * DAY, termDays: 30 }, 30 * DAY],
      [{ ...dated, termDays: 5, planId: plan.id }, 30 * DAY],
    ];
    for (const [at, [body, term]] of sold.entries()) {
      const user = await panel.ok("POST", "/users", { name: `sold-${at}`, ...body });
      expect(user.term, JSON.stringify(body)).toBe(term);
      const renewed = await panel.call("POST", `/users/${user.id}/renew`, {});
      expect([renewed.status, renewed.body.code]).toEqual(term === 0 ? [409, "no_term"] : [200, undefined]);
      const after = await panel.ok("GET", `/users/${user.id}`);
      const [was, is] = user.duration > 0 ? [user.duration, after.duration] : [user.expiry, after.expiry];
      expect(is).toBe(was + term);
    }
    const { id } = await panel.ok("POST", "/users", { name: "edited", ...dated });
    for (const edit of [{ expiry: START + 90 * DAY }, { expiry: START - DAY }])
      expect(await panel.ok("PATCH", `/users/${id}`, edit)).toMatchObject({ term: 0 });
    await panel.ok("PUT", `/users/${id}`, { name: "edited", enable: true, expiry: START + 9 * DAY, termDays: 4 });
    expect(await panel.ok("GET", `/users/${id}`)).toMatchObject({ term: 0 });
    const answer = await panel.call("PATCH", `/users/${id}`, { termDays: 4 });
    expect(answer.status).toBe(400);
    for (const termDays of [-1, 3651, 1.5, "30"])
      expect((await panel.call("POST", "/users", { name: "x", termDays })).body).toMatchObject({ field: "termDays" });
    const batch = await panel.ok("POST", "/users/batch", { users: [{ name: "of a batch", ...dated, termDays: 2 }] });
    expect(batch.created[0]).toMatchObject({ term: 2 * DAY });
  });

  // rule users.renew.6
  test("days are added as they are asked for, whatever was left or is past, and are the term from then on", async () => {
    await open();
    for (const [at, left] of [3, -40, 0].entries()) {
      const expiry = left === 0 ? 0 : START + left * DAY;
      const { id } = await panel.ok("POST", "/users", { name: `days-${at}`, volume: 5, expiry });
      const renewed = await panel.ok("POST", `/users/${id}/renew`, { days: 30 });
      const end = Math.max(START, expiry) + 30 * DAY;
      expect(renewed).toMatchObject({ expiry: end, term: 30 * DAY, enable: true });
      expect(await panel.ok("POST", `/users/${id}/renew`, {})).toMatchObject({ expiry: end + 30 * DAY });
    }
    const { id } = await panel.ok("POST", "/users", { name: "not begun", duration: 10 * DAY });
    expect(await panel.ok("POST", `/users/${id}/renew`, { days: 30 })).toMatchObject({
      duration: 40 * DAY,
      term: 30 * DAY,
    });
    for (const [body, field] of [
      [{ days: 0 }, "days"],
      [{ days: 3651 }, "days"],
      [{ days: 1.5 }, "days"],
      [{ days: 3, planId: 9 }, "days"],
      [{ days: 3, expiry: START + 9 * DAY }, "days"],
    ] as const) {
      const refused = await panel.call("POST", `/users/${id}/renew`, body);
      expect([refused.status, refused.body.field], JSON.stringify(body)).toEqual([400, field]);
    }
  });

  // rule users.renew.6
  test("without an end a renewal gives the volume again; an end that is taken away takes the term along", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "volume", volume: 5, termDays: 30 });
    await panel.traffic(id, 3, 0);
    expect(await panel.ok("POST", `/users/${id}/renew`, {})).toMatchObject({ up: 0, expiry: 0, term: 30 * DAY });
    await panel.ok("PATCH", `/users/${id}`, { expiry: START + DAY });
    expect(await panel.ok("PATCH", `/users/${id}`, { expiry: 0 })).toMatchObject({ term: 0 });
  });

  // rule users.reset.5
  test("a rolling cycle starts again with a renewal, a reset by hand and the first use; a calendar one stays", async () => {
    await open();
    const rolling = { autoReset: true, resetDays: 30 };
    const calendar = { autoReset: true, resetPeriod: "monthly", resetStartDay: 5 };
    const begins: readonly (readonly [string, object | undefined])[] = [
      ["renew", { days: 30 }],
      ["renew", { expiry: START + 300 * DAY }],
      ["renew", {}],
      ["reset-usage", undefined],
    ];
    for (const [cycle, stays] of [
      [rolling, false],
      [calendar, true],
      [{ ...rolling, autoReset: false }, true],
    ] as const)
      for (const [at, [verb, body]] of begins.entries()) {
        const name = `${JSON.stringify(cycle)} ${at}`;
        const sold = { volume: 50, expiry: START + 200 * DAY, termDays: 30 };
        const { id, nextReset } = await panel.ok("POST", "/users", { name, ...sold, ...cycle });
        await panel.advance(7);
        const now = Math.floor(panel.clock.now() / 1000);
        const after = await panel.ok("POST", `/users/${id}/${verb}`, body);
        expect([name, verb, after.nextReset]).toEqual([name, verb, stays ? nextReset : now + 30 * DAY]);
      }
    const plan = { name: "ninety", days: 90, onFirstUse: true, volume: 50, ...rolling };
    const { id: planId } = await panel.ok("POST", "/plans", plan);
    const { id } = await panel.ok("POST", "/users", { name: "first use", planId });
    await panel.advance(29 * DAY);
    await panel.traffic(id, 1, 0);
    const { activatedAt, nextReset } = await panel.until(id, (user) => user.activatedAt > 0);
    expect(nextReset).toBe(activatedAt + 30 * DAY);
    // Begun by hand it is the same.
    const { id: byHand } = await panel.ok("POST", "/users", { name: "by hand", planId });
    const now = Math.floor(panel.clock.now() / 1000);
    expect(await panel.ok("PATCH", `/users/${byHand}`, { activatedAt: now - DAY, expiry: now + DAY })).toMatchObject({
      nextReset: now + 29 * DAY,
    });
    const moved = { activatedAt: now, nextReset: now + 5 };
    expect(await panel.ok("PATCH", `/users/${byHand}`, moved)).toMatchObject(moved);
  });

  // rule users.move.1
  test("created switched off, it is a person's off; a full replace without `enable` is one too", async () => {
    await open();
    const off = await panel.ok("POST", "/users", { name: "off", enable: false, expiry: START - 1 });
    expect(off).toMatchObject({ enable: false, disabledReason: "manual" });
    expect(await panel.events(off.id)).toEqual(["user.created"]);
    const on = await panel.ok("POST", "/users", { name: "on" });
    expect(await panel.ok("PUT", `/users/${on.id}`, { name: "on" })).toMatchObject({
      enable: false,
      disabledReason: "manual",
    });
  });

  // rules users.change.6, users.move.6
  test("the journal of an account is gapless, and stays after it is deleted", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "journal", volume: 10 });
    await panel.ok("PATCH", `/users/${id}`, { volume: 20 });
    await panel.ok("PATCH", `/users/${id}`, { enable: false });
    await panel.ok("DELETE", `/users/${id}`);
    const rows = await panel.database.reads.rows(
      JournalRows,
      sql`select * from journal where kind = 'user' and actor_id = ${id} order by seq`,
    );
    expect(rows.map((row) => [row.seq, row.fromState, row.toState])).toEqual([
      [1, null, "enabled.started"],
      [2, "enabled.started", "enabled.started"],
      [3, "enabled.started", "disabled.manual"],
      [4, "disabled.manual", "deleted"],
    ]);
    expect(await panel.rows(id)).toEqual({ user: undefined, usage: undefined });
    expect(await panel.events(id)).toEqual(["user.created", "user.updated", "user.suspended", "user.deleted"]);
  });
});
