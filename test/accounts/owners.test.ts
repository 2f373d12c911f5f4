// Resellers as owners: who may hold accounts, how many, with which limits.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AdminRows, type AdminRow, type RoleRow } from "../../src/access/index.ts";
import { lock, sql, type Draft } from "../../src/db/index.ts";
import { AccountDayRows } from "../../src/accounts/records/growth.entity.ts";
import { EventRows } from "../../src/runtime/index.ts";
import { systemOrigin } from "../../src/lib/origin.ts";
import { OwnerCountRows, releaseOwnedUsers, ResellerRows, resellerOwners } from "../../src/accounts/testing.ts";
import { dialects } from "../database.ts";
import { DAY, START, TestPanel } from "./panel.ts";
import { reseller } from "./resellers.ts";

describe.each(dialects)("owners on %s", (dialect) => {
  let panel: TestPanel;
  const add = (roles: Partial<RoleRow>, admins: Partial<AdminRow>, id: number) => reseller(panel, id, roles, admins);
  const create = async (name: string, body: object, token?: string) => {
    const answer = await panel.call("POST", "/users", { name, ...body }, token);
    return [answer.status, answer.status === 200 ? answer.body.adminId : (answer.body.field ?? answer.body.code)];
  };

  beforeAll(async () => {
    panel = await TestPanel.open(dialect, resellerOwners);
    await add({}, { userLimit: 2 }, 10);
    await add({ userLimit: 1 }, { userLimit: 1 }, 11);
    await add({ maxDeviceLimit: 3, maxDuration: 30 * DAY }, {}, 12);
    await add({}, { expiry: START - 1 }, 13);
    await add({ base: "admin" }, {}, 14);
    await add({}, { usersReadOnly: true }, 15);
    await add({}, { plansOnly: true }, 16);
  });
  afterAll(() => panel.dispose());

  // rule users.owner.2
  test("an owner must be a reseller whose time has not ended", async () => {
    expect(await create("nobody", { adminId: 99 })).toEqual([400, "adminId"]);
    expect(await create("operator", { adminId: 14 })).toEqual([400, "adminId"]);
    expect(await create("ended", { adminId: 13 })).toEqual([403, "account_expired"]);
    expect(await create("panel", { adminId: 0 })).toEqual([200, 0]);
  });

  // rule users.owner.3
  test("caps of users: the account's own is 403, the role's or both at once 402; a delete or a move makes room", async () => {
    expect(await create("u1", { adminId: 10 })).toEqual([200, 10]);
    const second = await panel.ok("POST", "/users", { name: "u2", adminId: 10 });
    expect(await create("u3", { adminId: 10 })).toEqual([403, "forbidden"]);
    await panel.ok("PATCH", `/users/${second.id}`, { adminId: 11 });
    expect(await create("u4", { adminId: 11 })).toEqual([402, "cap_reached"]);
    expect(await create("u3", { adminId: 10 })).toEqual([200, 10]);
    expect((await panel.call("PATCH", `/users/${second.id}`, { adminId: 10 })).status).toBe(403);
    await panel.ok("DELETE", `/users/${second.id}`);
    expect(await create("u4", { adminId: 11 })).toEqual([200, 11]);
    expect(await panel.database.reads.find(OwnerCountRows, 10)).toEqual({ id: 10, users: 2 });
  });

  // rule users.owner.3
  test("concurrent creates do not pass a cap", async () => {
    await add({}, { userLimit: 3 }, 17);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => create(`c${n}`, { adminId: 17 })));
    expect(answers.filter(([status]) => status === 200)).toHaveLength(3);
  });

  // rule users.owner.4
  test("limits that a role caps are refused above the cap and when absent", async () => {
    const capped = { adminId: 12, deviceLimit: 3, duration: 30 * DAY };
    expect(await create("d0", { ...capped, deviceLimit: 0 })).toEqual([403, "deviceLimit"]);
    expect(await create("d4", { ...capped, deviceLimit: 4 })).toEqual([403, "deviceLimit"]);
    expect(await create("t0", { ...capped, duration: 0 })).toEqual([403, "duration"]);
    expect(await create("t31", { ...capped, duration: 31 * DAY })).toEqual([403, "duration"]);
    expect(await create("e31", { ...capped, duration: 0, expiry: START + 31 * DAY })).toEqual([403, "expiry"]);
    const user = await panel.ok("POST", "/users", { name: "fits", ...capped });
    expect((await panel.call("PATCH", `/users/${user.id}`, { deviceLimit: 4 })).body).toMatchObject({
      field: "deviceLimit",
    });
    await panel.ok("PATCH", `/users/${user.id}`, { desc: "other fields are free" });
    // A renewal that adds to what is left ends within it too, whoever renews.
    const { id } = await panel.ok("POST", "/users", {
      name: "ends",
      ...capped,
      duration: 0,
      expiry: START + 20 * DAY,
      termDays: 20,
    });
    const renewed = await panel.call("POST", `/users/${id}/renew`);
    expect([renewed.status, renewed.body.field]).toEqual([403, "expiry"]);
    await panel.advance(10 * DAY);
    expect((await panel.ok("POST", `/users/${id}/renew`)).expiry).toBe(START + 40 * DAY);
    expect((await panel.call("POST", `/users/${user.id}/renew`)).body.field).toBe("duration");
  });

  // rule users.owner.4
  test("of an account that has started its date is held to the cap, whatever term it once had", async () => {
    const { id } = await panel.ok("POST", "/users", { name: "begun", adminId: 12, deviceLimit: 1, duration: 30 * DAY });
    const now = Math.floor(panel.clock.now() / 1000);
    const change = async (body: object, method: "PATCH" | "PUT" = "PATCH") => {
      const answer = await panel.call(method, `/users/${id}`, body);
      return [answer.status, answer.body.field];
    };
    // Begun by hand it would have no end.
    expect(await change({ activatedAt: now })).toEqual([403, "expiry"]);
    expect(await change({ activatedAt: now, expiry: now + 3650 * DAY })).toEqual([403, "expiry"]);
    expect(await change({ activatedAt: now, expiry: now + 30 * DAY })).toEqual([200, undefined]);
    expect(await change({ expiry: now + 3650 * DAY })).toEqual([403, "expiry"]);
    expect(await change({ expiry: 0 })).toEqual([403, "expiry"]);
    const whole = { name: "begun", enable: true, deviceLimit: 1, duration: 30 * DAY, expiry: now + 3650 * DAY };
    expect(await change(whole, "PUT")).toEqual([403, "expiry"]);
    expect(await change({ deviceLimit: 2, expiry: now + 29 * DAY })).toEqual([200, undefined]);
    expect((await panel.call("POST", `/users/${id}/renew`)).body.field).toBe("expiry");
  });

  // rules admins.account.6, users.owner.6
  test("the accounts of a deleted reseller go to the panel, those of others stay", async () => {
    await add({}, {}, 18);
    const left = await panel.ok("POST", "/users", { name: "left", adminId: 18 });
    const { commits, reads } = panel.database;
    await commits.submit({
      name: "test.delete",
      locks: [lock(AdminRows, 18)],
      decide: (draft) => draft.delete(AdminRows, 18),
    });
    await releaseOwnedUsers({ commits, reads, now: () => START, zone: () => "" });
    const after = await panel.ok("GET", `/users/${left.id}`);
    expect([after.adminId, after.updatedAt > left.updatedAt]).toEqual([0, true]);
    expect(await reads.find(OwnerCountRows, 18)).toBeUndefined();
    expect(await reads.find(OwnerCountRows, 17)).toEqual({ id: 17, users: 3 });
  });

  // rules resellers.close.4, users.growth.2
  test("who a deleted reseller kept off comes back, unless their own limits keep them off; the day counts that they moved", async () => {
    await add({}, {}, 19);
    await panel.resellers.enter();
    const [kept, own] = [
      await panel.ok("POST", "/users", { name: "kept", adminId: 19 }),
      await panel.ok("POST", "/users", { name: "own", adminId: 19, enable: false }),
    ];
    const { commits, reads } = panel.database;
    await panel.supervisor.start();
    const write = (decide: (draft: Draft) => void) =>
      commits.submit({ name: "test.reseller", locks: [lock(AdminRows, 19)], decide });
    await write((draft) => {
      draft.update(AdminRows, 19, { expiry: 1 });
      panel.resellers.changed(draft, 19, systemOrigin("test"));
    });
    await panel.until(kept.id, (user) => user.disabledReason === "resale-expiry");
    const growth = async () =>
      (await reads.rows(AccountDayRows, sql`select * from account_days where moved <> 0`)).map(({ owner, moved }) => [
        owner,
        moved,
      ]);
    const before = await growth();
    await write((draft) => {
      panel.resellers.gone(draft, 19, systemOrigin("test"));
      draft.delete(AdminRows, 19);
    });
    await releaseOwnedUsers({ commits, reads, now: () => START, zone: () => "" });
    expect(await panel.until(kept.id, (user) => user.enable)).toMatchObject({ adminId: 0, disabledReason: "" });
    expect(await panel.ok("GET", `/users/${own.id}`)).toMatchObject({ adminId: 0, disabledReason: "manual" });
    expect((await panel.rows(kept.id)).usage?.adminId).toBe(0);
    expect(await reads.find(ResellerRows, 19)).toBeUndefined();
    expect((await growth()).filter(([owner]) => owner === "19")).toEqual([["19", -2]]);
    const toPanel = (rows: readonly unknown[][]) =>
      rows.filter(([owner]) => owner === "0").reduce((sum, [, moved]) => sum + Number(moved), 0);
    expect(toPanel(await growth()) - toPanel(before)).toBe(2);
  });

  // rules resellers.close.4, users.growth.2
  test("many accounts go to the panel in small commits; a kill between two of them changes nothing, and one event tells", async () => {
    await add({}, {}, 20);
    await panel.resellers.enter();
    const users = Array.from({ length: 130 }, (_, index) => ({ name: `leaves-${index}`, adminId: 20 }));
    await panel.ok("POST", "/users/batch", { users });
    const { commits, reads } = panel.database;
    await commits.submit({
      name: "test.delete",
      locks: [lock(AdminRows, 20)],
      decide(draft) {
        panel.resellers.gone(draft, 20, systemOrigin("ann"));
        draft.delete(AdminRows, 20);
      },
    });
    const owned = async (id: number) => {
      const [row] = await reads.query(
        sql<{ n: number | string }>`select count(*) as n from users where admin_id = ${id} and name like 'leaves-%'`,
      );
      return Number(row?.n);
    };
    let steps = 0;
    const dies = new Proxy(commits, {
      get(target, name) {
        if (name !== "execute") return Reflect.get(target, name).bind(target);
        return (unit: Parameters<typeof commits.execute>[0]) => {
          if (++steps > 1) throw new Error("killed");
          return target.execute(unit);
        };
      },
    });
    const deps = { commits, reads, now: () => START, zone: () => "" };
    await expect(releaseOwnedUsers({ ...deps, commits: dies })).rejects.toThrow("killed");
    const left = await owned(20);
    expect([left > 0, left < 130, left + (await owned(0))]).toEqual([true, true, 130]);
    // Two processes at once count them once.
    await Promise.all([releaseOwnedUsers(deps), releaseOwnedUsers(deps)]);
    expect([await owned(20), await owned(0), await reads.find(OwnerCountRows, 20)]).toEqual([0, 130, undefined]);
    const moved = await reads.rows(AccountDayRows, sql`select * from account_days where owner = '20'`);
    expect(moved.reduce((sum, day) => sum + day.moved, 0)).toBe(-130);
    const told = await reads.rows(EventRows, sql`select * from events where subject = 'reseller:20'`);
    expect(told.map(({ event, data }) => [event, JSON.parse(data)])).toMatchObject([
      ["user.bulk", { op: "assign", affected: 130, adminId: 0, actor: "ann" }],
    ]);
  });

  // rule users.owner.5
  test("a reseller that may only read, or only apply plans, is refused", async () => {
    panel.reseller("reader", 15);
    panel.reseller("planner", 16);
    expect(await create("r", {}, "reader")).toEqual([403, "forbidden"]);
    expect(await create("p", {}, "planner")).toEqual([403, "planId"]);
    expect(await create("p", { planId: 7 }, "planner")).toEqual([403, "planId"]);
    expect(await create("p", { planId: 7 })).toEqual([400, "planId"]);
    const planned = await panel.ok("POST", "/users", { name: "planned", adminId: 16, volume: 1 });
    expect((await panel.call("POST", `/users/${planned.id}/renew`, { planId: 7 }, "planner")).status).toBe(403);
    expect((await panel.call("POST", `/users/${planned.id}/renew`, { planId: 7 })).body).toMatchObject({
      field: "planId",
    });
    await panel.ok("POST", `/users/${planned.id}/renew`, {}, "planner");
    // What plans say is not written by hand either: neither by an edit nor by the end of a renewal.
    const now = Math.floor(panel.clock.now() / 1000);
    const said = { volume: 2, expiry: now + 9 * DAY, duration: DAY, activatedAt: 1, nextReset: 1, autoReset: true };
    const also = { speedLimit: 1, ipLimit: 1, deviceLimit: 1, templateIds: [] };
    for (const [field, value] of Object.entries({ ...said, ...also })) {
      const { status, body } = await panel.call("PATCH", `/users/${planned.id}`, { [field]: value }, "planner");
      expect([field, status, body.code]).toEqual([field, 403, "forbidden"]);
    }
    const ending = await panel.ok("POST", "/users", { name: "ending", adminId: 16, expiry: now + 9 * DAY });
    const renewed = await panel.call("POST", `/users/${ending.id}/renew`, { expiry: now + 20 * DAY }, "planner");
    expect([renewed.status, renewed.body.field]).toEqual([403, "expiry"]);
    expect((await panel.call("PUT", `/users/${planned.id}`, { name: "planned" }, "planner")).body.field).toBe("volume");
    const same = { name: "planned 2", desc: "x", volume: 1, enable: true };
    expect((await panel.call("PATCH", `/users/${planned.id}`, same, "planner")).status).toBe(200);
    expect((await panel.call("PUT", `/users/${planned.id}`, same, "planner")).status).toBe(200);
    const held = await panel.ok("POST", "/users", { name: "held", adminId: 15 });
    expect((await panel.call("PATCH", `/users/${held.id}`, { desc: "x" }, "reader")).status).toBe(403);
    expect((await panel.call("DELETE", `/users/${held.id}`, undefined, "reader")).status).toBe(403);
    await panel.ok("GET", `/users/${held.id}`, undefined, "reader");
  });
});
