// Plans: what an account starts with, who may see and write them, and what changing one does not touch.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resellerOwners } from "../../src/accounts/testing.ts";
import { dialects } from "../database.ts";
import { DAY, START, TestPanel } from "./panel.ts";
import { reseller } from "./resellers.ts";

const GB = 1024 ** 3;

describe.each(dialects)("plans on %s", (dialect) => {
  let panel: TestPanel;
  let template: number;
  let serial = 0;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect, resellerOwners);
    template = (await panel.ok("POST", "/templates", { name: "servers" })).id;
  });
  afterAll(() => panel.dispose());

  const plan = (fields: object) => panel.ok("POST", "/plans", { name: "plan", ...fields });

  // rule users.plan.1
  test("a plan writes its limits, zeros too, over the body of a create, and wraps the name", async () => {
    const made = await plan({
      name: "Gold",
      volume: 5 * GB,
      days: 30,
      ipLimit: 2,
      templateIds: [template],
      group: "gold",
      namePrefix: "g-",
      nameSuffix: "-1",
      autoReset: true,
      resetPeriod: "monthly",
    });
    const body = { volume: 1, deviceLimit: 9, speedLimit: 9, duration: 9, group: "mine", resetDays: 3, remark: "kept" };
    const user = await panel.ok("POST", "/users", { name: "ali", ...body, planId: made.id });
    expect(user).toMatchObject({
      name: "g-ali-1",
      volume: 5 * GB,
      deviceLimit: 0,
      speedLimit: 0,
      ipLimit: 2,
      expiry: START + 30 * DAY,
      duration: 0,
      group: "gold",
      remark: "kept",
      allTemplates: false,
      templateIds: [template],
      resetPeriod: "monthly",
      resetDays: 0,
      resetStartDay: 1,
    });
    expect(user.nextReset).toBeGreaterThan(START);
    const long = await panel.call("POST", "/users", { name: "n".repeat(125), planId: made.id });
    expect([long.status, long.body.field]).toEqual([400, "name"]);
  });

  // rule users.plan.2
  test("the term begins at once, with the first connection, or never ends", async () => {
    const first = await plan({ days: 7, onFirstUse: true });
    const endless = await plan({ volume: GB });
    expect(await panel.ok("POST", "/users", { name: "waits", planId: first.id })).toMatchObject({
      duration: 7 * DAY,
      expiry: 0,
      activatedAt: 0,
      allTemplates: true,
    });
    const free = { name: "endless", expiry: START + DAY, planId: endless.id };
    expect(await panel.ok("POST", "/users", free)).toMatchObject({ expiry: 0, duration: 0, volume: GB });
  });

  // rule users.plan.3
  test("accounts keep what they have when their plan changes or goes", async () => {
    const made = await plan({ volume: GB, days: 1 });
    const user = await panel.ok("POST", "/users", { name: "stays", planId: made.id });
    expect(await panel.ok("PUT", `/plans/${made.id}`, { name: "other" })).toMatchObject({
      name: "other",
      volume: 0,
      days: 0,
      allTemplates: true,
    });
    const outdated = await panel.call("PUT", `/plans/${made.id}`, { name: "late", version: made.updatedAt - 1 });
    expect([outdated.status, outdated.body.code, outdated.body.current.name]).toEqual([
      409,
      "version_conflict",
      "other",
    ]);
    await panel.ok("DELETE", `/plans/${made.id}`);
    expect((await panel.call("GET", `/plans/${made.id}`)).status).toBe(404);
    expect(await panel.ok("GET", `/users/${user.id}`)).toEqual(user);
    expect((await panel.call("POST", "/users", { name: "late", planId: made.id })).body.field).toBe("planId");
  });

  // rules users.plan.4, users.renew.5
  test("a renewal by a plan takes its limits and adds its length", async () => {
    const made = await plan({ volume: 3 * GB, days: 10, deviceLimit: 2, templateIds: [template] });
    const { id } = await panel.ok("POST", "/users", { name: "renews", group: "own", expiry: START + 5 * DAY });
    const limits = { volume: 3 * GB, deviceLimit: 2, templateIds: [template], allTemplates: false, group: "own" };
    expect(await panel.ok("POST", `/users/${id}/renew`, { planId: made.id })).toMatchObject({
      ...limits,
      expiry: START + 15 * DAY,
      term: 10 * DAY,
    });
    // Without a plan it goes on by the same length.
    expect((await panel.ok("POST", `/users/${id}/renew`)).expiry).toBe(START + 25 * DAY);
    const until = await panel.ok("POST", `/users/${id}/renew`, { planId: made.id, expiry: START + 40 * DAY });
    expect(until).toMatchObject({ ...limits, expiry: START + 40 * DAY });

    const waiting = await panel.ok("POST", "/users", { name: "waiting", duration: 4 * DAY });
    const renewed = await panel.ok("POST", `/users/${waiting.id}/renew`, { planId: made.id });
    expect(renewed).toMatchObject({ ...limits, group: "", duration: 14 * DAY, activatedAt: 0 });

    const endless = await plan({ volume: GB, group: "free" });
    expect(await panel.ok("POST", `/users/${id}/renew`, { planId: endless.id })).toMatchObject({
      volume: GB,
      expiry: 0,
      duration: 0,
      term: 0,
      group: "free",
    });
    expect((await panel.call("POST", `/users/${id}/renew`, { planId: 99_999 })).body.field).toBe("planId");
  });

  // rule users.plan.5
  test("a deleted template leaves plans; a plan of a template that there is not is refused", async () => {
    const { id } = await panel.ok("POST", "/templates", { name: "goes" });
    const made = await plan({ templateIds: [id, template] });
    await panel.ok("DELETE", `/templates/${id}`);
    expect(await panel.ok("GET", `/plans/${made.id}`)).toMatchObject({ templateIds: [template], allTemplates: false });
    expect((await panel.call("POST", "/plans", { name: "p", templateIds: [id] })).body.field).toBe("templateIds");
    const odd = { name: "p", autoReset: true, resetPeriod: "weekly", resetStartDay: 9 };
    expect((await panel.call("POST", "/plans", odd)).body.field).toBe("resetStartDay");
  });

  // rule users.plan.6
  test("plans are listed in their order, which one request changes", async () => {
    const own = await Promise.all([3, 1, 2].map((n) => plan({ name: `order ${n}`, sortOrder: n })));
    const listed = async () =>
      (await panel.ok("GET", "/plans?q=order")).items.map(({ name }: { name: string }) => name);
    expect(await listed()).toEqual(["order 1", "order 2", "order 3"]);
    const [three, one, two] = own.map(({ id }) => id);
    await panel.ok("PUT", "/plans/order", { ids: [two, three, two] });
    expect(await listed()).toEqual(["order 2", "order 3", "order 1"]);
    expect((await panel.call("PUT", "/plans/order", { ids: [one, 99_999] })).body.field).toBe("ids");
    expect(await listed()).toEqual(["order 2", "order 3", "order 1"]);
  });

  // rules users.plan.7, users.owner.5
  test("resellers read plans and write none; one that sells plans only sees and uses its own", async () => {
    const mine = await plan({ name: "granted", volume: GB, days: 1, namePrefix: "m-" });
    const other = await plan({ name: "not granted" });
    await reseller(panel, 30, {}, {});
    await reseller(panel, 31, {}, { plansOnly: true, planIds: [mine.id, 99_998] });
    panel.reseller("free", 30);
    panel.reseller("planner", 31);
    const names = async (token: string) =>
      (await panel.ok("GET", "/plans", undefined, token)).items.map(({ name }: { name: string }) => name);
    expect(await names("free")).toContain("not granted");
    expect(await names("planner")).toEqual(["granted"]);
    expect((await panel.call("GET", `/plans/${other.id}`, undefined, "planner")).status).toBe(404);
    for (const token of ["free", "planner"]) {
      expect((await panel.call("POST", "/plans", { name: "own" }, token)).status).toBe(403);
      expect((await panel.call("PUT", "/plans/order", { ids: [] }, token)).status).toBe(403);
    }
    const user = await panel.ok("POST", "/users", { name: "sold", planId: mine.id }, "planner");
    expect(user).toMatchObject({ name: "m-sold", volume: GB, adminId: 31 });
    for (const planId of [0, other.id, 99_998]) {
      const refused = await panel.call("POST", "/users", { name: "no", planId }, "planner");
      expect([planId, refused.status, refused.body.field]).toEqual([planId, 403, "planId"]);
      if (planId === 0) continue;
      const renewal = await panel.call("POST", `/users/${user.id}/renew`, { planId }, "planner");
      expect([renewal.status, renewal.body.field]).toEqual([403, "planId"]);
    }
    await panel.ok("POST", `/users/${user.id}/renew`, { planId: mine.id }, "planner");
    const dated = { planId: mine.id, expiry: START + 90 * DAY };
    expect((await panel.call("POST", `/users/${user.id}/renew`, dated, "planner")).body.field).toBe("expiry");
    expect((await panel.ok("POST", "/users", { name: "any", planId: other.id }, "free")).adminId).toBe(30);
  });

  // rule users.owner.5
  test.each([
    ["POST", "/reset-usage", {}, "used"],
    ["PATCH", "", { nextReset: START + DAY }, "nextReset"],
    ["PATCH", "", { autoReset: true, resetDays: 1 }, "autoReset"],
    ["PATCH", "", { volume: 5 * GB }, "volume"],
    ["PUT", "", { autoReset: true, resetPeriod: "weekly", resetStartDay: 1 }, "volume"],
    ["POST", "/extend", { bytes: 1 }, "bytes"],
  ] as const)("who sells plans only resets nothing by %s %s %o", async (method, path, body, field) => {
    const sold = await plan({ name: `sold-${++serial}`, volume: GB, days: 30 });
    const adminId = 400 + serial;
    await reseller(panel, adminId, {}, { plansOnly: true, planIds: [sold.id] });
    panel.reseller(`seller-${adminId}`, adminId);
    const as = `seller-${adminId}`;
    const { id, name } = await panel.ok("POST", "/users", { name: `sold-${serial}`, planId: sold.id }, as);
    await panel.traffic(id, 10, 20);
    const named = method === "PUT" ? { name, ...body } : body;
    const refused = await panel.call(method, `/users/${id}${path}`, named, as);
    expect([refused.status, refused.body.code, refused.body.field]).toEqual([403, "forbidden", field]);
    expect(await panel.ok("GET", `/users/${id}`)).toMatchObject({ up: 10, down: 20, volume: GB, autoReset: false });
    // A renewal does.
    expect(await panel.ok("POST", `/users/${id}/renew`, {}, as)).toMatchObject({ up: 0, down: 0 });
  });

  // rule users.plan.8
  test("caps of a reseller's role hold for what a plan writes", async () => {
    await reseller(panel, 32, { maxDuration: 30 * DAY, maxDeviceLimit: 3 }, {});
    const within = await plan({ days: 30, deviceLimit: 3 });
    const long = await plan({ days: 31, deviceLimit: 3 });
    const wide = await plan({ days: 30 });
    const create = async (planId: number) =>
      (await panel.call("POST", "/users", { name: `cap ${planId}`, adminId: 32, planId })).body;
    expect((await create(within.id)).adminId).toBe(32);
    expect((await create(long.id)).field).toBe("expiry");
    expect((await create(wide.id)).field).toBe("deviceLimit");
  });
});
