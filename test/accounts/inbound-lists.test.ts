// Inbounds of an account: who may be given which, where it counts, and what a deleted inbound leaves behind.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { resellerOwners } from "../../src/accounts/testing.ts";
import { sql } from "../../src/db/index.ts";
import { DepartureRows } from "../../src/pool/testing.ts";
import { dialects } from "../database.ts";
import { TestPanel } from "./panel.ts";
import { reseller } from "./resellers.ts";

describe.each(dialects)("inbounds of accounts on %s", (dialect) => {
  let panel: TestPanel;
  let template = 0;
  /** Carried by the template. */
  let [one, two] = [0, 0];
  let names = 0;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect, resellerOwners);
    one = await inbound("one", "vless", 443);
    two = await inbound("two", "trojan", 8443);
    template = (await panel.ok("POST", "/templates", { name: "t", inboundIds: [one, two] })).id;
    const node = { id: 1, templateId: template, name: "n", remark: "", address: "192.0.2.1", linkAddress: "" };
    panel.entryNodes = [{ ...node, vision: true, multiplex: true }];
    const listens = new Set(["one", "two"]);
    panel.standings.set(1, { name: "n", state: "serving", latest: true, appliedAt: 0, refused: false, listens });
  });
  afterAll(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  const inbound = async (tag: string, type: string, port: number): Promise<number> =>
    (await panel.ok("POST", "/inbounds", { tag, type, config: { listen_port: port } })).id;
  const made = async (fields: object = {}) => panel.ok("POST", "/users", { name: `u${++names}`, ...fields });
  const links = async (id: number): Promise<string[]> => {
    const { subId } = await panel.ok("GET", `/users/${id}`);
    const answer = await panel.api.app.inject({ method: "GET", url: `/sub/${subId}?format=links` });
    return answer.body.split("\n").flatMap((line) => line.split("://")[0] || []);
  };

  // rules subscriptions.entry.13, users.verdict.1
  test("an inbound on loopback is listed only where something leads to it", async () => {
    onTestFinished(() => {
      panel.entryNodes = nodes;
    });
    const nodes = panel.entryNodes;
    const create = async (tag: string, config: object, more: object = {}) =>
      (await panel.ok("POST", "/inbounds", { tag, type: "trojan", config, ...more })).id as number;
    const put = (id: number, body: object) => panel.ok("PUT", `/inbounds/${id}`, body);
    const inside = await create("inside", { listen: "127.0.0.1", listen_port: 9443 });
    const own = (await panel.ok("POST", "/templates", { name: "inside", inboundIds: [inside] })).id as number;
    const [node] = nodes;
    if (!node) throw new Error("no node");
    panel.entryNodes = [{ ...node, templateId: own }];
    const { id, subId } = await made({ templateIds: [own] });
    const listed = async () => {
      const { body } = await panel.api.app.inject({ method: "GET", url: `/sub/${subId}?format=links` });
      const { entries, omitted } = await panel.ok("GET", `/users/${id}/sub/preview?format=links`);
      const lines = body.split("\n").filter((line: string) => line.includes("9443") || line.includes("cdn.test"));
      expect(entries).toHaveLength(lines.length);
      return { links: lines.length, omitted: omitted.map(({ code }: { code: string }) => code) };
    };
    const left = { links: 0, omitted: ["loopback"] };
    expect(await listed()).toEqual(left);
    const { checks } = await panel.ok("GET", `/users/${id}/verdict`);
    expect(checks[6]).toMatchObject({ check: "served", state: "failed", code: "on_loopback", values: [1] });
    for (const listen of ["::1", "127.8.9.10", "::ffff:127.0.0.1"]) {
      await put(inside, { config: { listen, listen_port: 9443 } });
      expect(await listed()).toEqual(left);
    }
    for (const listen of ["::", "0.0.0.0", "192.0.2.1"]) {
      await put(inside, { config: { listen, listen_port: 9443 } });
      expect(await listed()).toEqual({ links: 1, omitted: [] });
    }
    await put(inside, { config: { listen: "127.0.0.1", listen_port: 9443 } });
    // What says how clients come there.
    for (const clientConfig of [{ server: "edge.test" }, { server_port: 9443 }]) {
      await put(inside, { clientConfig });
      expect(await listed()).toEqual({ links: 1, omitted: [] });
    }
    await put(inside, { clientConfig: {} });
    // A front.
    await put(inside, { config: { listen: "127.0.0.1", listen_port: 9443, transport: { type: "ws" } } });
    const front = await panel.ok("POST", "/fronts", { name: "cdn", domain: "cdn.test" });
    await panel.ok("PUT", `/inbounds/${inside}/fronts`, { frontIds: [front.id] });
    expect(await listed()).toEqual({ links: 1, omitted: ["loopback"] });
    await panel.ok("PUT", `/inbounds/${inside}/fronts`, { frontIds: [] });
    expect(await listed()).toEqual(left);
    // A node whose clients are on its own machine.
    panel.entryNodes = [{ ...node, templateId: own, linkAddress: "127.0.0.1,de.test" }];
    expect(await listed()).toEqual({ links: 1, omitted: [] });
  });

  // rule users.inbounds.1
  test("null is every inbound of its templates, a list these alone, an empty one none", async () => {
    const user = await made();
    expect(user.inboundIds).toBeNull();
    expect(await links(user.id)).toEqual(["vless", "trojan"]);
    const patched = await panel.ok("PATCH", `/users/${user.id}`, { inboundIds: [two, two, one] });
    expect(patched.inboundIds).toEqual([one, two]);
    // Another order is no change.
    expect(await panel.ok("PATCH", `/users/${user.id}`, { inboundIds: [two, one] })).toEqual(patched);
    await panel.ok("PATCH", `/users/${user.id}`, { inboundIds: [two] });
    expect(await links(user.id)).toEqual(["trojan"]);
    await panel.ok("PATCH", `/users/${user.id}`, { inboundIds: [] });
    expect(await links(user.id)).toEqual([]);
    const { checks } = await panel.ok("GET", `/users/${user.id}/verdict`);
    expect(checks.find(({ check }: { check: string }) => check === "served")).toMatchObject({
      state: "failed",
      code: "none_chosen",
      action: { method: "PATCH", path: `/users/${user.id}` },
    });
    // A full replace without it is everything again.
    expect(await panel.ok("PUT", `/users/${user.id}`, { name: user.name, enable: true })).toMatchObject({
      inboundIds: null,
    });
    expect(await links(user.id)).toEqual(["vless", "trojan"]);
  });

  // rule users.inbounds.4
  test("ids that name nothing are 400 with the field, also in plans and of many", async () => {
    const user = await made();
    const refused = { status: 400, body: { field: "inboundIds" } };
    expect(await panel.call("POST", "/users", { name: "absent", inboundIds: [one, 999] })).toMatchObject(refused);
    expect(await panel.call("PATCH", `/users/${user.id}`, { inboundIds: [999] })).toMatchObject(refused);
    expect(await panel.call("PUT", `/users/${user.id}`, { name: user.name, inboundIds: [999] })).toMatchObject(refused);
    expect(await panel.call("POST", "/plans", { name: "p", inboundIds: [999] })).toMatchObject(refused);
    expect(await panel.call("PATCH", `/users/${user.id}`, { inboundIds: ["1"] })).toMatchObject({ status: 400 });
  });

  // rule users.inbounds.5
  test("a plan gives its list to the accounts that are made or renewed by it", async () => {
    const plan = await panel.ok("POST", "/plans", { name: "p", days: 30, inboundIds: [two] });
    const user = await made({ planId: plan.id, inboundIds: [one] });
    expect(user.inboundIds).toEqual([two]);
    await panel.ok("PUT", `/plans/${plan.id}`, { name: "p", days: 30 });
    expect(await panel.ok("GET", `/users/${user.id}`)).toMatchObject({ inboundIds: [two] });
    expect(await panel.ok("POST", `/users/${user.id}/renew`, { planId: plan.id })).toMatchObject({ inboundIds: null });
  });

  // rule users.inbounds.4
  test("a reseller chooses for its own accounts, and not where it sells plans only", async () => {
    await reseller(panel, 20);
    await reseller(panel, 21, {}, { plansOnly: true });
    for (const id of [20, 21]) panel.reseller(`r${id}`, id);
    const mine = await panel.ok("POST", "/users", { name: "mine", inboundIds: [one] }, "r20");
    expect(mine.inboundIds).toEqual([one]);
    const theirs = await made({ adminId: 21 });
    expect(await panel.call("PATCH", `/users/${theirs.id}`, { inboundIds: [one] }, "r21")).toMatchObject({
      status: 403,
      body: { field: "inboundIds" },
    });
    expect((await panel.call("PATCH", `/users/${theirs.id}`, { inboundIds: [one] }, "r20")).status).toBe(404);
  });

  // rules users.inbounds.6, users.inbounds.7
  test("the list's filters by inbound and protocol leave out who may not use it", async () => {
    const group = "filtered";
    const [all, first, none] = [
      await made({ group }),
      await made({ group, inboundIds: [one] }),
      await made({ group, inboundIds: [] }),
    ];
    const found = async (query: string): Promise<number[]> =>
      (await panel.ok("GET", `/users?group=${group}&${query}`)).items.map(({ id }: { id: number }) => id);
    expect(await found(`inbound_id=${one}`)).toEqual([all.id, first.id]);
    expect(await found(`inbound_id=${two}`)).toEqual([all.id]);
    expect(await found("protocol=vless")).toEqual([all.id, first.id]);
    expect(await found("protocol=trojan")).toEqual([all.id]);
    expect(await found(`template_id=${template}`)).toEqual([all.id, first.id, none.id]);
    // A node serves those who may use one of its inbounds.
    const other = (await panel.ok("POST", "/templates", { name: "other", inboundIds: [two] })).id;
    const empty = (await panel.ok("POST", "/templates", { name: "empty", inboundIds: [] })).id;
    [template, other, empty].forEach((id, at) => panel.nodeTemplates.set(at + 1, id));
    expect(await found("node_id=1")).toEqual([all.id, first.id]);
    expect(await found("node_id=2")).toEqual([all.id]);
    expect(await found("node_id=3")).toEqual([all.id]);
  });

  // rule users.inbounds.3
  test("a deleted inbound leaves the lists in the same moment, and nobody else is touched", async () => {
    const gone = await inbound("gone", "vless", 9443);
    await panel.ok("PUT", `/templates/${template}`, { inboundIds: [one, two, gone] });
    const [free, some, only] = [
      await made(),
      await made({ inboundIds: [one, gone] }),
      await made({ inboundIds: [gone] }),
    ];
    const plan = await panel.ok("POST", "/plans", { name: "p", inboundIds: [gone, two] });
    await panel.ok("DELETE", `/inbounds/${gone}`);
    const now = async (id: number) => panel.ok("GET", `/users/${id}`);
    expect(await now(free.id)).toEqual(free);
    expect(await now(some.id)).toMatchObject({ inboundIds: [one] });
    expect((await now(some.id)).updatedAt).toBeGreaterThan(some.updatedAt);
    expect(await now(only.id)).toMatchObject({ inboundIds: [], enable: true });
    expect(await links(only.id)).toEqual([]);
    expect(await panel.ok("GET", `/plans/${plan.id}`)).toMatchObject({ inboundIds: [two] });
    const left = sql`select * from departures where kind = 'account' and subject in (${free.id}, ${some.id}, ${only.id}) order by subject`;
    expect(await panel.database.reads.rows(DepartureRows, left)).toMatchObject([
      { subject: some.id, was: null, inbounds: [one, gone] },
      { subject: only.id, was: null, inbounds: [gone] },
    ]);
    // A row that is kept in memory since before says the same.
    expect(await panel.ok("PATCH", `/users/${some.id}`, { remark: "seen" })).toMatchObject({ inboundIds: [one] });
  });

  // rule users.inbounds.3
  test("a deletion that is refused leaves the lists as they are", async () => {
    const { id } = await made({ inboundIds: [one] });
    expect((await panel.call("DELETE", "/inbounds/999999")).status).toBe(404);
    expect(await panel.ok("GET", `/users/${id}`)).toMatchObject({ inboundIds: [one] });
  });
});
