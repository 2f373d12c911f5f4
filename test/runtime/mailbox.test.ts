// One writer and an ordered mailbox per actor; bounded; and an end that settles what was accepted.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Committer } from "../../src/db/commit.ts";
import { lock, StoreUnavailable } from "../../src/db/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { entities, Jobs, origin, panelOn } from "./fixture.ts";

describe.each(dialects)("mailboxes on %s", (dialect) => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await openTestDatabase(dialect, entities);
  });
  afterEach(() => db.dispose());

  test("a thousand events at once, in the order in which they were asked", async () => {
    const panel = panelOn(db);
    const id = await panel.create();
    const types = Array.from(
      { length: 1000 },
      (_, index) => (["wait", "count", "stop", "count"] as const)[index % 4] ?? "count",
    );
    const answers = await Promise.all(types.map((type) => panel.ask(id, type)));
    expect(answers.every((answer) => answer.handled)).toBe(true);
    expect((await panel.journal(id)).slice(1).map((entry) => entry.event)).toEqual(types);
    expect(await panel.row(id)).toMatchObject({ rev: 1001, count: 500 });
  });

  test("over many actors each keeps its own order", async () => {
    const panel = panelOn(db);
    const ids = await Promise.all(Array.from({ length: 20 }, () => panel.create()));
    const asked = Array.from(
      { length: 1000 },
      (_, index) => ({ id: ids[(index * 7) % 20] ?? 0, type: index % 40 < 20 ? "wait" : "stop" }) as const,
    );
    await Promise.all(asked.map(({ id, type }) => panel.ask(id, type)));
    for (const id of ids) {
      const mine = asked.filter((each) => each.id === id).map((each) => each.type);
      const taken = mine.filter((type, index) => type !== (mine[index - 1] ?? "stop"));
      expect((await panel.journal(id)).slice(1).map((entry) => entry.event)).toEqual(taken);
    }
  });

  test("past the backlog a command is refused, not queued", async () => {
    const commits = new Committer(db.store, db.tables, { now: Date.now, backlog: 10, onListenerError: () => {} });
    const panel = panelOn({ ...db, commits });
    const id = await panel.create();
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => panel.ask(id, "count")));
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(20);
    expect(refused.every((result) => result.status === "rejected" && result.reason instanceof StoreUnavailable)).toBe(
      true,
    );
    expect((await panel.row(id)).count).toBe(10);
    await panel.ask(id, "count");
  });

  test("a drain settles what was accepted, statements included, and refuses what comes later", async () => {
    const commits = new Committer(db.store, db.tables, { now: Date.now, onListenerError: () => {} });
    const panel = panelOn({ ...db, commits });
    const id = await panel.create();
    const asked = Array.from({ length: 300 }, () => panel.ask(id, "count"));
    const statement = commits.execute({
      name: "set",
      statements: [{ label: "set", text: "update jobs set name = 'drained'", values: [] }],
    });
    await panel.supervisor.drain(20);
    const late = panel.ask(id, "count").then(() => commits.drain());
    const drained = commits.drain();
    await expect(panel.ask(id, "count")).rejects.toBeInstanceOf(StoreUnavailable);
    await Promise.all([...asked, statement, late, drained]);
    expect(commits.waiting).toBe(0);
    expect(await panel.row(id)).toMatchObject({ count: 301, name: "drained" });
  });

  test("commands on other records and events share one order", async () => {
    const panel = panelOn(db);
    const id = await panel.create();
    const rename = (name: string) =>
      db.commits.submit({
        name: "job.rename",
        locks: [lock(Jobs, id)],
        decide: (draft) => {
          draft.update(Jobs, id, { name });
          return panel.supervisor.step(draft, panel.kind, id, { type: "count" }, origin).handled;
        },
      });
    await Promise.all([rename("a"), panel.ask(id, "wait"), rename("b"), panel.ask(id, "stop"), rename("c")]);
    expect(await panel.row(id)).toMatchObject({ name: "c", count: 3, rev: 6 });
  });
});
