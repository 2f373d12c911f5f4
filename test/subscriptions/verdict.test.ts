// Why an account cannot connect: each check made to fail alone.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { EntryNode, NodeStanding } from "../../src/subscriptions/testing.ts";
import { sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { DAY, START, TestPanel } from "../accounts/panel.ts";

describe.each(dialects)("verdicts on %s", (dialect) => {
  let panel: TestPanel;
  let node: EntryNode;
  let names = 0;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    await panel.supervisor.start();
    const inbound = await panel.ok("POST", "/inbounds", { tag: "in", type: "vless", config: { listen_port: 443 } });
    const templateId = (await panel.ok("POST", "/templates", { name: "t", inboundIds: [inbound.id] })).id;
    node = {
      id: 1,
      templateId,
      name: "n",
      remark: "",
      address: "192.0.2.1",
      linkAddress: "",
      vision: true,
      multiplex: true,
    };
    panel.entryNodes = [node];
    answers({});
  });
  afterEach(() => {
    panel.entryNodes = [node];
    answers({});
    panel.settings.delete("device_limit_strict");
  });
  afterAll(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  /** How the node, or another one, serves. */
  function answers(about: Partial<Omit<NodeStanding, "listens">> & { listens?: string[] }, id = 1) {
    const { listens = ["in"], ...more } = about;
    const served = { name: "n", state: "serving", latest: true, appliedAt: START - 60, refused: false } as const;
    panel.standings.set(id, { ...served, ...more, listens: new Set(listens) });
  }

  /** A client asks for the account's link. */
  async function asks(subId: string, headers: Record<string, string> = {}): Promise<number> {
    const answer = await panel.api.app.inject({
      method: "GET",
      url: `/sub/${subId}`,
      headers: { host: "panel.example", ...headers },
    });
    await panel.flushFetches();
    return answer.statusCode;
  }

  /** An account whose link was taken. */
  async function made(body: object = {}): Promise<number> {
    const { id } = await panel.ok("POST", "/users", { name: `u${++names}`, ...body });
    const { commits, reads } = panel.database;
    const taken = sql`update users set sub_fetched_at = ${START}, sub_client = 'app' where id = ${id}`;
    await commits.execute({ name: "test.fetched", statements: [reads.statement("fetched", taken)] });
    return id;
  }
  const verdict = async (id: number, token?: string) => panel.ok("GET", `/users/${id}/verdict`, undefined, token);

  /** Exactly this check failed. */
  async function fails(id: number, check: string, more: object) {
    const { ok, headline, checks } = await verdict(id);
    const failed = checks.filter(({ state }: { state: string }) => state === "failed");
    expect(failed).toEqual([expect.objectContaining({ check, ...more })]);
    expect(ok).toBe(false);
    expect(headline).toBe(failed[0].text);
  }

  async function switchedOffFor(id: number, reason: string, state: string) {
    const { commits, reads } = panel.database;
    const off = sql`update users set enable = ${false}, disabled_reason = ${reason}, mstate = ${state} where id = ${id}`;
    await commits.execute({ name: "test.off", statements: [reads.statement("off", off)] });
  }

  // rules users.verdict.1, users.verdict.2
  test("nothing is wrong: what is not seen fails nothing", async () => {
    const { ok, headline, checks } = await verdict(await made({ volume: 10, expiry: START + 90 * DAY }));
    expect(ok).toBe(true);
    expect(headline).toBe("nothing stands in the way");
    expect(checks.map(({ check, state }: Record<string, string>) => `${check} ${state}`)).toEqual([
      "enabled ok",
      "started ok",
      "date ok",
      "volume ok",
      "reseller ok",
      "licence ok",
      "served ok",
      "applied ok",
      "listening ok",
      "fetched ok",
      "devices ok",
      "addresses ok",
      "refused unknown",
    ]);
    expect((await panel.call("GET", "/users/999999/verdict")).status).toBe(404);
  });

  // rule users.verdict.1
  test("what its own record says", async () => {
    const off = await made({ enable: false });
    const enable = { method: "PATCH", path: `/users/${off}` };
    await fails(off, "enabled", { code: "manual", action: enable, since: START });
    const past = await made({ expiry: START - 1 });
    const renew = { method: "POST", path: `/users/${past}/renew` };
    await fails(past, "date", { code: "expired", values: [START - 1], action: renew });
    const spent = await made({ volume: 10 });
    await panel.traffic(spent, 6, 5);
    await panel.until(spent, (user) => user.disabledReason === "volume");
    await fails(spent, "volume", {
      code: "used_up",
      values: [11, 10],
      action: { method: "POST", path: `/users/${spent}/extend` },
      since: START,
    });
  });

  // rule users.verdict.2
  test("what has not happened yet fails nothing", async () => {
    const { id } = await panel.ok("POST", "/users", { name: "untaken", duration: DAY });
    const { ok, checks } = await verdict(id);
    expect(ok).toBe(true);
    expect(checks).toContainEqual(
      expect.objectContaining({ check: "started", state: "unknown", code: "not_started", values: [DAY] }),
    );
    expect(checks).toContainEqual(
      expect.objectContaining({ check: "fetched", state: "unknown", code: "never_fetched", action: null }),
    );
  });

  // rule users.verdict.1
  test("what its reseller's limits say", async () => {
    const volume = await made();
    await switchedOffFor(volume, "resale-volume", "disabled.resaleVolume");
    await fails(volume, "reseller", { code: "reseller_volume" });
    const ended = await made();
    await switchedOffFor(ended, "resale-expiry", "disabled.resaleExpiry");
    await fails(ended, "reseller", { code: "reseller_expiry" });
  });

  // rule users.verdict.1
  test("what reaches it", async () => {
    const outside = await made({ templateIds: [] });
    const edit = { method: "PATCH", path: `/users/${outside}` };
    await fails(outside, "served", { code: "no_template", action: edit });
    const empty = (await panel.ok("POST", "/templates", { name: "empty" })).id;
    await fails(await made({ templateIds: [empty] }), "served", {
      code: "no_inbound",
      action: { method: "PUT", path: `/templates/${empty}` },
    });
    const other = await panel.ok("POST", "/inbounds", { tag: "other", type: "vless", config: { listen_port: 444 } });
    const nowhere = (await panel.ok("POST", "/templates", { name: "nowhere", inboundIds: [other.id] })).id;
    await fails(await made({ templateIds: [nowhere] }), "served", { code: "no_node", action: null });
    answers({ state: "away" });
    await fails(await made(), "served", { code: "not_connected", values: [1, "n"], action: null });
    const waiting = await verdict(await made({ duration: DAY }));
    expect(waiting.headline).toBe("none of the nodes that serve it is connected");
    expect(waiting.checks.slice(7, 9)).toMatchObject([
      { check: "applied", state: "unknown" },
      { check: "listening", state: "unknown" },
    ]);
  });

  // rule users.verdict.1
  test("what its nodes run", async () => {
    const id = await made();
    answers({ latest: false });
    await fails(id, "applied", {
      code: "unacknowledged",
      text: "1 of 1 nodes has not acknowledged its latest state: n",
      values: [1, 1, "n"],
      since: START - 60,
      action: null,
    });
    answers({ state: "silent", latest: false, listens: [] });
    await fails(id, "applied", { code: "unacknowledged", values: [1, 1, "n"] });
    answers({ latest: false, refused: true });
    await fails(id, "applied", { code: "behind", values: [1, 1, "n"], since: START - 60, action: null });
    answers({ latest: false, appliedAt: 0 });
    await fails(id, "applied", { code: "unacknowledged", since: 0 });
    answers({ listens: ["another"] });
    await fails(id, "listening", {
      code: "not_listening",
      text: "its nodes serve none of its inbounds: in (n)",
      values: [0, 1, "in (n)"],
      action: null,
    });
  });

  // rules users.verdict.1, users.verdict.4
  test("a node whose engine runs nothing serves nobody, and nothing is said of an older configuration", async () => {
    answers({ state: "idle", latest: false, refused: true, listens: [] });
    const { ok, headline, checks } = await verdict(await made());
    expect([ok, headline]).toEqual([false, "the engines of the nodes that serve it run nothing"]);
    expect(checks.slice(6, 9)).toMatchObject([
      { check: "served", state: "failed", code: "not_running", values: [1, "n"] },
      { check: "applied", state: "unknown", code: "unknown" },
      { check: "listening", state: "failed", code: "not_listening", values: [0, 1, "in (n)"] },
    ]);
  });

  // rule users.verdict.4
  test.each([
    [
      "away",
      { state: "away", latest: false, listens: [] },
      "served",
      "ok",
      "some_nodes",
      "nodes does not serve it now: sick",
    ],
    [
      "idle",
      { state: "idle", latest: false, listens: [] },
      "served",
      "ok",
      "some_nodes",
      "nodes does not serve it now: sick",
    ],
    [
      "refusing",
      { latest: false, refused: true },
      "applied",
      "ok",
      "behind",
      "nodes runs an older configuration, since its engine refuses the new one: sick",
    ],
    [
      "silent",
      { state: "silent", latest: false, listens: [] },
      "applied",
      "unknown",
      "unacknowledged",
      "nodes has not acknowledged its latest state: sick",
    ],
    [
      "not told yet",
      { latest: false },
      "applied",
      "unknown",
      "unacknowledged",
      "nodes has not acknowledged its latest state: sick",
    ],
    ["without the inbound", { listens: [] }, "listening", "ok", "some_left_out", "inbounds is not served: in (sick)"],
  ] as const)(
    "one node %s beside one that serves is a note with its name",
    async (_, about, check, state, code, text) => {
      panel.entryNodes = [node, { ...node, id: 2, name: "sick" }];
      answers(
        { ...about, name: "sick", appliedAt: START - 90, listens: [...("listens" in about ? about.listens : ["in"])] },
        2,
      );
      const id = await made();
      const { ok, headline, checks } = await verdict(id);
      expect([ok, headline]).toEqual([true, "nothing stands in the way"]);
      const since = check === "applied" ? START - 90 : 0;
      expect(checks).toContainEqual(expect.objectContaining({ check, state, code, text: `1 of 2 ${text}`, since }));
      // rule users.verdict.3
      panel.reseller("seller", 8, new Set(["users:read", "users:write"]));
      const own = await panel.ok("POST", "/users", { name: `own${++names}` }, "seller");
      expect(JSON.stringify(await verdict(own.id, "seller"))).not.toContain("sick");
    },
  );

  test("a node that serves what is not the latest, beside one with the latest that serves none of it, is no way in", async () => {
    panel.entryNodes = [node, { ...node, id: 2, name: "other" }];
    answers({ name: "other", latest: false }, 2);
    answers({ listens: [] });
    expect(await verdict(await made())).toMatchObject({
      ok: false,
      headline: "its nodes serve none of its inbounds: in (n)",
    });
  });

  // rule users.verdict.1
  test("an account of all templates, where there is none", async () => {
    const empty = await TestPanel.open(dialect);
    try {
      const { id } = await empty.ok("POST", "/users", { name: "early" });
      const { headline, checks } = await empty.ok("GET", `/users/${id}/verdict`);
      expect(headline).toBe("there is no template");
      expect(checks[6]).toMatchObject({ code: "no_templates", action: { method: "POST", path: "/templates" } });
    } finally {
      await empty.dispose();
    }
  });

  // rule users.verdict.1
  test("devices: that all places are taken is a fault once another device was refused, and for a day", async () => {
    const { id, subId } = await panel.ok("POST", "/users", { name: "devices", deviceLimit: 1 });
    expect(await asks(subId, { "x-hwid": "one" })).toBe(200);
    expect((await verdict(id)).checks).toContainEqual(
      expect.objectContaining({ check: "devices", state: "ok", values: [1, 1] }),
    );
    const since = Math.floor(panel.clock.now() / 1000);
    expect(await asks(subId, { "x-hwid": "two" })).toBe(403);
    const action = { method: "PATCH", path: `/users/${id}` };
    await fails(id, "devices", { code: "devices_full", values: [1, 1], since, action });
    await panel.ok("PATCH", `/users/${id}`, { deviceLimit: 2 });
    expect(await verdict(id)).toMatchObject({ ok: true });
    await panel.ok("PATCH", `/users/${id}`, { deviceLimit: 1 });
    expect(await verdict(id)).toMatchObject({ ok: false });
    await panel.ok("DELETE", `/users/${id}/devices/one`);
    expect(await verdict(id)).toMatchObject({ ok: true });
    expect(await asks(subId, { "x-hwid": "three" })).toBe(200);
    await panel.advance(DAY + 1);
    expect(await verdict(id)).toMatchObject({ ok: true });
  });

  // rule users.verdict.1
  test("a refused client: the last one named no device, and would be refused again", async () => {
    const { id, subId } = await panel.ok("POST", "/users", { name: "nameless", deviceLimit: 1 });
    panel.settings.set("device_limit_strict", "true");
    const client = { "user-agent": "old app" };
    expect(await asks(subId, client)).toBe(403);
    await fails(id, "refused", { code: "no_device_id", values: ["old app"], action: null });
    panel.settings.set("device_limit_strict", "false");
    expect(await verdict(id)).toMatchObject({ ok: true });
    panel.settings.set("device_limit_strict", "true");
    expect(await asks(subId, { "x-hwid": "one" })).toBe(200);
    const { ok, checks } = await verdict(id);
    expect(ok).toBe(true);
    expect(checks).toContainEqual(expect.objectContaining({ check: "refused", state: "ok" }));
  });

  // rule users.verdict.2
  test("addresses of an account that has a limit of them are not seen", async () => {
    const { checks } = await verdict(await made({ ipLimit: 2 }));
    expect(checks).toContainEqual(expect.objectContaining({ check: "addresses", state: "unknown" }));
  });

  // rule users.verdict.3
  test("a reseller sees that of its own accounts", async () => {
    panel.reseller("shop", 7);
    const own = await panel.ok("POST", "/users", { name: "own" }, "shop");
    expect(await verdict(own.id, "shop")).toMatchObject({ ok: true });
    expect((await panel.call("GET", `/users/${await made()}/verdict`, undefined, "shop")).status).toBe(404);
  });
});
