// A reseller's allowance: what closes it, what its accounts become, and that nothing is torn when its follower ends in
// the middle.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AdminRows, RoleRows } from "../../src/access/index.ts";
import type { ResellerState } from "../../machines/reseller.ts";
import { ResellerRows, ResellerUsageRows, resellerOwners } from "../../src/accounts/testing.ts";
import { Facts, lock, sql } from "../../src/db/index.ts";
import { systemOrigin } from "../../src/lib/origin.ts";
import { DUE, EventRows, wakeActors } from "../../src/runtime/index.ts";
import { dialects } from "../database.ts";
import { DAY, START, TestPanel } from "./panel.ts";
import { reseller } from "./resellers.ts";

const person = systemOrigin("a person");

describe.each(dialects)("resellers on %s", (dialect) => {
  let panel: TestPanel;
  let next = 100;

  /** A reseller with its allowance. */
  const open = async (limits: Parameters<typeof reseller>[3] = {}): Promise<number> => {
    const id = next++;
    await reseller(panel, id, {}, limits);
    await panel.resellers.enter();
    return id;
  };
  const create = (owner: number, name: string, body: object = {}) =>
    panel.ok("POST", "/users", { name: `${name}-${owner}`, adminId: owner, ...body });
  const edit = (id: number, patch: object) =>
    panel.database.commits.submit({
      name: "test.edit",
      locks: [lock(AdminRows, id)],
      decide(draft) {
        draft.touch(AdminRows, id, patch);
        panel.resellers.changed(draft, id, person);
      },
    });
  /** As the transaction that counts usage does it. */
  const spend = async (id: number, used: number) => {
    const { commits, reads } = panel.database;
    const spent = sql`select id from reseller_usage where id = ${id} and used >= wake_at`;
    await commits.execute({
      name: "test.spend",
      statements: [
        reads.statement("used", sql`update reseller_usage set used = used + ${used} where id = ${id}`),
        reads.statement("due", wakeActors(dialect, "reseller", spent, panel.clock.now())),
      ],
      facts: new Facts().add(DUE, true),
    });
  };
  const row = async (id: number) => (await panel.database.reads.find(ResellerRows, id)) ?? expect.fail("no reseller");
  const reaches = (id: number, state: string) =>
    expect
      .poll(
        async () => {
          panel.supervisor.pokeTimers();
          return (await row(id)).mstate;
        },
        { timeout: 10_000 },
      )
      .toBe(state);
  const reason = async (id: number) => {
    const { enable, disabledReason } = await panel.ok("GET", `/users/${id}`);
    return enable ? "on" : disabledReason;
  };
  const told = async (id: number) => {
    const subject = `reseller:${id}`;
    const rows = await panel.database.reads.rows(
      EventRows,
      sql`select * from events where subject = ${subject} order by id`,
    );
    return rows.map(({ event, data }) => ({ event, ...JSON.parse(data) }));
  };

  beforeAll(async () => {
    panel = await TestPanel.open(dialect, resellerOwners);
    await panel.supervisor.start();
  });
  afterAll(() => panel.dispose());

  // rule resellers.page.3
  test("its record says what its chart is at, and it is found by that", async () => {
    const id = await open({ volume: 100 });
    const at = async () => (await panel.resellers.allowances([id])).get(id);
    const listed = async (...states: ResellerState[]) => {
      const found = sql<{ id: number | string }>`select id from admins where ${panel.resellers.inStates(states)}`;
      return (await panel.database.reads.query(found)).some((each) => Number(each.id) === id);
    };
    expect([await at(), await listed("open"), await listed("closed", "closing")]).toEqual([
      { used: 0, state: "open", closedBy: "" },
      true,
      false,
    ]);
    await spend(id, 100);
    await reaches(id, "closed.volume");
    expect([await at(), await listed("open", "opening"), await listed("closed")]).toEqual([
      { used: 100, state: "closed", closedBy: "volume" },
      false,
      true,
    ]);
  });

  // rules resellers.close.1, resellers.event.1, resellers.reason.1
  test("a spent allowance closes it and tells once; the reasons of an account come in their order", async () => {
    const id = await open({ volume: 1000 });
    const plain = await create(id, "plain");
    const manual = await create(id, "manual", { enable: false });
    const spent = await create(id, "spent", { volume: 10 });
    await panel.traffic(spent.id, 10, 0);
    await panel.until(spent.id, (user) => !user.enable);
    await spend(id, 999);
    expect((await row(id)).mstate).toBe("open");
    await spend(id, 1);
    await reaches(id, "closed.volume");
    expect(await Promise.all([plain, manual, spent].map((user) => reason(user.id)))).toEqual([
      "resale-volume",
      "manual",
      "volume",
    ]);
    expect(await panel.events(plain.id)).toEqual(["user.created", "user.disabled", "user.quota_reached"]);
    const event = "admin.resale_cap_reached";
    expect(await told(id)).toEqual([
      { event, adminId: id, username: `a${id}`, reason: "volume", used: 1000, volume: 1000 },
    ]);
    // Its own limit is lifted: the reseller's reason remains. A person's off comes before.
    expect(await panel.ok("PATCH", `/users/${spent.id}`, { volume: 20 })).toMatchObject({
      enable: false,
      disabledReason: "resale-volume",
    });
    expect(await panel.ok("PATCH", `/users/${plain.id}`, { enable: true })).toMatchObject({ enable: false });
    await panel.ok("PATCH", `/users/${manual.id}`, { enable: true });
    expect(await reason(manual.id)).toBe("resale-volume");
    // A larger allowance opens it; the same one closes it again without a word.
    await edit(id, { volume: 5000 });
    await reaches(id, "open");
    expect(await Promise.all([plain, manual, spent].map((user) => reason(user.id)))).toEqual(["on", "on", "on"]);
    await edit(id, { volume: 1000 });
    await reaches(id, "closed.volume");
    expect(await told(id)).toHaveLength(1);
    await edit(id, { volume: 900 });
    expect(await told(id)).toHaveLength(1);
    await edit(id, { volume: 0 });
    await reaches(id, "open");
    await edit(id, { volume: 900 });
    await reaches(id, "closed.volume");
    expect((await told(id)).map(({ volume }) => volume)).toEqual([1000, 900]);
  });

  // rules resellers.close.2, resellers.reason.1
  test("its date closes it before its allowance; an account's own date comes before both", async () => {
    const now = Math.floor(panel.clock.now() / 1000);
    const id = await open({ volume: 100, expiry: now + DAY });
    const one = await create(id, "one", { expiry: now + 3 * DAY });
    await spend(id, 100);
    await reaches(id, "closed.volume");
    await panel.advance(DAY + 1);
    await reaches(id, "closed.expiry");
    expect(await reason(one.id)).toBe("resale-expiry");
    expect((await told(id)).map((each) => each.reason)).toEqual(["volume", "expiry"]);
    await panel.advance(2 * DAY);
    await panel.until(one.id, (user) => user.disabledReason === "expiry");
    await edit(id, { expiry: 0, volume: 0 });
    await reaches(id, "open");
    expect(await reason(one.id)).toBe("expiry");
    // A renewal under a closed reseller waits for it.
    await edit(id, { volume: 1 });
    await reaches(id, "closed.volume");
    const renewed = await panel.ok("POST", `/users/${one.id}/renew`, { expiry: now + 90 * DAY });
    expect(renewed).toMatchObject({ enable: false, disabledReason: "resale-volume" });
    expect((await panel.events(one.id)).at(-1)).toBe("user.renewed");
    await edit(id, { volume: 0 });
    await reaches(id, "open");
    expect(await reason(one.id)).toBe("on");
  });

  // rules resellers.meter.2, resellers.event.1
  test("a new period forgets what was used, opens it, and tells of the next end", async () => {
    const now = Math.floor(panel.clock.now() / 1000);
    const id = await open({
      volume: 100,
      period: "monthly",
      periodDay: 1,
      periodStart: now - DAY,
      nextReset: now + DAY,
    });
    const one = await create(id, "one");
    await spend(id, 150);
    await reaches(id, "closed.volume");
    await panel.advance(DAY + 1);
    await reaches(id, "open");
    expect(await reason(one.id)).toBe("on");
    expect((await panel.database.reads.find(ResellerUsageRows, id))?.used).toBe(0);
    const admin = await panel.database.reads.find(AdminRows, id);
    expect(admin?.nextReset).toBeGreaterThan(now + DAY);
    await spend(id, 100);
    await reaches(id, "closed.volume");
    expect(await told(id)).toHaveLength(2);
  });

  // rule resellers.close.5
  test("who is no reseller any more has no limits", async () => {
    const id = await open({ volume: 10 });
    const own = await create(id, "own");
    await spend(id, 10);
    await reaches(id, "closed.volume");
    const rebase = (base: "admin" | "resale") =>
      panel.database.commits.submit({
        name: "test.rebase",
        locks: [lock(RoleRows, id), ...panel.resellers.locks([id])],
        decide(draft) {
          draft.update(RoleRows, id, { base });
          panel.resellers.changed(draft, id, person);
        },
      });
    await rebase("admin");
    await reaches(id, "open");
    expect(await reason(own.id)).toBe("on");
    const limits = { expiry: START + 400 * DAY, deviceLimit: 2 };
    expect(await panel.ok("PATCH", `/users/${own.id}`, limits)).toMatchObject({ ...limits, adminId: id });
    await rebase("resale");
    await reaches(id, "closed.volume");
    expect(await told(id)).toHaveLength(1);
  });

  // rule resellers.close.3
  test("nobody comes into a closed one; its own accounts may be changed and may leave", async () => {
    const id = await open({ volume: 10 });
    const own = await create(id, "own");
    const other = await panel.ok("POST", "/users", { name: `other-${id}` });
    await spend(id, 10);
    await reaches(id, "closed.volume");
    const closed = { status: 403, body: { code: "reseller_closed" } };
    expect(await panel.call("PATCH", `/users/${other.id}`, { adminId: id })).toMatchObject(closed);
    expect(await panel.call("POST", "/users", { name: "new", adminId: id })).toMatchObject(closed);
    panel.reseller("spent", id);
    expect(await panel.call("POST", "/users", { name: "new" }, "spent")).toMatchObject(closed);
    await panel.ok("PATCH", `/users/${own.id}`, { desc: "still here" });
    expect(await panel.ok("PATCH", `/users/${own.id}`, { adminId: 0 })).toMatchObject({ enable: true, adminId: 0 });
    expect((await panel.rows(own.id)).usage?.adminId).toBe(0);
  });

  // rule resellers.close.3
  test("nobody comes into one whose date is past; its own accounts may be changed, also what they end by", async () => {
    const id = await open({});
    const own = await create(id, "own", { expiry: START + 300 * DAY });
    const other = await panel.ok("POST", "/users", { name: `other-${id}` });
    await edit(id, { expiry: 1 });
    await reaches(id, "closed.expiry");
    const ended = { status: 403, body: { code: "account_expired" } };
    expect(await panel.call("PATCH", `/users/${other.id}`, { adminId: id })).toMatchObject(ended);
    expect(await panel.call("POST", "/users", { name: "new", adminId: id })).toMatchObject(ended);
    const limits = { expiry: START + 400 * DAY, deviceLimit: 2, duration: 0 };
    expect(await panel.ok("PATCH", `/users/${own.id}`, limits)).toMatchObject({
      ...limits,
      disabledReason: "resale-expiry",
    });
    expect((await panel.ok("POST", `/users/${own.id}/extend`, { seconds: DAY })).expiry).toBe(START + 401 * DAY);
    expect((await panel.ok("POST", `/users/${own.id}/renew`, { days: 30 })).disabledReason).toBe("resale-expiry");
    await panel.ok("PATCH", `/users/${own.id}`, { adminId: 0 });
  });

  // rules resellers.follow.2, resellers.follow.3
  test(
    "its follower may end in the middle, and it may turn round: no account is left out",
    { timeout: 60_000 },
    async () => {
      const id = await open({ volume: 10 });
      const batch = Array.from({ length: 300 }, (_, n) => ({ name: `many-${id}-${n}`, adminId: id }));
      for (let from = 0; from < batch.length; from += 100)
        await panel.ok("POST", "/users/batch", { users: batch.slice(from, from + 100) });
      const count = async (off: string) => {
        const [found] = await panel.database.reads.query<{ n: number }>(
          sql`select count(*) as n from users where admin_id = ${id} and disabled_reason = ${off}`,
        );
        return Number(found?.n);
      };
      /** Ends the follower once some rows have followed, as a kill between two commits does. */
      const torn = async () => {
        const stop = panel.follower.follow({ kind: "reseller", id, resumed: true, fence: 1, send: async () => {} });
        await expect.poll(async () => (await row(id)).cursor, { interval: 1, timeout: 10_000 }).toBeGreaterThan(0);
        stop();
        await panel.follower.stopped();
      };
      // Without the residents of the runtime: what is under way is what this test begins.
      await panel.supervisor.drain(0);
      await spend(id, 10);
      await panel.supervisor.ask("reseller", id, { type: "due" }, person);
      expect((await row(id)).mstate).toBe("closing");
      await torn();
      const closed = await count("resale-volume");
      expect(closed).toBeGreaterThan(0);
      // Round, where it stands: who is off comes back, who is on stays.
      await edit(id, { volume: 0 });
      expect(await row(id)).toMatchObject({ mstate: "opening", closedBy: "" });
      await edit(id, { volume: 10 });
      expect(await row(id)).toMatchObject({ mstate: "closing", closedBy: "volume" });
      const finish = async (state: string) => {
        const stop = panel.follower.follow({ kind: "reseller", id, resumed: true, fence: 1, send: async () => {} });
        // Two at a time do nothing twice.
        const also = panel.follower.follow({ kind: "reseller", id, resumed: true, fence: 1, send: async () => {} });
        await reaches(id, state);
        stop();
        also();
        await panel.follower.stopped();
      };
      await finish("closed.volume");
      expect([await count("resale-volume"), await count("")]).toEqual([300, 0]);
      await edit(id, { volume: 0 });
      await torn();
      await finish("open");
      expect([await count("resale-volume"), await count("")]).toEqual([0, 300]);
      expect(panel.failures).toEqual([]);
    },
  );
});
