// The log of an actor's errands over HTTP and WebSocket: behind a cursor, live, from any process, gone with its actor.
import { EventEmitter, once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { UserRows } from "../../src/accounts/index.ts";
import type { Database } from "../../src/db/index.ts";
import { ManualClock, systemClock } from "../../src/lib/clock.ts";
import { entities } from "../../src/panel/entities.ts";
import { forgetLogs } from "../../src/runtime/index.ts";
import { ErrandLog, KEPT_LINES, WAITING_LINES } from "../../src/runtime/testing.ts";
import { PANEL } from "../../src/panel/features.ts";
import { LogStream } from "../../src/system/actors/log-stream.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

interface Page {
  rows: { seq: number; at: number; level: string; code: string; values: unknown[]; text: string }[];
  cursor: number;
}

describe.each(dialects)("logs of errands on %s", (dialect) => {
  let panel: WholePanel;
  /** A process that runs errands, beside the panel. */
  let other: Database;
  let log: ErrandLog;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    other = await connectTestDatabase(panel.databaseUrl, entities, Date.now, PANEL.echo);
    log = new ErrandLog({ commits: other.commits, clock: systemClock, onError: fail });
  });
  afterAll(async () => {
    await log.stop();
    await other.close();
    await panel.dispose();
  });
  let names = 0;
  const user = async (): Promise<number> =>
    (await panel.call("POST", "/api/v1/users", { name: `user ${++names}` })).body.id;
  const write = async (id: number, from: number, to: number) => {
    for (let step = from; step <= to; step++)
      log.add("user", id, { level: "info", code: "step", values: [step, "a"], text: "" });
    await log.flush("user", id);
  };
  const page = async (id: number, query = ""): Promise<Page> =>
    (await panel.call("GET", `/api/v1/actors/user/${id}/log${query}`)).body as Page;
  const seqs = ({ rows }: Page) => rows.map(({ seq }) => seq);

  // rule inspector.log.1
  test("lines come oldest first behind a cursor, each a code with values", async () => {
    const id = await user();
    expect(await page(id)).toEqual({ rows: [], cursor: 0 });
    await write(id, 1, 5);
    log.add("user", id, { level: "error", code: "output", values: [], text: "sh: not found" });
    await log.flush("user", id);
    const first = await page(id, "?limit=4");
    expect(first.rows[0]).toEqual({
      seq: 1,
      at: expect.any(Number),
      atMs: expect.any(Number),
      level: "info",
      code: "step",
      values: [1, "a"],
      text: "",
    });
    expect([seqs(first), first.cursor]).toEqual([[1, 2, 3, 4], 4]);
    const rest = await page(id, "?cursor=4");
    expect(rest).toMatchObject({ rows: [{ seq: 5 }, { seq: 6, code: "output", text: "sh: not found" }], cursor: 6 });
    expect(await page(id, "?cursor=6")).toEqual({ rows: [], cursor: 6 });
    // A cursor from before a restore.
    expect(await page(id, "?cursor=4711")).toEqual({ rows: [], cursor: 6 });
    for (const query of ["?limit=0", "?limit=1001", "?cursor=-1", "?cursor=a"])
      expect((await panel.call("GET", `/api/v1/actors/user/${id}/log${query}`)).status).toBe(400);
  });

  // rule inspector.log.2
  test("an unknown kind and nobody are 404, and the scope is the journal's", async () => {
    for (const path of ["user/99999", "nothing/1"])
      expect((await panel.call("GET", `/api/v1/actors/${path}/log`)).status).toBe(404);
    const { body } = await panel.call(
      "POST",
      "/api/v1/tokens",
      { desc: "reads", scopes: ["users:read"] },
      {
        cookie: panel.cookie,
      },
    );
    const bearer = { authorization: `Bearer ${body.token}` };
    expect((await panel.call("GET", `/api/v1/actors/user/${await user()}/log`, undefined, bearer)).status).toBe(403);
  });

  // rule inspector.log.3
  test("a log has bounds: the oldest lines go, and what came too fast is counted", async () => {
    const id = await user();
    for (let from = 1; from <= KEPT_LINES + 100; from += WAITING_LINES)
      await write(id, from, Math.min(from + WAITING_LINES - 1, KEPT_LINES + 100));
    const oldest = await page(id, "?limit=1");
    expect(seqs(oldest)).toEqual([101]);
    const clock = new ManualClock(Date.now());
    const fast = new ErrandLog({ commits: other.commits, clock, onError: fail });
    for (let step = 0; step < WAITING_LINES + 7; step++)
      fast.add("user", id, { level: "info", code: "x".repeat(3), values: ["y".repeat(9000)], text: "z".repeat(9000) });
    await fast.stop();
    const newest = await page(id, `?cursor=${KEPT_LINES + 100 + WAITING_LINES - 1}`);
    expect(newest.rows.map(({ code, values }) => [code, ...values])).toEqual([
      ["xxx", "y".repeat(500)],
      ["lines_left_out", 7],
    ]);
    expect(newest.rows[0]?.text.length).toBe(2000);
  });

  // rule inspector.log.3
  test("any text and any number can be written and read", async () => {
    const id = await user();
    const text = `${"x".repeat(1999)}\u{1f600}`;
    const values = ["a\u0000b\ud800", `${"y".repeat(499)}\u{1f600}`, Number.NaN, Number.POSITIVE_INFINITY, -0.5];
    log.add("user", id, { level: "info", code: `${"c".repeat(200)}\n`, values, text });
    log.add("user", id, { level: "info", code: "output", values: [], text: "a\u0000b\ud800\u001b[2J" });
    await log.flush("user", id);
    expect((await page(id)).rows.map(({ code, values: told, text: said }) => [code, ...told, said])).toEqual([
      ["c".repeat(100), "a b\ufffd", `${"y".repeat(499)}\ufffd`, "NaN", "Infinity", -0.5, `${"x".repeat(1999)}\ufffd`],
      ["output", "a b\ufffd [2J"],
    ]);
  });

  // rule inspector.log.4
  test("the stream sends what stands there, then what any process writes, none twice and none left out", async () => {
    const id = await user();
    await write(id, 1, 300);
    const frames: Page[] = [];
    const socket = new WebSocket(`${panel.url.replace("http", "ws")}/api/v1/actors/user/${id}/log/stream?cursor=10`, {
      headers: { authorization: `Bearer ${panel.token}` },
    });
    socket.on("message", (data: Buffer) => frames.push(JSON.parse(data.toString("utf8")) as Page));
    await once(socket, "open");
    await expect.poll(() => frames.at(-1)?.cursor).toBe(300);
    if (dialect === "postgresql") {
      await write(id, 301, 320);
      await expect.poll(() => frames.at(-1)?.cursor).toBe(320);
    }
    const last = frames.at(-1)?.cursor ?? 0;
    expect(frames.flatMap(seqs)).toEqual(Array.from({ length: last - 10 }, (_, index) => index + 11));
    socket.close();
    await once(socket, "close");
  });

  // rule inspector.log.4
  test("a slow reader gets its next frame when the one before was sent, with what was written meanwhile", async () => {
    const id = await user();
    const stream = new LogStream({ reads: other.reads, commits: other.commits, onError: fail });
    const frames: Page[] = [];
    let sent = () => {};
    const slow = Object.assign(new EventEmitter(), {
      OPEN: 1,
      readyState: 1,
      close: () => {},
      send(text: string, done: () => void) {
        frames.push(JSON.parse(text) as Page);
        sent = done;
      },
    });
    stream.add(slow as unknown as WebSocket, "user", id, 0);
    await expect.poll(() => frames).toEqual([{ rows: [], cursor: 0 }]);
    await write(id, 1, 300);
    await write(id, 301, 450);
    expect(frames.length).toBe(1);
    for (const length of [2, 3, 4]) {
      sent();
      await expect.poll(() => frames.length).toBe(length);
    }
    expect(frames.map(({ cursor }) => cursor)).toEqual([0, 200, 400, 450]);
    sent();
    await write(id, 451, 451);
    await expect.poll(() => frames.length).toBe(5);
    expect(frames.flatMap(seqs)).toEqual(Array.from({ length: 451 }, (_, index) => index + 1));
    stream.stop();
  });

  // rule inspector.log.5
  test("the log of an actor that is gone can be read until the next sweep", async () => {
    const [gone, stays] = [await user(), await user()];
    await write(gone, 1, 3);
    await write(stays, 1, 3);
    await panel.call("DELETE", `/api/v1/users/${gone}`);
    expect(seqs(await page(gone))).toEqual([1, 2, 3]);
    const kinds = new Map([["user", { definition: { entity: UserRows } }]]);
    await forgetLogs(other, kinds);
    expect((await panel.call("GET", `/api/v1/actors/user/${gone}/log`)).status).toBe(404);
    expect(seqs(await page(stays))).toEqual([1, 2, 3]);
  });
});

function fail(error: unknown): never {
  throw error;
}
