// Seeing the machines over HTTP and WebSocket, on the whole panel and both databases.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCharts } from "../../scripts/charts/charts.ts";
import { UserRows } from "../../src/accounts/index.ts";
import { lock } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

interface Frame {
  rows: { kind: string; id: string; seq: number; event: string; from: string | null; to: string; actor: string }[];
  counts: Record<string, Record<string, number>>;
  dropped: number;
}

describe.each(dialects)("actors on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());
  let names = 0;
  const user = async (more: object = {}) =>
    (await panel.call("POST", "/api/v1/users", { name: `user ${++names}`, ...more })).body;
  const patch = (id: number, body: object) => panel.call("PATCH", `/api/v1/users/${id}`, body);

  // rule inspector.chart.1
  test("the charts are given as data, with their delays and what may be sent by hand", async () => {
    const { body } = await panel.call("GET", "/api/v1/machines");
    const kinds = (await readCharts()).map(({ kind }) => kind);
    expect(body.items.map((machine: { kind: string }) => machine.kind).toSorted()).toEqual(kinds);
    const node = body.items.find((machine: { kind: string }) => machine.kind === "node");
    expect(node).toMatchObject({
      version: 2,
      delays: { dialDeadline: 20_000, syncDeadline: null, backoff: null },
      safe: ["reconnect"],
    });
    expect(node.definition.states.linked.states.connected.description).toContain("agent");
    expect(node.digest).toMatch(/^[0-9a-f]{32}$/);
  });

  // rule inspector.chart.3
  test("an actor that a newer panel wrote says so, and what is asked of it is another panel's to do", async () => {
    const { id } = await user({ volume: 1000 });
    const other = await connectTestDatabase(panel.databaseUrl, entities);
    await other.commits.submit({
      name: "newer",
      locks: [lock(UserRows, id)],
      decide: (draft) => draft.update(UserRows, id, { mver: 99 }),
    });
    await other.close();
    const why = `user ${id} was written by chart version 99, this is 1: a newer panel goes on with it`;
    const refused = await patch(id, { volume: 5 });
    expect([refused.status, refused.body]).toEqual([503, { error: why, code: "unavailable" }]);
    expect((await panel.call("GET", `/api/v1/actors/user/${id}`)).body).toMatchObject({ meaning: why, fault: null });
    const listed = (await panel.call("GET", "/api/v1/actors?kind=user&limit=1000")).body.items;
    expect(listed.find((row: { id: string }) => row.id === String(id))).toMatchObject({
      error: why,
      cause: { code: "chart_too_new", values: [99, 1] },
      fault: false,
    });
    const bulk = await panel.call("POST", "/api/v1/users/bulk/add-volume", { ids: [id], bytes: 1 });
    expect(bulk.body.problems).toMatchObject([{ id, error: "a newer panel wrote it, and goes on with it" }]);
  });

  // rules users.move.6, inspector.read.4, inspector.read.5
  test("every user has its actor from creation on, and its journal is gapless", async () => {
    const { id } = await user({ volume: 1000 });
    await patch(id, { volume: 2000 });
    await patch(id, { enable: false });
    await patch(id, { enable: true, expiry: 1 });
    const { body } = await panel.call("GET", `/api/v1/actors/user/${id}/journal`);
    expect(
      body.items
        .map((entry: { from: string; to: string }) => [entry.from, entry.to])
        .toReversed()
        .at(0),
    ).toEqual([null, "enabled.started"]);
    const entries = body.items.toReversed();
    entries.forEach((entry: { seq: number; from: string | null }, index: number) => {
      expect(entry.seq).toBe(index + 1);
      expect(entry.from).toBe(index === 0 ? null : entries[index - 1].to);
    });
    expect(entries.at(-1)).toMatchObject({ to: "disabled.expiry", actor: "root" });
    const actor = await panel.call("GET", `/api/v1/actors/user/${id}`);
    expect(actor.body).toMatchObject({
      kind: "user",
      id: String(id),
      state: "disabled.expiry",
      wakeAt: null,
      context: { enable: false, disabledReason: "expiry", volume: 2000 },
      why: { actor: "root", text: expect.stringContaining("past its date") },
      timers: [],
      effects: [],
      fault: null,
    });
    expect(actor.body.next).toEqual(["edited", "extended", "renewed", "switchOff", "switchOn"]);
  });

  test("without a kind the list goes over all kinds, page by page", async () => {
    const { id } = await user();
    const all = await panel.call("GET", "/api/v1/actors?limit=1000");
    const { total } = (await panel.call("GET", "/api/v1/actors?kind=user&limit=1")).body;
    expect(all.body.total).toBeGreaterThanOrEqual(total);
    expect(all.body.items).toHaveLength(all.body.total);
    const one = await panel.call("GET", `/api/v1/actors?limit=1&offset=${all.body.total - 1}`);
    expect([one.body.items, one.body.total]).toEqual([[all.body.items.at(-1)], all.body.total]);
    expect(all.body.items).toContainEqual(expect.objectContaining({ kind: "user", id: String(id) }));
    expect((await panel.call("GET", "/api/v1/actors?kind=nothing")).body.total).toBe(0);
  });

  test("actors of every kind are found and sorted by their names", async () => {
    await user();
    const made = await panel.call("POST", "/api/v1/admins", {
      username: "zz-shop",
      password: "correct horse battery",
      role: "resale",
    });
    expect(made.status).toBe(200);
    expect((await panel.call("POST", "/api/v1/users/bulk/reset-usage?all=true", {})).status).toBeLessThan(300);
    const found = async (query: string) => {
      const { status, body } = await panel.call("GET", `/api/v1/actors?${query}`);
      return [status, body.items?.map(({ kind, name }: { kind: string; name: string }) => [kind, name])];
    };
    expect(await found("q=ZZ-shop")).toEqual([200, [["reseller", "zz-shop"]]]);
    const [status, jobs] = await found("kind=job");
    expect([status, await found(`q=${encodeURIComponent(jobs[0][1])}&limit=1`)]).toEqual([200, [200, [jobs[0]]]]);
    const [, up] = await found("sort=name&limit=1000");
    const [, down] = await found("sort=name&order=desc&limit=1000");
    expect(up.length).toBeGreaterThan(2);
    expect(down.map(([, name]: [string, string]) => name)).toEqual(
      up.map(([, name]: [string, string]) => name).toReversed(),
    );
  });

  // rules inspector.steer.2, inspector.steer.3
  test("an event by hand: asked dry it changes nothing; sent it must be safe, taken, and come from a main admin", async () => {
    const { id } = await user();
    const send = (type: string, query = "", token?: string) =>
      panel.call(
        "POST",
        `/api/v1/actors/user/${id}/events${query}`,
        { type },
        token === undefined ? {} : { authorization: `Bearer ${token}` },
      );
    const asked = await send("switchOff", "?dryRun=true");
    expect([asked.status, asked.body]).toMatchObject([200, { from: "enabled.started", to: "disabled.manual" }]);
    expect((await panel.call("GET", `/api/v1/actors/user/${id}/journal`)).body.total).toBe(1);
    expect((await send("fly", "?dryRun=true")).body).toMatchObject({ code: "validation", field: "type" });
    expect((await send("fly")).status).toBe(400);
    expect((await send("switchOff")).status).toBe(409);
    expect((await panel.call("POST", "/api/v1/actors/user/999999/events", { type: "due" })).status).toBe(404);
    const expiry = Math.floor(Date.now() / 1000) + 1000;
    await patch(id, { expiry });
    const sent = await send("due");
    expect([sent.status, sent.body]).toMatchObject([
      200,
      { kind: "user", id: String(id), state: "enabled.started", wakeAt: expiry },
    ]);
    const changes = await panel.call("GET", "/api/v1/changes?key=actors");
    expect(changes.body.items[0]).toMatchObject({ entityId: `user:${id}`, action: "event", obj: { type: "due" } });
    const narrow = await panel.call("POST", "/api/v1/tokens", { desc: "looks", scopes: ["stats:read"] });
    expect((await send("due", "", narrow.body.token)).status).toBe(403);
    expect((await send("due", "?dryRun=true", narrow.body.token)).status).toBe(200);
  });

  // rule inspector.read.4
  test("a deadline shows as what wakes the actor next, and fires", async () => {
    const expiry = Math.floor(Date.now() / 1000) + 2;
    const { id } = await user({ expiry });
    expect((await panel.call("GET", `/api/v1/actors/user/${id}`)).body).toMatchObject({
      state: "enabled.started",
      wakeAt: expiry,
      timers: [{ name: "due", event: "due", dueAt: expiry }],
    });
    await expect
      .poll(async () => (await panel.call("GET", `/api/v1/users/${id}`)).body, { timeout: 10_000 })
      .toMatchObject({ enable: false, disabledReason: "expiry" });
    const log = await panel.call("GET", "/api/v1/events/log?limit=5");
    expect(log.body.items.map((event: { event: string }) => event.event)).toEqual(
      expect.arrayContaining(["user.disabled", "user.expired"]),
    );
  });

  // rule inspector.read.2
  test("lists by kind and state; an unknown state or kind is an empty list", async () => {
    await user();
    const all = await panel.call("GET", "/api/v1/actors?kind=user");
    const disabled = await panel.call("GET", "/api/v1/actors?kind=user&state=disabled.expiry");
    expect(disabled.body.total).toBeGreaterThan(0);
    expect(disabled.body.total).toBeLessThan(all.body.total);
    expect((await panel.call("GET", "/api/v1/actors?kind=user&state=gone")).body.items).toEqual([]);
    expect((await panel.call("GET", "/api/v1/actors?kind=train")).body.items).toEqual([]);
    expect((await panel.call("GET", "/api/v1/actors/user/999999")).status).toBe(404);
    expect((await panel.call("GET", "/api/v1/actors/train/1")).status).toBe(404);
  });

  // rule inspector.stream.3
  test("the stream tells every transition of one actor, and absolute counts to everybody", async () => {
    const { id } = await user();
    const open = async (query: string) => {
      const frames: Frame[] = [];
      const socket = new WebSocket(`${panel.url.replace("http", "ws")}/api/v1/actors/stream${query}`, {
        headers: { authorization: `Bearer ${panel.token}` },
      });
      socket.addEventListener("message", (event) => frames.push(JSON.parse(String(event.data)) as Frame));
      await expect.poll(() => frames.length).toBeGreaterThan(0);
      return { frames, close: () => socket.close() };
    };
    const [one, every] = [await open(`?kind=user&id=${id}`), await open("")];
    const kinds = (await readCharts()).map(({ kind }) => kind).toSorted();
    expect(Object.keys(every.frames[0]?.counts ?? {}).toSorted()).toEqual(kinds);
    for (let round = 0; round < 5; round++) await patch(id, { enable: round % 2 === 1 });
    await expect.poll(() => one.frames.flatMap((frame) => frame.rows).length).toBe(5);
    expect(one.frames.flatMap((frame) => frame.rows).map((row) => [row.seq, row.to])).toEqual([
      [2, "disabled.manual"],
      [3, "enabled.started"],
      [4, "disabled.manual"],
      [5, "enabled.started"],
      [6, "disabled.manual"],
    ]);
    const counted = await panel.call("GET", "/api/v1/actors?kind=user&state=disabled.manual&limit=1");
    await expect
      .poll(
        () =>
          every.frames.findLast((frame) => frame.counts["user"]?.["disabled.manual"] !== undefined)?.counts["user"]?.[
            "disabled.manual"
          ],
      )
      .toBe(counted.body.total);
    one.close();
    every.close();
  });

  // rule inspector.read.1
  test("reading needs stats:read, and the stream a credential", async () => {
    const narrow = await panel.call("POST", "/api/v1/tokens", { desc: "narrow", scopes: ["users:read"] });
    const token = narrow.status === 200 ? narrow.body.token : "";
    expect(narrow.status).toBe(200);
    expect(
      (await panel.call("GET", "/api/v1/actors?kind=user", undefined, { authorization: `Bearer ${token}` })).status,
    ).toBe(403);
    const refused = await fetch(`${panel.url}/api/v1/actors/stream`, {
      headers: {
        connection: "upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      },
    }).catch(() => undefined);
    expect(refused?.status ?? 401).toBe(401);
  });
});
