// The log by cursor: oldest first, without gaps, each event once, only what the caller may hear, and never a place that
// is none of this history.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { LogCursors } from "../../src/events/log-cursor.ts";
import { dialects } from "../database.ts";
import { openApi, type EventsApi } from "./api.ts";
import { ADMIN, openPanel, RESELLER, type Panel } from "./panel.ts";

interface Page {
  readonly cursor: string;
  readonly items: readonly { readonly id: number; readonly event: string; readonly data: { readonly n: number } }[];
  readonly more: boolean;
}

describe.each(dialects)("the log by cursor on %s", (dialect) => {
  let panel: Panel;
  let api: EventsApi;
  beforeAll(async () => {
    panel = await openPanel(dialect);
    api = await openApi(panel);
  });
  afterAll(async () => {
    await api.close();
    await panel.dispose();
  });
  beforeEach(async () => {
    await panel.events.positions.give();
  });

  const log = async (query: string, as = "root"): Promise<Page> => {
    const { status, body } = await api.call("GET", `/events/log?${query}`, undefined, as);
    expect([query, status]).toEqual([query, 200]);
    return body as Page;
  };
  const end = async (as = "root"): Promise<string> => {
    let page = await log("limit=1000&cursor=", as);
    while (page.more) page = await log(`limit=1000&cursor=${page.cursor}`, as);
    return page.cursor;
  };
  const raise = async (n: number, adminId = 0, event = "user.created"): Promise<void> => {
    await panel.raise(event, `user:${n}`, { userId: n, name: `u${n}`, adminId, n });
  };
  const refused = async (query: string): Promise<unknown> => {
    const { status, body } = await api.call("GET", `/events/log?${query}`);
    const { code, field } = body as { code: string; field?: string };
    return [status, code, ...(field === undefined ? [] : [field])];
  };

  // rule events.log.4
  test("pages go oldest first from the empty cursor on, each event once, and the last one says that it is", async () => {
    const from = await end();
    for (let n = 1; n <= 7; n++) await raise(n);
    await panel.events.positions.give();
    const numbers: number[] = [];
    let page = await log(`limit=3&cursor=${from}`);
    numbers.push(...page.items.map(({ data }) => data.n));
    expect(page.more).toBe(true);
    while (page.more) {
      page = await log(`limit=3&cursor=${page.cursor}`);
      numbers.push(...page.items.map(({ data }) => data.n));
    }
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await log(`cursor=${page.cursor}`)).toMatchObject({ items: [], more: false });
    // The empty one begins at the oldest; without one everything is as it was.
    expect((await log("limit=1000&cursor=")).items.map(({ data }) => data.n).slice(-7)).toEqual(numbers);
    expect((await api.call("GET", "/events/log?limit=2")).body).toMatchObject({ items: [{}, {}], limit: 2, offset: 0 });
  });

  // rule events.log.5
  test("a caller sees its own, and its cursor moves past the rest without telling of it", async () => {
    const before = await end("reseller");
    for (let n = 1; n <= 4; n++) await raise(n, ADMIN);
    await panel.events.positions.give();
    const unseen = await log(`cursor=${before}&limit=1`, "reseller");
    expect(unseen).toMatchObject({ items: [], more: false });
    await raise(5, RESELLER);
    await panel.events.positions.give();
    expect(await log(`cursor=${unseen.cursor}`, "reseller")).toMatchObject({
      items: [{ data: { n: 5 } }],
      more: false,
    });
    expect(await log(`cursor=${before}&event=user.deleted`)).toMatchObject({ items: [], more: false });
    expect(await log(`cursor=${before}&entity=user:5`)).toMatchObject({ items: [{ data: { n: 5 } }], more: false });
    expect(await log(`cursor=${before}&entity=user:4`, "reseller")).toMatchObject({ items: [], more: false });
    expect(await log(`cursor=${before}`, "reader")).toMatchObject({ items: [], more: false });
    // Its text says nothing: the same place reads otherwise each time.
    expect((await log(`cursor=${unseen.cursor}`, "reader")).cursor).not.toBe(
      (await log(`cursor=${unseen.cursor}`, "reader")).cursor,
    );
  });

  // rule events.log.6
  test("a cursor of another epoch, of an undone history, or of what retention took is 410; what is none is 400", async () => {
    const { commits, reads } = panel.database;
    const run = (query: ReturnType<typeof sql>) =>
      commits.execute({ name: "test", statements: [reads.statement("test", query)] });
    const kept = await end();
    await raise(1);
    await raise(2);
    await panel.events.positions.give();
    const undone = (await log(`cursor=${kept}&limit=1`)).cursor;
    const last = await end();
    expect(await log(`cursor=${undone}`)).toMatchObject({ items: [{ data: { n: 2 } }] });
    // As after a restore: the last two never happened, and two others got their places and ids.
    const [head] = await reads.query<{ head_position: number }>(sql`select head_position from event_log`);
    const shared = Number(head?.head_position) - 2;
    await run(sql`delete from events where position > ${shared}`);
    await run(sql`update event_log set (head_position, head_id, head_time) =
      (select coalesce(max(position), 0), coalesce(max(id), 0), coalesce(max(time), 0) from events where position = ${shared})`);
    panel.clock.advance(5);
    expect(await refused(`cursor=${last}`)).toEqual([410, "cursor_expired"]);
    for (let n = 11; n <= 14; n++) await raise(n);
    await panel.events.positions.give();
    expect(await refused(`cursor=${last}`)).toEqual([410, "cursor_expired"]);
    expect(await refused(`cursor=${undone}`)).toEqual([410, "cursor_expired"]);
    expect((await log(`cursor=${kept}`)).items.map(({ data }) => data.n)).toEqual([11, 12, 13, 14]);
    // Retention takes them; who has read them goes on.
    const now = await end();
    const behind = (await log(`cursor=${kept}&limit=2`)).cursor;
    panel.clock.advance(31 * 86_400);
    await panel.events.prune();
    expect(await refused(`cursor=${behind}`)).toEqual([410, "cursor_expired"]);
    expect(await log(`cursor=${now}`)).toMatchObject({ items: [], more: false });
    expect(await log("cursor=")).toMatchObject({ items: [], more: false });
    await raise(15);
    await panel.events.positions.give();
    for (const cursor of [now, ""])
      expect((await log(`cursor=${cursor}`)).items.map(({ data }) => data.n)).toEqual([15]);
    await run(sql`update event_log set epoch = 'another'`);
    expect(await refused(`cursor=${now}`)).toEqual([410, "cursor_expired"]);
    const foreign = new LogCursors(Buffer.alloc(32, 1)).write({ epoch: "another", position: 1, id: 1, time: 1 });
    for (const text of ["1", "s1.AAAA", foreign, `${now}x`, "x".repeat(600)])
      expect(await refused(`cursor=${encodeURIComponent(text)}`)).toEqual([400, "validation", "cursor"]);
    expect(await refused("wait=31&cursor=")).toEqual([400, "validation", "wait"]);
    expect(await refused("wait=1")).toEqual([400, "validation", "wait"]);
    expect(await refused("cursor=&offset=1")).toEqual([400, "validation", "offset"]);
  });

  // rule events.log.7
  test("wait holds an empty answer until something comes that the caller may hear", async () => {
    const cursor = await end("reseller");
    const held = log(`cursor=${cursor}&wait=30`, "reseller");
    await raise(1, ADMIN);
    await raise(2, RESELLER, "user.deleted");
    expect(await held).toMatchObject({ items: [{ data: { n: 2 } }], more: false });
    // It had come already.
    expect(await log(`cursor=${cursor}&wait=30`, "reseller")).toMatchObject({ items: [{ data: { n: 2 } }] });
    expect(await log(`cursor=${await end()}&wait=1&event=user.renewed`)).toMatchObject({ items: [], more: false });
  });

  // rule events.log.7
  test("eight of a caller are held, the next is 429; who leaves makes room, and a panel that stops answers", async () => {
    const panelOf = await openApi(panel);
    const base = await panelOf.api.app.listen({ host: "127.0.0.1", port: 0 });
    const cursor = await end();
    const leaving = new AbortController();
    const ask = (signal?: AbortSignal) =>
      fetch(`${base}/api/v1/events/log?cursor=${cursor}&wait=30&event=user.expired`, {
        headers: { authorization: "Bearer root" },
        ...(signal && { signal }),
      });
    // Nine requests are one too many: the first one that is answered is refused.
    const nine = Array.from({ length: 9 }, () => ask(leaving.signal));
    expect((await Promise.race(nine)).status).toBe(429);
    leaving.abort();
    await Promise.allSettled(nine);
    let held = ask();
    for (;;) {
      const answer = await Promise.race([held, pause(200)]);
      if (answer === undefined) break;
      // The requests that left may still be on their way out.
      expect(answer.status).toBe(429);
      held = ask();
    }
    panelOf.api.release();
    const answer = await held;
    if (answer.status !== 429)
      expect([answer.status, await answer.json()]).toMatchObject([200, { items: [], more: false }]);
    await panelOf.close();
  });

  // rule events.log.7
  test("32 of an address are held, whoever asks; another address has its own", async () => {
    const panelOf = await openApi(panel);
    const cursors = new Map<string, string>();
    const callers = ["root", "admin", "reseller", "reader", "narrow"];
    for (const as of callers) cursors.set(as, await end(as));
    const ask = (as: string, remoteAddress: string, wait = 30) =>
      panelOf.api.app.inject({
        url: `/api/v1/events/log?wait=${wait}&event=user.expired&cursor=${cursors.get(as) ?? ""}`,
        headers: { authorization: `Bearer ${as}` },
        remoteAddress,
      });
    const asked = callers.flatMap((as) => Array.from({ length: as === "narrow" ? 1 : 8 }, () => ask(as, "192.0.2.1")));
    expect((await Promise.race(asked)).statusCode).toBe(429);
    expect((await ask("narrow", "192.0.2.2", 1)).statusCode).toBe(200);
    panelOf.api.release();
    const codes = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
    expect(codes.toSorted((a, b) => a - b)).toEqual([...Array<number>(32).fill(200), 429]);
    await panelOf.close();
  });
});
