// What subscribers receive about a change: who made it, and which fields it wrote.
import { afterEach, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { EventRows } from "../../src/runtime/index.ts";
import { dialects } from "../database.ts";
import { DAY, START, TestPanel } from "./panel.ts";

describe.each(dialects)("events of accounts on %s", (dialect) => {
  let panel: TestPanel;
  const open = async () => {
    panel = await TestPanel.open(dialect);
    await panel.supervisor.start();
  };
  afterEach(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  /**
   * By account, the newest event at the last look. `said` gives each event since then, with the fields that it names.
   */
  const looked = new Map<number, number>();
  const said = async (id: number) => {
    const rows = await panel.database.reads.rows(
      EventRows,
      sql`select * from events where subject = ${`user:${id}`} and id > ${looked.get(id) ?? 0} order by id`,
    );
    const newest = rows.at(-1);
    if (newest) looked.set(id, newest.id);
    return rows.map(({ event, data }) => [event, (JSON.parse(data) as { changed?: string[] }).changed?.join(" ")]);
  };
  const make = async (body: object) => {
    looked.clear();
    return (await panel.ok("POST", "/users", { name: "anna", ...body })).id as number;
  };

  // rules users.event.1, users.event.2
  test("a person's switch, an edit, a deletion: each is told once, with what was written", async () => {
    await open();
    const id = await make({ volume: 10, group: "g" });
    expect(await said(id)).toEqual([["user.created", "name enable config subToken subId volume group allTemplates"]]);
    const patch = async (body: object) => {
      await panel.ok("PATCH", `/users/${id}`, body);
      return said(id);
    };
    expect(await patch({ desc: "x", contact: { email: "a@b.example" }, config: { password: "secret" } })).toEqual([
      ["user.updated", "config desc contact"],
    ]);
    expect(await patch({ desc: "x", volume: 10 })).toEqual([]);
    expect(await patch({ volume: 20, duration: DAY })).toEqual([["user.updated", "volume duration term"]]);
    expect(await patch({ enable: false, remark: "off" })).toEqual([["user.suspended", "enable disabledReason remark"]]);
    // The chart does not take an edit of who is off by hand.
    expect(await patch({ volume: 30 })).toEqual([["user.updated", "volume"]]);
    expect(await patch({ enable: true })).toEqual([["user.resumed", "enable disabledReason"]]);
    await panel.ok("PUT", `/users/${id}`, { name: "anna", enable: true, volume: 30 });
    expect(await said(id)).toEqual([["user.updated", "desc contact remark duration term group"]]);
    await panel.ok("POST", `/users/${id}/reset-usage`);
    expect(await said(id)).toEqual([]);
    await panel.ok("POST", `/users/${id}/sub/rotate`, { credentials: true });
    expect(await said(id)).toEqual([["user.updated", "config subToken subId"]]);
    await panel.ok("DELETE", `/users/${id}`);
    expect(await said(id)).toEqual([["user.deleted", undefined]]);
  });

  // rule users.event.2
  test("what the panel does by itself says what it wrote; counters are not among it", async () => {
    await open();
    const id = await make({ duration: 10 * DAY, volume: 100, autoReset: true, resetDays: 1 });
    await said(id);
    await panel.traffic(id, 1, 1);
    await panel.until(id, (user) => user.activatedAt > 0);
    expect(await said(id)).toEqual([["user.activated", "expiry activatedAt"]]);
    await panel.traffic(id, 50, 50);
    await panel.until(id, (user) => !user.enable);
    expect(await said(id)).toEqual([
      ["user.disabled", "enable disabledReason"],
      ["user.quota_reached", "enable disabledReason"],
    ]);
    await panel.ok("POST", `/users/${id}/extend`, { bytes: 10, seconds: 5 });
    expect(await said(id)).toEqual([
      ["user.enabled", "enable disabledReason volume expiry"],
      ["user.renewed", "enable disabledReason volume expiry"],
    ]);
    await panel.ok("POST", `/users/${id}/renew`);
    expect(await said(id)).toEqual([["user.renewed", "expiry"]]);
    await panel.traffic(id, 1, 1);
    await panel.advance(DAY);
    await panel.until(id, (user) => user.nextReset === START + 2 * DAY);
    expect(await said(id)).toEqual([["user.updated", "nextReset"]]);
  });

  // rules users.event.1, users.event.2
  test("switched on over its date: that a person did it, then that the panel switched it off", async () => {
    await open();
    const id = await make({ enable: false, expiry: START - 1 });
    expect(await said(id)).toEqual([["user.created", "name config subToken subId expiry allTemplates"]]);
    await panel.ok("PATCH", `/users/${id}`, { enable: true });
    expect(await said(id)).toEqual([
      ["user.resumed", "disabledReason"],
      ["user.disabled", "disabledReason"],
      ["user.expired", "disabledReason"],
    ]);
  });
});
