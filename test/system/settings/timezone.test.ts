// `timezone`: sessions receive a new value immediately, the server uses it after the next restart.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../../database.ts";
import { ListeningPanel } from "./panel.ts";

/** Resets at midnight of a Monday: which moment that is depends on the zone. */
const RESETS = { autoReset: true, resetPeriod: "weekly", resetStartDay: 1 };

describe.each(dialects)("the time zone on %s", (dialect) => {
  let panel: ListeningPanel;
  beforeAll(async () => {
    panel = await ListeningPanel.open(dialect, { web_tls_mode: "none", timezone: "UTC" });
  });
  afterAll(() => panel.dispose());

  /** Seconds after midnight UTC at which a new account's traffic is reset. */
  const resetOf = async (name: string): Promise<number> => {
    const created = await panel.ask("POST", "/api/users", { body: { name, ...RESETS } });
    return Number(created.body.nextReset) % 86_400;
  };

  // rule settings.value.5
  test("is said at once and kept by after a restart", async () => {
    expect(await resetOf("before")).toBe(0);
    await panel.put("timezone", "Asia/Dubai");
    expect((await panel.ask("GET", "/api/me")).body.timezone).toBe("Asia/Dubai");
    expect(await resetOf("saved")).toBe(0);
    await panel.restart();
    expect(await resetOf("adopted")).toBe(20 * 3600);
  });

  // rule users.reset.9
  test("dates of calendar cycles that were stored before move with it, and no others", async () => {
    await panel.put("timezone", "UTC");
    await panel.restart();
    const make = async (name: string, body: object): Promise<number> => {
      const created = await panel.ask("POST", "/api/users", { body: { name, autoReset: true, ...body } });
      expect([name, created.status]).toEqual([name, 200]);
      return created.body.id;
    };
    const ids = {
      weekly: await make("weekly", { resetPeriod: "weekly", resetStartDay: 3 }),
      monthly: await make("monthly", { resetPeriod: "monthly", resetStartDay: 31 }),
      yearly: await make("yearly", { resetPeriod: "yearly", resetStartDay: 1, resetStartMonth: 3 }),
      jalali: await make("jalali", { resetPeriod: "monthly", resetStartDay: 1, resetCalendar: "jalali" }),
      off: await make("off", { resetPeriod: "monthly", resetStartDay: 9, enable: false }),
      rolling: await make("rolling", { resetDays: 30 }),
    };
    const odd = Math.floor(Date.now() / 1000) + 1_234_567;
    const line = { name: "odd", autoReset: true, resetPeriod: "monthly", resetStartDay: 1, nextReset: odd };
    await panel.ask("POST", "/api/users/import?format=ndjson", {
      body: line,
      headers: { "content-type": "application/x-ndjson" },
    });
    const role = await panel.ask("POST", "/api/roles", { body: { name: "shop", base: "resale", scopes: [] } });
    const shop = await panel.ask("POST", "/api/admins", {
      body: {
        username: "shop",
        password: "a long password",
        roleId: role.body.id,
        period: "monthly",
        periodDay: 1,
        volume: 1,
      },
    });
    const dates = async (): Promise<Record<string, number>> => {
      const { items } = (await panel.ask("GET", "/api/v1/users?limit=1000")).body;
      const { nextReset } = (await panel.ask("GET", `/api/v1/admins/${shop.body.id}`)).body;
      const named = items.map((user: { name: string; nextReset: number }) => [user.name, user.nextReset]);
      return { ...Object.fromEntries(named), shop: nextReset };
    };
    const before = await dates();
    expect(before["odd"]).toBe(odd);
    await panel.put("timezone", "Asia/Tokyo");
    await panel.restart();
    const hours = 9 * 3600;
    const expected = Object.fromEntries(
      [...Object.keys(ids), "odd", "shop"].map((name) => [
        name,
        (before[name] ?? 0) - (name === "rolling" || name === "odd" ? 0 : hours),
      ]),
    );
    await expect.poll(dates).toMatchObject(expected);
    // The charts look at the new dates, and a start without a change moves nothing.
    const actor = await panel.ask("GET", `/api/actors/user/${ids.weekly}`);
    expect(JSON.stringify(actor.body)).toContain(String(expected["weekly"]));
    await panel.restart();
    expect(await dates()).toMatchObject(expected);
  });
});
