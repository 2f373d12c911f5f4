// Bulk operations on users: what they select, what they do to each, what they answer and tell.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { jobEnded, makeUsers, newReseller } from "./users.ts";

describe.each(dialects)("bulk operations on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const bulk = (op: string, query: string, body?: object, headers?: Record<string, string>) =>
    panel.call("POST", `/api/v1/users/bulk/${op}${query}`, body, headers);
  const user = async (id: number | undefined) => (await panel.call("GET", `/api/v1/users/${id}`)).body;

  // rule jobs.bulk.1
  test("without filters, ids or all it is refused, and a parameter that is none selects nothing", async () => {
    expect(await bulk("disable", "")).toMatchObject({ status: 400, body: { field: "ids" } });
    expect(await bulk("disable", "?colour=red&limit=5&dryRun=true")).toMatchObject({ status: 400 });
    expect(await bulk("disable", "?all=false")).toMatchObject({ status: 400 });
    expect(await bulk("explode", "?all=true")).toMatchObject({ status: 404 });
    expect(await bulk("extend", "?all=true")).toMatchObject({ status: 400, body: { field: "seconds" } });
  });

  // rules jobs.bulk.1, jobs.bulk.2
  test("it does what is asked to those that the filters select, and to nobody else", async () => {
    const [one, two] = await makeUsers(panel, 2, { group: "chosen" });
    const [other] = await makeUsers(panel, 1, { group: "others" });
    const off = await bulk("disable", "?group=chosen");
    expect(off).toMatchObject({
      status: 200,
      body: { op: "disable", matched: 2, affected: 2, blocked: 0, failed: 0, problems: [] },
    });
    expect(off.body.error).toBeUndefined();
    for (const id of [one, two]) expect(await user(id)).toMatchObject({ enable: false, disabledReason: "manual" });
    expect(await user(other)).toMatchObject({ enable: true });
    // What has what is asked for already is no change.
    expect((await bulk("disable", "?group=chosen")).body).toMatchObject({ matched: 2, affected: 0 });
    expect((await bulk("enable", "?group=chosen", { ids: [one, other] })).body).toMatchObject({
      matched: 1,
      affected: 1,
    });
    expect(await user(two)).toMatchObject({ enable: false });
  });

  // rule users.owner.5
  test.each(["", "?async=true", "?dryRun=true"])(
    "who sells plans only resets nobody's usage in bulk%s",
    async (query) => {
      const seller = await newReseller(panel, { plansOnly: true, planIds: [] });
      const [id] = await makeUsers(panel, 1, { adminId: seller.id, volume: 1000 });
      const send = (op: string, body: object) =>
        panel.call("POST", `/api/v1/users/bulk/${op}${query}`, body, seller.headers);
      for (const body of [{ ids: [id] }, { ids: [] }]) {
        const refused = await send("reset-usage", body);
        expect([refused.status, refused.body.code, refused.body.field]).toEqual([403, "forbidden", "used"]);
      }
      expect((await send("disable", { ids: [id] })).status).toBe(query === "?async=true" ? 202 : 200);
    },
  );

  // rule jobs.bulk.2
  test("each operation is the one of a single account", async () => {
    const expiry = Math.floor(Date.now() / 1000) + 86_400;
    const [id] = await makeUsers(panel, 1, { volume: 1000, expiry });
    const before = await user(id);
    const does = async (op: string, body: object) => {
      expect((await bulk(op, "", { ids: [id], ...body })).body).toMatchObject({
        matched: 1,
        affected: 1,
        problems: [],
      });
      return user(id);
    };
    expect(await does("extend", { seconds: 60 })).toMatchObject({ expiry: expiry + 60 });
    expect(await does("add-volume", { bytes: 500 })).toMatchObject({ volume: 1500 });
    const both = { seconds: 40, bytes: 5 };
    expect(await does("extend", both)).toMatchObject({ expiry: expiry + 100, volume: 1505 });
    expect(await does("edit", { set: { remark: "seen", deviceLimit: 3 } })).toMatchObject({
      remark: "seen",
      deviceLimit: 3,
    });
    expect((await does("rotate-sub", {})).subToken).not.toBe(before.subToken);
    expect(await does("renew", { days: 30 })).toMatchObject({ expiry: expiry + 100 + 30 * 86_400, term: 30 * 86_400 });
    expect(await does("renew", {})).toMatchObject({ expiry: expiry + 100 + 60 * 86_400 });
    const reseller = await newReseller(panel);
    expect(await does("assign", { adminId: reseller.id })).toMatchObject({ adminId: reseller.id });
    expect((await bulk("reset-usage", "", { ids: [id] })).body).toMatchObject({ matched: 1, affected: 0 });
    expect((await bulk("edit", "", { ids: [id], set: {} })).body).toMatchObject({ field: "set" });
    expect((await bulk("edit", "", { ids: [id], set: { name: "other" } })).status).toBe(400);
    await does("delete", {}).catch(() => undefined);
    expect((await panel.call("GET", `/api/v1/users/${id}`)).status).toBe(404);
  });

  // rule jobs.bulk.2
  test("a renewal to a date is of those that have one; who is refused is named", async () => {
    const now = Math.floor(Date.now() / 1000);
    const [dated] = await makeUsers(panel, 1, { expiry: now + 60 });
    const [unstarted] = await makeUsers(panel, 1, { duration: 60 });
    const renewed = await bulk("renew", "", { ids: [dated, unstarted], expiry: now + 5000 });
    expect(renewed.body).toMatchObject({ affected: 2, problems: [] });
    expect(await user(dated)).toMatchObject({ expiry: now + 5000 });
    expect(await user(unstarted)).toMatchObject({ duration: 120 });
    const past = await bulk("renew", "", { ids: [dated], expiry: now - 5 });
    const { name } = await user(dated);
    expect(past.body).toMatchObject({ failed: 1, problems: [{ id: dated, name, code: "validation" }] });
  });

  // rules jobs.bulk.2, users.renew.6
  test("a renewal without days is of those whose term is known; the others are named", async () => {
    const now = Math.floor(Date.now() / 1000);
    const [unsold, past] = await makeUsers(panel, 2, { expiry: now - 60, volume: 5 });
    const [sold] = await makeUsers(panel, 1, { expiry: now - 60, termDays: 31 });
    const [volume] = await makeUsers(panel, 1, { volume: 5, autoReset: true, resetDays: 3 });
    await panel.call("PATCH", `/api/v1/users/${volume}`, { nextReset: now + 60 });
    const ids = [unsold, past, sold, volume];
    for (const query of ["?dryRun=true", ""]) {
      const renewed = await bulk("renew", query, { ids });
      expect(renewed.body).toMatchObject({ matched: 4, affected: 2, blocked: 2 });
      expect(renewed.body.problems).toEqual(
        [unsold, past].map((id) => expect.objectContaining({ id, code: "no_term" })),
      );
    }
    expect((await user(sold)).expiry).toBeGreaterThanOrEqual(now + 31 * 86_400);
    // One that has run out is renewed by days like any other.
    expect((await bulk("renew", "", { ids: [unsold, past], days: 30 })).body).toMatchObject({
      affected: 2,
      problems: [],
    });
    expect(await user(past)).toMatchObject({ enable: true, term: 30 * 86_400 });
    expect(await bulk("renew", "", { ids, days: 3, planId: 1 })).toMatchObject({
      status: 400,
      body: { field: "days" },
    });
  });

  // rule resellers.event.2
  test("what is given to accounts that their reseller keeps off is done, and told as that", async () => {
    const reseller = await newReseller(panel);
    const [id] = await makeUsers(panel, 1, { adminId: reseller.id, volume: 5 });
    const ended = { username: reseller.name, role: reseller.name, enabled: true, expiry: 1 };
    expect((await panel.call("PUT", `/api/v1/admins/${reseller.id}`, ended)).status).toBe(200);
    await vi.waitUntil(async () => (await user(id)).disabledReason === "resale-expiry", { timeout: 60_000 });
    for (const [op, body] of [
      ["renew", { days: 30 }],
      ["add-volume", { bytes: 5 }],
    ] as const)
      for (const query of ["?dryRun=true", ""]) {
        const done = await bulk(op, query, { ids: [id], ...body });
        expect(done.body).toMatchObject({ affected: 1, blocked: 0, failed: 0, problems: [{ id, code: "kept_off" }] });
      }
    expect(await user(id)).toMatchObject({ volume: 10, term: 30 * 86_400, disabledReason: "resale-expiry" });
    expect((await bulk("edit", "", { ids: [id], set: { remark: "x" } })).body).toMatchObject({ problems: [] });
  });

  // rule jobs.bulk.5
  test("one that is refused stays as it is and is listed; the others are done", async () => {
    const past = Math.floor(Date.now() / 1000) - 60;
    const [spent] = await makeUsers(panel, 1, { expiry: past, enable: false });
    const [fine, endless] = await makeUsers(panel, 2, { enable: false });
    const on = await bulk("enable", "", { ids: [spent, fine, 999_999_999] });
    expect(on.body).toMatchObject({ matched: 2, affected: 1, blocked: 1, failed: 1 });
    expect(on.body.problems).toEqual([
      expect.objectContaining({ id: spent, code: "stays_off" }),
      expect.objectContaining({ id: 999_999_999, code: "not_found" }),
    ]);
    expect(await user(fine)).toMatchObject({ enable: true });
    const later = await bulk("extend", "", { ids: [endless], seconds: 5 });
    expect(later.body).toMatchObject({ matched: 1, blocked: 1, problems: [{ code: "nothing_to_extend" }] });
    const taken = await bulk("edit", "", { ids: [fine, endless], set: { externalId: `shop-${fine}` } });
    expect(taken.body).toMatchObject({ affected: 1, failed: 1, problems: [{ id: endless, code: "duplicate" }] });
  });

  // rule jobs.bulk.8
  test("an order that names what is not there is refused as a whole", async () => {
    const ids = await makeUsers(panel, 2, { group: "absent" });
    const operator = (await panel.call("GET", "/api/v1/me")).body.id;
    const refused = async (op: string, body: object, field: string, headers?: Record<string, string>) => {
      for (const query of ["", "?dryRun=true"])
        expect(await bulk(op, query, { ids, ...body }, headers)).toMatchObject({ status: 400, body: { field } });
    };
    for (const adminId of [operator, 999_999]) {
      await refused("assign", { adminId }, "adminId");
      await refused("edit", { set: { adminId, remark: "x" } }, "set.adminId");
    }
    await refused("edit", { set: { templateIds: [999_999] } }, "set.templateIds");
    await refused("edit", { set: { inboundIds: [999_999] } }, "set.inboundIds");
    await refused("renew", { planId: 999_999 }, "planId");
    const jobs = async () => (await panel.call("GET", "/api/v1/jobs?limit=1")).body.total;
    const before = await jobs();
    for (const query of ["?node_id=999999", "?node_id=999999&async=true", "?node_id=999999&dryRun=true"])
      expect(await bulk("disable", query)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await jobs()).toBe(before);
    expect(await user(ids[0])).toMatchObject({ remark: "", allTemplates: true });
    // A reseller does not learn which accounts are resellers.
    const shop = await newReseller(panel, {});
    const [own] = await makeUsers(panel, 1, { adminId: shop.id });
    for (const adminId of [operator, 999_999])
      expect((await bulk("edit", "", { ids: [own], set: { adminId } }, shop.headers)).body).toMatchObject({
        matched: 1,
        affected: 0,
        problems: [{ id: own, code: "forbidden" }],
      });
  });

  // rule jobs.bulk.3
  test("a dry run counts the same and changes nothing", async () => {
    const ids = await makeUsers(panel, 3, { group: "dry" });
    await panel.call("PATCH", `/api/v1/users/${ids[0]}`, { enable: false });
    const before = await Promise.all(ids.map(user));
    for (const op of ["disable", "delete", "rotate-sub"]) {
      const counted = await bulk(op, "?group=dry&dryRun=true");
      expect(counted.body).toMatchObject({ op, matched: 3, affected: op === "disable" ? 2 : 3, failed: 0 });
      expect(counted.body.job).toBeUndefined();
    }
    expect(await Promise.all(ids.map(user))).toEqual(before);
  });

  // rule jobs.bulk.4
  test("one event and one audit record tell of it, and none of each account", async () => {
    const ids = await makeUsers(panel, 3, { group: "told" });
    const { body: before } = await panel.call("GET", "/api/v1/events/log?limit=1");
    const { job } = (await bulk("disable", "?group=told")).body;
    const { body: log } = await panel.call("GET", "/api/v1/events/log?limit=20");
    const fresh = log.items.filter(({ id }: { id: number }) => id > (before.items[0]?.id ?? 0));
    expect(fresh).toHaveLength(1);
    expect(fresh[0]).toMatchObject({
      event: "user.bulk",
      data: { op: "disable", matched: 3, affected: 3, blocked: 0, failed: 0, ids, idsTruncated: false, adminId: 0 },
    });
    const { body: changes } = await panel.call("GET", "/api/v1/changes?limit=1");
    expect(changes.items[0]).toMatchObject({
      key: "users",
      action: "bulk.disable",
      obj: { job, affected: 3, selection: { group: "told" } },
    });
    // The journal says who it was.
    const { body: journal } = await panel.call("GET", `/api/v1/actors/user/${ids[0]}/journal`);
    expect(journal.items[0]).toMatchObject({ event: "switchOff", actor: "root" });
  });

  // rule jobs.bulk.6
  test("with async it is answered at once with the job, which says how far it is", async () => {
    const ids = await makeUsers(panel, 2, { group: "later" });
    const begun = await bulk("disable", "?group=later&async=true");
    expect(begun.status).toBe(202);
    const id = begun.body.job;
    const ended = await jobEnded(panel, id);
    expect(ended).toMatchObject({
      id,
      kind: "users.bulk",
      op: "disable",
      state: "succeeded",
      total: 2,
      done: 2,
      affected: 2,
      error: "",
    });
    expect(await user(ids[0])).toMatchObject({ enable: false });
    const { body: list } = await panel.call("GET", "/api/v1/jobs?state=succeeded&limit=1");
    expect(list.items[0]).toMatchObject({ id });
  });

  // rule jobs.bulk.7
  test("a repeat under the same key adds nothing again", async () => {
    const [id] = await makeUsers(panel, 1, { volume: 100 });
    const key = { "idempotency-key": `add-${dialect}-${id}` };
    const first = await bulk("add-volume", "", { ids: [id], bytes: 10 }, key);
    const again = await bulk("add-volume", "", { ids: [id], bytes: 10 }, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replay")).toBe("true");
    expect(await user(id)).toMatchObject({ volume: 110 });
  });

  // rules jobs.own.1, jobs.bulk.1
  test("a reseller's is about its own accounts, and only its own jobs are there for it", async () => {
    const reseller = await newReseller(panel);
    const own = await makeUsers(panel, 2, { adminId: reseller.id });
    const [others] = await makeUsers(panel, 1, {});
    const mine = await panel.call("POST", "/api/v1/users/bulk/disable?all=true", undefined, reseller.headers);
    expect(mine.body).toMatchObject({ matched: 2, affected: 2, failed: 0 });
    expect(await user(others)).toMatchObject({ enable: true });
    const named = await panel.call("POST", "/api/v1/users/bulk/delete", { ids: [own[0], others] }, reseller.headers);
    expect(named.body).toMatchObject({ matched: 1, affected: 1, failed: 1, problems: [{ id: others }] });
    const moved = await panel.call("POST", "/api/v1/users/bulk/assign?all=true", { adminId: 0 }, reseller.headers);
    expect(moved.status).toBe(403);
    const { job } = (await bulk("disable", "", { ids: [others] })).body;
    for (const [method, path] of [
      ["GET", `/api/v1/jobs/${job}`],
      ["POST", `/api/v1/jobs/${job}/cancel`],
      ["POST", `/api/v1/jobs/${job}/undo`],
    ] as const)
      expect((await panel.call(method, path, undefined, reseller.headers)).status).toBe(404);
    const { body: list } = await panel.call("GET", "/api/v1/jobs", undefined, reseller.headers);
    expect(list.items.map(({ id }: { id: number }) => id)).toEqual([named.body.job, mine.body.job]);
    expect((await panel.call("GET", `/api/v1/jobs/${mine.body.job}`)).status).toBe(200);
  });
});
