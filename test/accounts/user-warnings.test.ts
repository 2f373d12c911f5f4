// Warnings before a limit: once for each volume and share, once for each window before a date, and again when what was
// warned of has changed.
import { afterEach, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { EventRows } from "../../src/runtime/index.ts";
import { dialects } from "../database.ts";
import { DAY, START, TestPanel } from "./panel.ts";

describe.each(dialects)("warnings on %s", (dialect) => {
  let panel: TestPanel;
  const open = async () => {
    panel = await TestPanel.open(dialect);
    panel.settings.set("alert_user_volume_percent", "80").set("alert_user_expiry_days", "7,1");
    await panel.supervisor.start();
  };
  afterEach(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  /** What was said so far, without the account's name. */
  async function said(id: number): Promise<[string, Record<string, unknown>][]> {
    const rows = await panel.database.reads.rows(
      EventRows,
      sql`select * from events where subject = ${`user:${id}`} and event in ('user.quota_warning', 'user.expiring') order by id`,
    );
    return rows.map(({ event, data }) => {
      const { userId, name, adminId, changed, ...more } = JSON.parse(data) as Record<string, unknown>;
      return [event.slice("user.".length), more];
    });
  }

  /** Polls what a step in the background writes. */
  async function untilSaid(id: number, count: number) {
    for (let tries = 0; tries < 400; tries++) {
      const all = await said(id);
      if (all.length >= count) return all;
      panel.supervisor.pokeTimers();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`user ${id} was told ${JSON.stringify(await said(id))}`);
  }

  /** The account's actor has nothing left to do now. */
  async function settled(id: number) {
    for (let tries = 0; tries < 400; tries++) {
      const [due] = await panel.database.reads.query(
        sql`select id from timers where actor_id = ${id} and kind = 'user' and due_at <= ${panel.clock.now()}`,
      );
      if (!due) return;
      panel.supervisor.pokeTimers();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`user ${id} is never done`);
  }

  const quota = (used: number, volume: number, threshold = 80) => [
    "quota_warning",
    { usedPercent: Math.floor((used / volume) * 100), threshold, used, volume },
  ];

  // rule users.warn.1
  test("the share of the volume is warned of in the step of the traffic that reached it, once", async () => {
    await open();
    const { id, updatedAt } = await panel.ok("POST", "/users", { name: "quota", volume: 1000 });
    await panel.traffic(id, 400, 399);
    await settled(id);
    expect(await said(id)).toEqual([]);
    await panel.traffic(id, 1, 0);
    expect(await untilSaid(id, 1)).toEqual([quota(800, 1000)]);
    await panel.traffic(id, 100, 0);
    await panel.ok("PATCH", `/users/${id}`, { desc: "still the same volume", expiry: START + 90 * DAY });
    await settled(id);
    expect(await said(id)).toHaveLength(1);
    await panel.traffic(id, 100, 0);
    await panel.until(id, (user) => user.disabledReason === "volume");
    expect(await said(id)).toHaveLength(1);
    expect(updatedAt).toBe(START);
  });

  // rule users.warn.6
  test("traffic that crosses the share and the volume at once is warned of first; a smaller volume is not traffic", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "leap", volume: 1000 });
    await panel.traffic(id, 1200, 0);
    await panel.until(id, (user) => user.disabledReason === "volume");
    const rows = await panel.database.reads.rows(
      EventRows,
      sql`select * from events where subject = ${`user:${id}`} order by id`,
    );
    expect(rows.map(({ event }) => event)).toEqual([
      "user.created",
      "user.quota_warning",
      "user.disabled",
      "user.quota_reached",
    ]);
    expect(await said(id)).toEqual([quota(1200, 1000)]);
    // Once for each volume and share, and again after the counters went to 0.
    await panel.ok("PATCH", `/users/${id}`, { volume: 1200 });
    expect(await said(id)).toHaveLength(1);
    await panel.ok("PATCH", `/users/${id}`, { volume: 1000 });
    await panel.ok("POST", `/users/${id}/reset-usage`);
    await panel.traffic(id, 1000, 0);
    await panel.until(id, (user) => user.disabledReason === "volume");
    expect(await said(id)).toEqual([quota(1200, 1000), quota(1000, 1000)]);
    const smaller = await panel.ok("POST", "/users", { name: "smaller", volume: 1000 });
    await panel.traffic(smaller.id, 500, 0);
    expect(await panel.ok("PATCH", `/users/${smaller.id}`, { volume: 400 })).toMatchObject({
      disabledReason: "volume",
    });
    expect(await said(smaller.id)).toEqual([]);
  });

  // rule users.warn.1
  test("a warning moves no version", async () => {
    await open();
    const { id, updatedAt } = await panel.ok("POST", "/users", { name: "quiet", volume: 1000 });
    await panel.traffic(id, 900, 0);
    await untilSaid(id, 1);
    expect(await panel.ok("GET", `/users/${id}`)).toMatchObject({ updatedAt, enable: true });
  });

  // rule users.warn.2
  test("another volume, a reset and a renewal arm it again; the volume of before does not", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "armed", volume: 1000 });
    await panel.traffic(id, 800, 0);
    await untilSaid(id, 1);
    await panel.ok("PATCH", `/users/${id}`, { volume: 2000 });
    expect(await said(id)).toHaveLength(1);
    await panel.ok("PATCH", `/users/${id}`, { volume: 1000 });
    await settled(id);
    expect(await said(id)).toHaveLength(1);
    // Over the share of a smaller volume from the beginning.
    await panel.ok("PATCH", `/users/${id}`, { volume: 900 });
    expect(await said(id)).toEqual([quota(800, 1000), quota(800, 900)]);
    await panel.ok("POST", `/users/${id}/reset-usage`);
    await panel.traffic(id, 720, 0);
    expect(await untilSaid(id, 3)).toHaveLength(3);
    await panel.ok("POST", `/users/${id}/renew`);
    await panel.traffic(id, 730, 0);
    expect((await untilSaid(id, 4)).at(-1)).toEqual(quota(730, 900));
  });

  // rule users.warn.2
  test("the periodic reset arms it again, also for one that was off", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "cycle", volume: 10, autoReset: true, resetDays: 3 });
    await panel.traffic(id, 8, 0);
    await untilSaid(id, 1);
    await panel.traffic(id, 8, 0);
    await panel.until(id, (user) => user.disabledReason === "volume");
    await panel.advance(3 * DAY);
    await panel.until(id, (user) => user.enable);
    await panel.traffic(id, 9, 0);
    expect(await untilSaid(id, 2)).toEqual([quota(8, 10), quota(9, 10)]);
  });

  // rule users.warn.3
  test("each window before the date is told once, at its second", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "date", expiry: START + 30 * DAY });
    const expiry = START + 30 * DAY;
    await panel.advance(23 * DAY - 1);
    await settled(id);
    expect(await said(id)).toEqual([]);
    await panel.advance(1);
    const seven = ["expiring", { expiry, daysLeft: 7, threshold: 7 }];
    expect(await untilSaid(id, 1)).toEqual([seven]);
    await panel.advance(3 * DAY);
    await panel.ok("PATCH", `/users/${id}`, { volume: 5 });
    await settled(id);
    expect(await said(id)).toHaveLength(1);
    await panel.advance(3 * DAY);
    expect(await untilSaid(id, 2)).toEqual([seven, ["expiring", { expiry, daysLeft: 1, threshold: 1 }]]);
    await panel.advance(DAY);
    await panel.until(id, (user) => user.disabledReason === "expiry");
    expect(await said(id)).toHaveLength(2);
  });

  // rules users.warn.3, users.warn.4
  test("an account that is in several windows at once is told of the narrowest; a later date arms all again", async () => {
    await open();
    const { id } = await panel.ok("POST", "/users", { name: "short", expiry: START + DAY / 2 });
    expect(await said(id)).toEqual([["expiring", { expiry: START + DAY / 2, daysLeft: 1, threshold: 1 }]]);
    const later = START + 4 * DAY;
    await panel.ok("PATCH", `/users/${id}`, { expiry: later });
    expect((await said(id)).slice(1)).toEqual([["expiring", { expiry: later, daysLeft: 4, threshold: 7 }]]);
    await panel.advance(3 * DAY);
    expect((await untilSaid(id, 3)).slice(2)).toEqual([["expiring", { expiry: later, daysLeft: 1, threshold: 1 }]]);
  });

  // rule users.warn.4
  test("nobody is told who is off or has not started; one that starts within a window is", async () => {
    await open();
    const off = await panel.ok("POST", "/users", { name: "off", enable: false, expiry: START + DAY, volume: 10 });
    const waiting = await panel.ok("POST", "/users", { name: "waiting", duration: 3 * DAY, expiry: START + DAY });
    await settled(waiting.id);
    expect(await said(off.id)).toEqual([]);
    expect(await said(waiting.id)).toEqual([]);
    await panel.traffic(waiting.id, 1, 0);
    const started = await panel.until(waiting.id, (user) => user.activatedAt > 0);
    expect(await said(waiting.id)).toEqual([["expiring", { expiry: started.expiry, daysLeft: 3, threshold: 7 }]]);
  });

  // rule users.warn.5
  test("the thresholds are settings, and 0 is none", async () => {
    await open();
    panel.settings.set("alert_user_volume_percent", "50").set("alert_user_expiry_days", "0");
    const { id } = await panel.ok("POST", "/users", { name: "set", volume: 100, expiry: START + DAY });
    await panel.traffic(id, 50, 0);
    expect(await untilSaid(id, 1)).toEqual([quota(50, 100, 50)]);
    panel.settings.set("alert_user_volume_percent", "0");
    const silent = await panel.ok("POST", "/users", { name: "silent", volume: 100 });
    await panel.traffic(silent.id, 99, 0);
    await settled(silent.id);
    expect(await said(silent.id)).toEqual([]);
  });
});
