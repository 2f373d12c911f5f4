// Texts of accounts are indexed after the commits that change them: what a search finds is the same before and after,
// whoever indexes, and whenever that one stops.
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TextIndexing } from "../../src/accounts/testing.ts";
import { sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { TestPanel } from "./panel.ts";

describe.each(dialects)("indexing of texts on %s", (dialect) => {
  let panel: TestPanel;
  beforeEach(async () => void (panel = await TestPanel.open(dialect)));
  afterEach(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  const make = async (body: object): Promise<number> => (await panel.ok("POST", "/users", body)).id;
  const found = async (q: string): Promise<number[]> =>
    (await panel.ok("GET", `/users?q=${encodeURIComponent(q)}&limit=1000`)).items.map(({ id }: { id: number }) => id);
  const numberOf = async (table: string): Promise<number> => {
    const count = sql<{ n: number | string }>`select count(*) as n from ${sql.raw(table)}`;
    return Number((await panel.database.reads.query(count))[0]?.n);
  };
  const indexing = (holds: () => boolean): TextIndexing => {
    const { commits, reads } = panel.database;
    const onError = (error: unknown) => void panel.failures.push(error);
    return new TextIndexing({ commits, reads, clock: panel.clock, holds, onError });
  };
  /** Moves the clock until the queue is empty. */
  const emptied = () =>
    expect
      .poll(async () => {
        panel.clock.advance(1000);
        return numberOf("user_text_queue");
      })
      .toBe(0);

  // rule users.list.3
  test("what is indexed and then changed is found by what it is now alone, before it is indexed again", async () => {
    const [kept, changed, gone] = [
      await make({ name: "one x" }),
      await make({ name: "two x" }),
      await make({ name: "three x" }),
    ];
    await panel.indexTexts();
    expect([await numberOf("user_texts"), await numberOf("user_text_queue")]).toEqual([3, 0]);
    await panel.ok("PATCH", `/users/${changed}`, { name: "four y" });
    await panel.ok("DELETE", `/users/${gone}`);
    // The index has still the old ones.
    expect([await numberOf("user_texts"), await numberOf("user_text_queue")]).toEqual([3, 2]);
    for (let round = 0; round < 2; round++) {
      for (const [q, ids] of [
        ["one x", [kept]],
        ["two x", []],
        ["two", []],
        ["wo", []],
        ["three x", []],
        ["four y", [changed]],
        ["fo", [changed]],
        [" x", [kept]],
      ] as const)
        expect([round, q, await found(q)]).toEqual([round, q, ids]);
      await panel.indexTexts();
    }
    expect([await numberOf("user_texts"), await numberOf("user_text_queue")]).toEqual([2, 0]);
  });

  // rule users.list.3
  test("an account that is restored is found again, whatever was indexed of its end", async () => {
    for (const indexes of [false, true]) {
      const id = await make({ name: `back ${indexes}` });
      await panel.indexTexts();
      await panel.ok("DELETE", `/users/${id}`);
      if (indexes) await panel.indexTexts();
      await panel.ok("POST", `/users/${id}/restore`, {});
      expect(await found(`back ${indexes}`)).toEqual([id]);
      await panel.indexTexts();
      expect(await found(`back ${indexes}`)).toEqual([id]);
    }
  });

  test("what does not change a text writes none", async () => {
    const id = await make({ name: "quiet" });
    await panel.indexTexts();
    await panel.ok("PATCH", `/users/${id}`, { volume: 5000 });
    expect(await numberOf("user_text_queue")).toBe(0);
  });

  test("a step ends at so many letters, and takes one text however long it is", async () => {
    const filled = (n: number) =>
      Object.fromEntries(Array.from({ length: 7 }, (_, k) => [`k${k}`, `${n}${k}`.repeat(80)]));
    for (let n = 10; n < 50; n++) await make({ name: `long ${n}`, contact: filled(n) });
    const one = indexing(() => true);
    let steps = 0;
    for (let left = await one.step(); left.waiting > 0; left = await one.step()) {
      steps++;
      expect(await numberOf("user_text_queue")).toBeLessThan(left.waiting);
    }
    expect(steps).toBeGreaterThan(1);
    expect((await found("long ")).length).toBe(40);
  });

  // rule users.list.3
  test("who holds the lease indexes within a second, who gets it takes what was left", async () => {
    let holds = false;
    const one = indexing(() => holds);
    one.start();
    await make({ name: "left behind" });
    // Each commit would wait for a step that is under way.
    for (let others = 1; others <= 3; others++) {
      panel.clock.advance(5000);
      await turn();
      await make({ name: `beside ${others}` });
    }
    expect(await numberOf("user_text_queue")).toBe(4);
    // The one before was killed after its commit: nobody tells of it any more.
    holds = true;
    one.wake();
    await emptied();
    await make({ name: "comes now" });
    expect(await numberOf("user_text_queue")).toBe(1);
    await emptied();
    expect(await found("left beh")).toHaveLength(1);
    await one.stop();
  });

  // rule users.list.3
  test("changes at the same time lose no text, with two that index", async () => {
    const ids: number[] = [];
    for (let n = 0; n < 12; n++) ids.push(await make({ name: `busy ${n}` }));
    const changing = new AbortController();
    const taking = [indexing(() => true), indexing(() => true)].map(async (one) => {
      while (!changing.signal.aborted) {
        await one.step();
        await turn();
      }
    });
    for (let round = 0; round < 8; round++)
      await Promise.all(ids.map((id, n) => panel.ok("PATCH", `/users/${id}`, { desc: `note ${n} of ${round}.` })));
    changing.abort();
    await Promise.all(taking);
    for (let pass = 0; pass < 2; pass++) {
      expect(await found(" of 7.")).toEqual(ids);
      expect(await found(" of 6.")).toEqual([]);
      await panel.indexTexts();
    }
  });

  // rule users.list.3
  test("many accounts at once are found while they wait and after", async () => {
    const users = Array.from({ length: 220 }, (_, n) => ({ name: `many ${n}`, contact: { note: `about ${n}.` } }));
    const body = await panel.ok("POST", "/users/batch", { users: users.slice(0, 200) });
    expect(body.created).toHaveLength(200);
    for (const user of users.slice(200)) await make(user);
    const { total } = await panel.ok("GET", "/users?q=many&limit=1");
    expect([total, (await found("about 219.")).length, (await found("y 21")).length]).toEqual([220, 1, 11]);
    await panel.indexTexts();
    expect(await numberOf("user_text_queue")).toBe(0);
    expect([(await found("many")).length, (await found("about 219.")).length, (await found("y 21")).length]).toEqual([
      220, 1, 11,
    ]);
  });
});
