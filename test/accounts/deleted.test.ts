// Deleted accounts: what is kept of them, how they come back, and when they are forgotten.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AdminRows } from "../../src/access/index.ts";
import { DeletedUsageRows, DeletedUserRows, OwnerCountRows, resellerOwners } from "../../src/accounts/testing.ts";
import { releaseOwnedUsers, UserUsageRows } from "../../src/accounts/testing.ts";
import { forgetKept } from "../../src/accounts/deleted/forgetting.ts";
import { UserDeviceRows } from "../../src/accounts/records/device.entity.ts";
import { countDeletedUsers } from "../../src/accounts/serving/usage-counting.ts";
import { ResellerUsageRows } from "../../src/accounts/testing.ts";
import { ExpectationFailed, lock, sql } from "../../src/db/index.ts";
import { JournalRows } from "../../src/runtime/index.ts";
import { dialects } from "../database.ts";
import { DAY, START, TestPanel } from "./panel.ts";
import { reseller } from "./resellers.ts";

describe.each(dialects)("deleted accounts on %s", (dialect) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect, resellerOwners);
    await panel.supervisor.start();
    for (const id of [10, 11]) {
      await reseller(panel, id, {}, id === 11 ? { userLimit: 1 } : {});
      panel.reseller(`r${id}`, id);
    }
    await panel.resellers.enter();
  });
  afterAll(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  const make = async (name: string, body: object = {}, token?: string) =>
    panel.ok("POST", "/users", { name, ...body }, token);
  const remove = async (id: number, token?: string) => panel.ok("DELETE", `/users/${id}`, undefined, token);
  const restore = async (id: number, body?: object, token?: string) =>
    panel.call("POST", `/users/${id}/restore`, body, token);
  const listed = async (query = "", token?: string) =>
    (await panel.ok("GET", `/users/deleted${query}`, undefined, token)).items;
  const now = () => Math.floor(panel.clock.now() / 1000);
  const kept = ({ updatedAt: _, ...account }: Record<string, unknown>) => account;
  /** What a node tells of an account that is deleted, as the fleet counts it. */
  const late = async (id: number, up: number, down: number, downRest = 0): Promise<void> => {
    const { commits, reads } = panel.database;
    const sum = { id, up, down, upRest: 0, downRest, at: now(), inbound: 0 };
    const statements = countDeletedUsers(reads, [sum], panel.clock.now());
    await commits.execute({ name: "test.late", statements });
  };
  const rows = async (id: number) => panel.database.reads.find(DeletedUserRows, id);

  // rules users.deleted.1, users.deleted.2
  test("an account comes back whole: credentials, link, counters, devices, its journal", async () => {
    const made = await make("whole", {
      volume: 1000,
      group: "g",
      externalId: "shop-1",
      contact: { email: "a@b.example" },
    });
    await panel.traffic(made.id, 30, 70);
    await panel.database.commits.submit({
      name: "test.devices",
      locks: [],
      decide: (draft) =>
        draft.insert(UserDeviceRows, {
          id: made.id,
          devices: [
            {
              hwid: "h1",
              platform: "",
              osVersion: "",
              model: "",
              userAgent: "",
              ip: "",
              firstSeenAt: START,
              lastSeenAt: START,
            },
          ],
          refused: [],
        }),
    });
    const before = await panel.ok("GET", `/users/${made.id}`);
    await remove(made.id);
    expect((await panel.call("GET", `/users/${made.id}`)).status).toBe(404);
    const [item] = await listed("?q=whole");
    expect(item).toEqual({
      id: made.id,
      name: "whole",
      group: "g",
      adminId: 0,
      deletedAt: now(),
      deletedBy: "root",
      until: now() + 7 * DAY,
      volume: 1000,
      used: 100,
      expiry: 0,
    });
    expect(await panel.ok("GET", `/users/deleted/${made.id}`)).toMatchObject({
      ...item,
      devices: 1,
      subId: made.subId,
      externalId: "shop-1",
      taken: [],
    });
    await panel.advance(5);
    const { status, body: back } = await restore(made.id);
    expect(status).toBe(200);
    expect(kept(back)).toEqual(kept(before));
    expect(back.updatedAt).toBeGreaterThan(before.updatedAt);
    expect(await panel.ok("GET", `/users/${made.id}/devices`)).toMatchObject([{ hwid: "h1" }]);
    expect(await listed("?q=whole")).toEqual([]);
    expect((await restore(made.id)).status).toBe(404);
    expect((await panel.events(made.id)).slice(-2)).toEqual(["user.deleted", "user.restored"]);
    expect(panel.audits.at(-1)).toMatchObject({ key: "users", action: "restore", entityId: String(made.id) });
    const journal = await panel.database.reads.rows(
      JournalRows,
      sql`select * from journal where kind = 'user' and actor_id = ${made.id} order by id`,
    );
    expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, index) => index + 1));
    expect(journal.map(({ event }) => event)).toEqual(expect.arrayContaining(["created", "deleted", "restored"]));
    journal.slice(1).forEach((entry, index) => expect(entry.previous).toBe(journal[index]?.id));
    // Its credentials are its own again.
    expect((await panel.call("POST", "/users", { name: "thief", config: { uuid: made.config.uuid } })).status).toBe(
      400,
    );
    // And again.
    await remove(made.id);
    expect((await restore(made.id)).status).toBe(200);
  });

  // rule users.deleted.3
  test("the chart looks at it: an end that has passed, a person's off, a plan that has not begun", async () => {
    const [ends, off, waits, spent] = [
      await make("ends", { expiry: now() + 60 }),
      await make("off", { enable: false, expiry: now() + 60 }),
      await make("waits", { duration: DAY }),
      await make("spent", { volume: 100 }),
    ];
    for (const { id } of [ends, off, waits, spent]) await remove(id);
    await panel.advance(120);
    await late(spent.id, 60, 40);
    await late(waits.id, 0, 1);
    expect((await restore(ends.id)).body).toMatchObject({ enable: false, disabledReason: "expiry" });
    expect((await panel.events(ends.id)).slice(-4)).toEqual([
      "user.deleted",
      "user.restored",
      "user.disabled",
      "user.expired",
    ]);
    expect((await restore(off.id)).body).toMatchObject({ enable: false, disabledReason: "manual" });
    expect((await restore(spent.id)).body).toMatchObject({ enable: false, disabledReason: "volume", up: 60, down: 40 });
    const { body: begun } = await restore(waits.id);
    expect(begun).toMatchObject({ enable: true, activatedAt: now(), expiry: now() + DAY });
    // Its deadlines are armed again.
    await panel.advance(DAY + 1);
    await panel.until(waits.id, (user) => user.disabledReason === "expiry");
  });

  // rule users.deleted.4
  test("what others have by now is 409 with its field; the body chooses another", async () => {
    const config = { uuid: "7f3b1c52-8e3f-4c3a-9a52-0d8f5a1e6b01" };
    const gone = await make("taken", { subId: "takenlink", externalId: "shop-9", config });
    await remove(gone.id);
    // Its link is nobody else's meanwhile, unless an older version deleted it, which kept none.
    await panel.database.commits.execute({
      name: "older",
      statements: [panel.database.reads.statement("links", sql`delete from ended_links`)],
    });
    const other = await make("taken", { subId: "takenlink", externalId: "shop-9", config });
    const fields = ["name", "subId", "externalId", "config.uuid"];
    expect((await panel.ok("GET", `/users/deleted/${gone.id}`)).taken).toEqual(fields);
    const chosen = [{}, { name: "taken-2" }, { subId: "link-2" }, { externalId: "" }, { credentials: true }];
    let body = {};
    const refused = [];
    for (const more of chosen) {
      body = { ...body, ...more };
      const answer = await restore(gone.id, body);
      if (answer.status === 200)
        expect(answer.body).toMatchObject({ name: "taken-2", subId: "link-2", externalId: "" });
      else {
        expect(answer).toMatchObject({ status: 409, body: { code: "duplicate" } });
        refused.push(answer.body.field);
      }
    }
    expect(refused).toEqual(fields);
    expect((await panel.ok("GET", `/users/${gone.id}`)).config.uuid).not.toBe(config.uuid);
    expect((await panel.ok("GET", `/users/${other.id}`)).config.uuid).toBe(config.uuid);
    expect(await restore(gone.id, { subId: "no such link!" })).toMatchObject({ status: 404 });
  });

  // rule users.deleted.4
  test("so is a credential that another account has for one protocol by now", async () => {
    const uuid = "7f3b1c52-8e3f-4c3a-9a52-0d8f5a1e6b77";
    const { id } = await make("rival", { config: { uuid } });
    await remove(id);
    await make("rivals", { config: { by: { vless: { uuid } } } });
    expect((await panel.ok("GET", `/users/deleted/${id}`)).taken).toEqual(["config.uuid"]);
    expect(await restore(id)).toMatchObject({ status: 409, body: { code: "duplicate", field: "config.uuid" } });
    expect((await restore(id, { credentials: true })).status).toBe(200);
  });

  // rules users.deleted.5, resellers.meter.4
  test("late usage goes to the deleted row and against the reseller's allowance, and comes back with the account", async () => {
    const { id } = await make("late", {}, "r10");
    await panel.traffic(id, 1, 2);
    const { reads } = panel.database;
    const used = async () => {
      const row = await reads.find(ResellerUsageRows, 10);
      return (row?.used ?? 0) * 1_000_000 + (row?.rest ?? 0);
    };
    const before = await used();
    await remove(id, "r10");
    await late(id, 10, 20, 600_000);
    await late(id, 1, 1, 600_000);
    expect(await used()).toBe(before + 33_200_000);
    expect((await listed("?q=late", "r10"))[0]).toMatchObject({ used: 3 + 33 });
    expect((await restore(id, {}, "r10")).body).toMatchObject({ up: 12, down: 24, totalUp: 12, totalDown: 24 });
    expect(await reads.find(UserUsageRows, id)).toMatchObject({ downRest: 200_000, adminId: 10 });
    expect(await reads.find(DeletedUsageRows, id)).toBeUndefined();
    // An account that came back meanwhile is not counted as deleted: the whole is looked at again.
    await expect(late(id, 5, 5)).rejects.toThrow(ExpectationFailed);
    expect(await used()).toBe(before + 33_200_000);
    await remove(id, "r10");
  });

  // rule users.deleted.6
  test("a reseller sees and restores its own alone, within its limits", async () => {
    const own = await make("own", {}, "r10");
    const others = await make("others");
    const capped = await make("capped", {}, "r11");
    for (const { id } of [own, others, capped]) await remove(id);
    expect((await listed("?q=own", "r10")).map(({ id }: { id: number }) => id)).toEqual([own.id]);
    expect(await listed("?q=others", "r10")).toEqual([]);
    expect((await listed("?q=own&admin_id=10")).length).toBe(1);
    expect(await listed("?q=own&admin_id=0")).toEqual([]);
    for (const id of [others.id, capped.id]) {
      expect((await restore(id, {}, "r10")).status).toBe(404);
      expect((await panel.call("GET", `/users/deleted/${id}`, undefined, "r10")).status).toBe(404);
      expect((await panel.call("DELETE", `/users/deleted/${id}`, undefined, "r10")).status).toBe(404);
    }
    expect((await restore(own.id, {}, "r10")).body).toMatchObject({ adminId: 10 });
    const instead = await make("instead", {}, "r11");
    expect((await restore(capped.id, {}, "r11")).status).toBe(403);
    await remove(instead.id, "r11");
    const counted = (await panel.database.reads.find(OwnerCountRows, 11))?.users ?? 0;
    expect((await restore(capped.id, {}, "r11")).status).toBe(200);
    expect(await panel.database.reads.find(OwnerCountRows, 11)).toEqual({ id: 11, users: counted + 1 });
    panel.narrowed("reader", ["users:read"]);
    expect((await restore(others.id, {}, "reader")).status).toBe(403);
    // A caller who may read journals sees who deleted the account.
    expect((await listed("?q=others", "reader"))[0]).toMatchObject({ deletedBy: "root" });
  });

  // rule users.deleted.6
  test("the deleted accounts of a reseller that is gone are the panel's", async () => {
    await reseller(panel, 12);
    const { id } = await make("orphan", { adminId: 12 });
    await remove(id);
    const { commits, reads } = panel.database;
    await commits.submit({
      name: "test.delete",
      locks: [lock(AdminRows, 12)],
      decide: (draft) => draft.delete(AdminRows, 12),
    });
    await releaseOwnedUsers({ commits, reads, now, zone: () => "" });
    expect(await rows(id)).toMatchObject({ adminId: 0 });
    expect((await restore(id)).body).toMatchObject({ adminId: 0 });
  });

  // rule users.deleted.7
  test("after their days they are gone, also before they are swept; 0 keeps none", async () => {
    const { commits, reads } = panel.database;
    const { id } = await make("old");
    await remove(id);
    await panel.advance(7 * DAY - 1);
    expect((await listed("?q=old")).length).toBe(1);
    await panel.advance(1);
    expect(await listed("?q=old")).toEqual([]);
    expect((await restore(id)).status).toBe(404);
    expect(await rows(id)).toBeDefined();
    await forgetKept({ commits, reads }, now(), 7);
    expect(await rows(id)).toBeUndefined();
    panel.settings.set("deleted_retention_days", "0");
    const never = await make("never");
    await remove(never.id);
    expect(await rows(never.id)).toBeUndefined();
    panel.settings.delete("deleted_retention_days");
  });

  // rule users.deleted.8
  test("one that is forgotten for ever does not come back", async () => {
    const { id } = await make("forgotten");
    await remove(id);
    expect(await panel.ok("DELETE", `/users/deleted/${id}`)).toEqual({ ok: true });
    expect(panel.audits.at(-1)).toMatchObject({ key: "users", action: "forget", entityId: String(id) });
    expect((await restore(id)).status).toBe(404);
    expect((await panel.call("DELETE", `/users/deleted/${id}`)).status).toBe(404);
  });

  // rule users.deleted.2
  test("of many who restore one account at once, one does", async () => {
    const { id } = await make("once");
    await remove(id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => restore(id)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 404, 404, 404, 404,
    ]);
  });
});
