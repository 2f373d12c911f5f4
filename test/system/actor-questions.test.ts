// What an operator asks of an actor beyond where it stands: who brought it there, how often it came, where it stood
// then, what it would take; and that asking changes and betrays nothing.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { openStream } from "./stream-reader.ts";

interface Entry {
  seq: number;
  at: number;
  event: string;
  from: string | null;
  to: string;
}

describe.each(dialects)("questions about actors on %s", (dialect) => {
  let panel: WholePanel;
  let names = 0;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const get = async (path: string) => {
    const answer = await panel.call("GET", `/api/v1${path}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const user = async (more: object = {}): Promise<number> =>
    (await panel.call("POST", "/api/v1/users", { name: `user ${++names}`, ...more })).body.id;
  const patch = (id: number, body: object) => panel.call("PATCH", `/api/v1/users/${id}`, body);
  /** Statements beside the panel; on SQLite it takes itself for the only writer. */
  const beside = async (
    ...queries: Parameters<Awaited<ReturnType<typeof connectTestDatabase>>["reads"]["statement"]>[1][]
  ) => {
    const database = await connectTestDatabase(panel.databaseUrl, entities);
    await database.commits.execute({
      name: "beside",
      statements: queries.map((query) => database.reads.statement("beside", query)),
    });
    await database.close();
    if (dialect === "sqlite") await panel.restart();
  };
  /** Everything that a change could have touched. */
  const rows = async () => {
    const database = await connectTestDatabase(panel.databaseUrl, entities);
    const tables = [
      "users",
      "user_usage",
      "nodes",
      "node_usage",
      "timers",
      "effects",
      "journal",
      "state_counts",
      "events",
      "changes",
    ];
    const found = await Promise.all(
      tables.map((table) => database.reads.query(sql`select * from ${sql.table(table)} order by 1`)),
    );
    await database.close();
    return JSON.stringify(found, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  };

  test("who brought it into its state is known also when it was moved without leaving it since", async () => {
    const id = await user({ volume: 1_000_000 });
    await patch(id, { enable: false });
    const off = await get(`/actors/user/${id}`);
    expect(off.entered).toEqual({
      seq: 2,
      event: "switchOff",
      at: off.why.at,
      atMs: off.why.atMs,
      actor: "root",
      from: "enabled.started",
    });
    for (let round = 0; round < 3; round++) await panel.call("POST", `/api/v1/users/${id}/renew`, {});
    const later = await get(`/actors/user/${id}`);
    expect(later).toMatchObject({
      state: "disabled.manual",
      since: off.since,
      why: { event: "renewed" },
      entered: off.entered,
    });
    const fresh = await user();
    expect((await get(`/actors/user/${fresh}`)).entered).toMatchObject({
      seq: 1,
      event: "created",
      from: null,
      actor: "root",
    });
  });

  test("the journal answers for a span of time, for an event, for a state that was entered", async () => {
    const id = await user({ volume: 1_000_000 });
    for (let round = 0; round < 6; round++) await patch(id, { enable: round % 2 === 1 });
    await panel.call("POST", `/api/v1/users/${id}/renew`, {});
    // A step every ten seconds.
    await beside(
      sql`update journal set at = ${1_700_000_000_000} + seq * 10000 where kind = 'user' and actor_id = ${id}`,
    );
    const journal = async (query: string): Promise<{ total: number; seqs: number[] }> => {
      const { items, total } = await get(`/actors/user/${id}/journal?${query}`);
      return { total, seqs: items.map(({ seq }: Entry) => seq) };
    };
    const at = (seq: number) => 1_700_000_000 + seq * 10;
    expect(await journal("")).toEqual({ total: 8, seqs: [8, 7, 6, 5, 4, 3, 2, 1] });
    expect(await journal(`until=${at(4) + 9}&limit=1`)).toEqual({ total: 4, seqs: [4] });
    expect(await journal(`until=${at(4)}&limit=1`)).toEqual({ total: 4, seqs: [4] });
    expect(await journal(`until=${at(1) - 1}`)).toEqual({ total: 0, seqs: [] });
    expect(await journal(`since=${at(6)}`)).toEqual({ total: 3, seqs: [8, 7, 6] });
    expect(await journal(`updated_since=${at(6)}&until=${at(7)}`)).toEqual({ total: 2, seqs: [7, 6] });
    expect(await journal("entered=disabled.manual&limit=1")).toEqual({ total: 3, seqs: [6] });
    expect(await journal(`entered=disabled.*&since=${at(3)}`)).toEqual({ total: 2, seqs: [6, 4] });
    // The renewal led from a state to itself: it did not come into it.
    expect(await journal("entered=enabled.*")).toEqual({ total: 4, seqs: [7, 5, 3, 1] });
    expect(await journal("event=renewed")).toEqual({ total: 1, seqs: [8] });
    expect(await journal("entered=gone")).toEqual({ total: 0, seqs: [] });
    for (const query of ["since=yesterday", "until=-1", "limit=0", "limit=1001"])
      expect((await panel.call("GET", `/api/v1/actors/user/${id}/journal?${query}`)).status, query).toBe(400);
  });

  // rule inspector.read.4
  test("what it would take now is exactly what a dry run says is taken", async () => {
    const states = [
      await user(),
      await user({ enable: false }),
      await user({ expiry: 1 }),
      await user({ duration: 1000 }),
      await user({ volume: 5, autoReset: true, resetDays: 3 }),
    ];
    const machines = (await get("/machines")).items as { kind: string; definition: unknown }[];
    const events = [
      ...new Set(
        JSON.stringify(machines.find(({ kind }) => kind === "user")?.definition).match(/"eventType":"[^"]*"/g),
      ),
    ];
    const types = events.map((text) => text.slice(13, -1)).filter((type) => type !== "" && !type.startsWith("xstate."));
    expect(types).toContain("switchOff");
    for (const id of states) {
      const { next } = await get(`/actors/user/${id}`);
      const taken = await Promise.all(
        types.map(async (type) => [type, (await get(`/actors/user/${id}/preview?type=${type}`)).taken] as const),
      );
      expect(next).toEqual(taken.flatMap(([type, isTaken]) => (isTaken ? [type] : [])).toSorted());
    }
    const [id] = states;
    expect((await panel.call("GET", `/api/v1/actors/user/${id}/preview?type=fly`)).body).toMatchObject({
      code: "validation",
      field: "type",
    });
    expect((await panel.call("GET", `/api/v1/actors/user/${id}/preview`)).status).toBe(400);
  });

  // rule inspector.steer.1
  test("neither a look nor a dry run writes a row, also where the step would begin a new period of the counters", async () => {
    const id = await user({ expiry: Math.floor(Date.now() / 1000) + 5000, volume: 10 });
    const limited = { limitBytes: 1000, limitPeriod: "monthly", limitStartDay: 1, enabled: false };
    const node = (
      await panel.call("POST", "/api/v1/nodes", {
        name: `node ${++names}`,
        address: "192.0.2.1",
        port: 9000,
        ...limited,
      })
    ).body;
    // A period of long ago: the next step begins another.
    await beside(sql`update node_usage set period_start = 1, period_used = 2000 where id = ${node.id}`);
    // Events get their place in the log a moment after their commit.
    await expect.poll(rows, { timeout: 20_000 }).not.toContain('"position":null');
    const before = await rows();
    for (const type of [
      "switchOn",
      "switchOff",
      "edited",
      "due",
      "moved",
      "link.lost",
      "xstate.after.backoff.node.error.waiting",
    ]) {
      expect(
        (await panel.call("POST", `/api/v1/actors/node/${node.id}/events?dryRun=true`, { type })).status,
        type,
      ).toBe(200);
    }
    for (const type of ["switchOff", "due", "renewed", "usageReset"])
      expect((await panel.call("POST", `/api/v1/actors/user/${id}/events?dryRun=1`, { type })).body.taken, type).toBe(
        true,
      );
    await get(`/actors/node/${node.id}`);
    await get(`/actors/user/${id}`);
    expect(await rows()).toBe(before);
  });

  test("a quarantine and its end are news to readers of the stream, though no transition", async () => {
    const id = await user();
    await beside(
      sql`update users set fault_count = 3, fault_at = 1700000000000, fault_message = 'the chart threw' where id = ${id}`,
    );
    const headers = { authorization: `Bearer ${panel.token}` };
    const streams = [
      await openStream(panel, headers),
      await openStream(panel, headers, "?kind=user"),
      await openStream(panel, headers, `?kind=user&id=${id}`),
    ];
    const others = [
      await openStream(panel, headers, "?kind=node"),
      await openStream(panel, headers, "?kind=user&id=999999"),
    ];
    const { items } = await get("/actors?fault=true");
    expect(items).toMatchObject([{ id: String(id), fault: true, error: "the chart threw" }]);
    expect((await get(`/actors/user/${id}`)).next).toEqual([]);
    await panel.call("POST", `/api/v1/actors/user/${id}/resume`);
    for (const { faults, rows: moved } of streams) {
      await expect.poll(faults).toEqual([{ kind: "user", id: String(id), name: items[0].name, fault: null }]);
      expect(moved()).toEqual([]);
    }
    expect(others.flatMap(({ faults }) => faults())).toEqual([]);
    await Promise.all([...streams, ...others].map(({ close }) => close()));
  });

  // rule inspector.read.6
  test("no answer carries a secret of a user or a node", async () => {
    const id = await user({ expiry: Math.floor(Date.now() / 1000) + 5000 });
    const stream = await openStream(panel, { authorization: `Bearer ${panel.token}` });
    await patch(id, {
      config: { uuid: "3f0c1c9e-6a51-4d0e-9b57-0a6f6a3a3d11", password: "an open secret" },
      volume: 5,
    });
    await panel.call("POST", `/api/v1/users/${id}/sub/rotate`);
    await patch(id, { enable: false });
    const record = await get(`/users/${id}`);
    const { uuid, password, ss16, ss32 } = record.config;
    const secrets = [uuid, password, ss16, ss32, record.subId, record.subToken];
    for (const secret of secrets) expect(String(secret).length).toBeGreaterThan(10);
    await expect.poll(() => stream.rows().length).toBeGreaterThan(1);
    const said = [
      await get(`/actors/user/${id}`),
      await get(`/actors/user/${id}/journal`),
      await get("/actors"),
      await get(`/actors/user/${id}/preview?type=switchOn`),
      await get("/changes?limit=1000"),
      stream.frames,
    ].map((answer) => JSON.stringify(answer));
    for (const secret of secrets)
      expect(said.filter((text) => text.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([]);
    await stream.close();
  });
});
