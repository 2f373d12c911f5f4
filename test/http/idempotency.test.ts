// Idempotency keys over the real server.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lock, sql } from "../../src/db/index.ts";
import { ProcessRows } from "../../src/db/processes.entity.ts";
import { ClaimRows } from "../../src/http/idempotency/claims.entity.ts";
import { dialects } from "../database.ts";
import { openPanel, request, type TestPanel } from "./panel.ts";

describe.each(dialects)("idempotency on %s", (dialect) => {
  let panel: TestPanel;
  beforeEach(async () => {
    panel = await openPanel(dialect);
  });
  afterEach(() => panel.dispose());

  const post = (payload: unknown, key = "k", more: { url?: string; as?: string } = {}) =>
    panel.api.app.inject(
      request("POST", more.url ?? "/api/v1/notes", payload, {
        "idempotency-key": key,
        authorization: `Bearer ${more.as ?? "root"}`,
      }),
    );
  const notes = async () => (await panel.api.app.inject(request("GET", "/api/notes"))).json<unknown[]>();

  // rule http.key.1
  test("a repeat replays byte for byte, does nothing and records nothing", async () => {
    const first = await post({ title: "one", size: 3 });
    expect([first.statusCode, first.headers["idempotent-replay"]]).toEqual([200, undefined]);
    const again = await post({ title: "one", size: 3 });
    expect([again.statusCode, again.headers["idempotent-replay"], again.body, again.headers["content-type"]]).toEqual([
      200,
      "true",
      first.body,
      first.headers["content-type"],
    ]);
    expect(await notes()).toHaveLength(1);
    expect(new Set(panel.audits.map((record) => record.entityId)).size).toBe(1);
  });

  // rule http.key.2
  test("while the first runs a second is 409 inProgress; afterwards it replays", async () => {
    const first = post({ title: "slow", slow: true });
    await expect.poll(panel.waiting).toBe(1);
    const busy = await post({ title: "slow", slow: true });
    expect([busy.json(), busy.headers["retry-after"]]).toMatchObject([{ inProgress: true, code: "in_progress" }, "1"]);
    panel.release();
    expect((await first).statusCode).toBe(200);
    expect((await post({ title: "slow", slow: true })).headers["idempotent-replay"]).toBe("true");
    expect(await notes()).toHaveLength(1);
  });

  test("repeats of an answered request at one moment are all replayed", async () => {
    const first = await post({ title: "one" });
    const again = await Promise.all(Array.from({ length: 12 }, () => post({ title: "one" })));
    for (const each of again)
      expect([each.statusCode, each.body, each.headers["idempotent-replay"]]).toEqual([200, first.body, "true"]);
    const other = await Promise.all(Array.from({ length: 4 }, () => post({ title: "two" })));
    for (const each of other) expect([each.statusCode, each.json().code]).toEqual([409, "idempotency_reuse"]);
  });

  // rule http.key.2
  test("many at once under one key: one is carried out", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ title: "burst" })));
    const statuses = answers.map((each) => each.statusCode);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    expect(panel.handled).toEqual(["burst"]);
    expect(await notes()).toHaveLength(1);
  });

  // rules http.key.3, http.key.4
  test("another body, query, path or method under the key is 409 idempotency_reuse; another caller has its own", async () => {
    panel.caller("second", { tokenId: 2 });
    panel.caller("same-admin-1", { via: "session", tokenId: 0, sessionId: 1 });
    await post({ title: "one" });
    for (const reuse of [
      await post({ title: "two" }),
      await post({ title: "one" }, "k", { url: "/api/v1/notes?x=1" }),
      await post({ title: "one" }, "k", { url: "/api/notes" }),
    ]) {
      expect([reuse.statusCode, reuse.json().code]).toEqual([409, "idempotency_reuse"]);
    }
    const method = await panel.api.app.inject(
      request("DELETE", "/api/v1/notes/1", undefined, { "idempotency-key": "k" }),
    );
    expect(method.json().code).toBe("idempotency_reuse");
    expect((await post({ title: "two" }, "k", { as: "second" })).statusCode).toBe(200);
    expect((await post({ title: "bytes" }, "spaces")).statusCode).toBe(200);
    expect((await post('{"title": "bytes"}', "spaces")).json().code).toBe("idempotency_reuse");
  });

  // rule http.key.3
  test("an admin's sessions share their keys", async () => {
    panel.caller("one", { via: "session", tokenId: 0, sessionId: 1 });
    panel.caller("two", { via: "session", tokenId: 0, sessionId: 2 });
    const send = (cookie: string) =>
      panel.api.app.inject({
        method: "POST",
        url: "/api/notes",
        payload: { title: "shared" },
        headers: { cookie: `panel_session=${cookie}`, "idempotency-key": "k" },
      });
    expect((await send("one")).statusCode).toBe(200);
    expect((await send("two")).headers["idempotent-replay"]).toBe("true");
  });

  // rule http.key.5
  test("a refused request frees its key at once, and an answer with its own error is not stored", async () => {
    await post({ title: "taken" }, "a");
    expect((await post({ title: "taken" }, "b")).json().code).toBe("duplicate");
    expect((await post({ title: "free" }, "b")).statusCode).toBe(200);
    expect((await post({ title: "half", broken: "stopped" }, "c")).json()).toMatchObject({ error: "stopped" });
    expect((await post({ title: "half2", broken: "stopped" }, "c")).headers["idempotent-replay"]).toBeUndefined();
  });

  // rule http.key.6
  test("an answer is kept for a day", async () => {
    await post({ title: "one" });
    panel.clock.now += 24 * 3_600_000 - 1000;
    expect((await post({ title: "one" })).headers["idempotent-replay"]).toBe("true");
    panel.clock.now += 1001;
    expect((await post({ title: "one" })).json().code).toBe("duplicate");
    await post({ title: "two" }, "later");
    await panel.api.prune();
    expect(await panel.database.reads.query(sql`select id from idempotency_records`)).toHaveLength(1);
  });

  // rule http.key.7
  test("a key that never finishes is free after ten minutes, and what held it can no longer write", async () => {
    const stuck = post({ title: "stuck", slow: true });
    await expect.poll(panel.waiting).toBe(1);
    expect((await post({ title: "stuck", slow: true })).json().code).toBe("in_progress");
    panel.clock.now += 10 * 60_000;
    const second = post({ title: "stuck", slow: true });
    await expect.poll(panel.waiting).toBe(2);
    panel.release();
    expect([(await stuck).statusCode, (await second).statusCode].toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await notes()).toHaveLength(1);
  });

  // rule http.key.1
  test("a repeated deletion replays, though there is nothing left to delete", async () => {
    await post({ title: "gone" });
    const remove = () => panel.api.app.inject(request("DELETE", "/api/notes/1", undefined, { "idempotency-key": "d" }));
    expect((await remove()).json()).toEqual({ ok: true });
    const again = await remove();
    expect([again.statusCode, again.headers["idempotent-replay"]]).toEqual([200, "true"]);
  });

  // rule http.key.9
  test("a key is 1 to 255 characters, and GET ignores it", async () => {
    expect((await post({ title: "long" }, "k".repeat(256))).json()).toMatchObject({
      code: "validation",
      field: "Idempotency-Key",
    });
    expect((await post({ title: "longest" }, "k".repeat(255))).statusCode).toBe(200);
    expect((await post({ title: "empty" }, "")).json()).toMatchObject({ code: "validation", field: "Idempotency-Key" });
    const get = () => panel.api.app.inject(request("GET", "/api/notes", undefined, { "idempotency-key": "k" }));
    await get();
    expect((await get()).headers["idempotent-replay"]).toBeUndefined();
  });

  // rule http.key.8
  if (dialect === "postgresql")
    test("another process's claim holds while it lives and is free once it is dead", async () => {
      await post({ title: "one" }, "theirs");
      const { commits, reads } = panel.database;
      const [row] = await reads.rows(ClaimRows, sql`select * from idempotency_records`);
      const claimed = { ...row, boot: "other", state: "running", body: "" };
      const databaseNow = await reads.query<{ now: string }>(
        sql`select extract(epoch from clock_timestamp()) * 1000 as now`,
      );
      const seen = async (ago: number) =>
        commits.submit({
          name: "test.other",
          locks: [lock(ClaimRows, String(row?.id))],
          decide(draft) {
            draft.upsert(ClaimRows, claimed as never);
            draft.upsert(ProcessRows, {
              id: "other",
              seenAt: Math.floor(Number(databaseNow[0]?.now)) - ago,
              takesShards: false,
            });
          },
        });
      await seen(-3000);
      expect((await post({ title: "one" }, "theirs")).json()).toMatchObject({ inProgress: true });
      await seen(6000);
      expect((await post({ title: "one" }, "theirs")).json().code).toBe("duplicate");
    });
});
