// The summary from the counters that commits keep says the same as the accounts themselves, one by one.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HeldWalk } from "../../src/accounts/users/held-walk.ts";
import { STATUSES } from "../../src/accounts/records/user-status.ts";
import { dialects } from "../database.ts";
import { DAY, START, TestPanel } from "./panel.ts";

describe.each(dialects)("the summary on %s", (dialect) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  async function counted() {
    const { items } = await panel.ok("GET", "/users?limit=1000");
    const tally = (values: readonly string[]) => {
      const counts = new Map<string, number>();
      for (const value of values) if (value !== "") counts.set(value, (counts.get(value) ?? 0) + 1);
      return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    };
    const users = items as { group: string; disabledReason: string; enable: boolean }[];
    const statuses: Record<string, number> = {};
    for (const status of STATUSES) statuses[status] = (await panel.ok("GET", `/users?status=${status}`)).total;
    return {
      total: users.length,
      ...statuses,
      groups: tally(users.map(({ group }) => group)).map(([group, count]) => ({ group, count })),
      reasons: tally(users.filter(({ enable }) => !enable).map(({ disabledReason }) => disabledReason)).map(
        ([reason, count]) => ({ reason, count }),
      ),
    };
  }

  // rule users.list.4
  test("after each thing that can happen to accounts", async () => {
    const make = async (body: object): Promise<number> => (await panel.ok("POST", "/users", body)).id;
    const ids = [
      await make({ name: "plain" }),
      await make({ name: "off", enable: false, group: "gold" }),
      await make({ name: "waiting", duration: DAY, group: "gold" }),
      await make({ name: "ends", expiry: START + DAY, group: "silver" }),
      await make({ name: "small", volume: 10 }),
    ];
    const [plain = 0, off = 0, waiting = 0, , small = 0] = ids;
    const same = async () => expect(await panel.ok("GET", "/users/summary?by=reason")).toMatchObject(await counted());
    await same();
    await panel.traffic(small, 20, 0);
    await panel.advance(2 * DAY);
    // Past their limits and still on: nobody has looked yet.
    await same();
    expect(await panel.ok("GET", "/users/summary")).toMatchObject({ expired: 1, limited: 1, disabled: 1 });
    await panel.supervisor.start();
    await expect
      .poll(() => panel.ok("GET", "/users/summary"))
      .toMatchObject({ expired: 0, limited: 0, disabled: 3, active: 1 });
    await same();
    await panel.ok("PATCH", `/users/${plain}`, { enable: false, group: "silver" });
    await panel.ok("PATCH", `/users/${off}`, { enable: true, group: "" });
    await panel.traffic(waiting, 1, 0);
    await expect.poll(() => panel.ok("GET", "/users/summary")).toMatchObject({ pending: 0 });
    await panel.call("DELETE", `/users/${small}`);
    await same();
  });
});

test("walks that take long are kept and shared, short ones are not", async () => {
  let [now, walks, takes] = [0, 0, 5];
  const walk = new HeldWalk(
    async () => {
      walks++;
      await Promise.resolve();
      now += takes;
      return walks;
    },
    () => now,
  );
  expect([await walk.answer(), await walk.answer()]).toEqual([1, 2]);
  takes = 100;
  expect(await walk.answer()).toBe(3);
  expect(await walk.answer()).toBe(3);
  now += 20 * takes;
  expect(await Promise.all([walk.answer(), walk.answer()])).toEqual([4, 4]);
  // Somebody wrote, while a walk is under way too.
  now += 1;
  const before = walk.answer();
  walk.forget();
  expect(await Promise.all([before, walk.answer()])).toEqual([4, 5]);
  // A clock that was set back.
  now -= 10_000;
  expect(await walk.answer()).toBe(6);
});
