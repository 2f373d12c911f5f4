// What a transition leaves behind in its one commit: the row, a gapless journal, events with their deliveries; and what
// a deletion takes away.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sql, type Committed } from "../../src/db/index.ts";
import { TRANSITION, type Transition } from "../../src/runtime/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { entities, Heard, Jobs, panelOn, queued, type Panel } from "./fixture.ts";

describe.each(dialects)("records on %s", (dialect) => {
  let db: TestDatabase;
  let panel: Panel;
  beforeEach(async () => {
    db = await openTestDatabase(dialect, entities);
    panel = panelOn(db);
  });
  afterEach(async () => {
    await panel.supervisor.drain(20);
    await db.dispose();
  });

  test("the journal is gapless from 1, each entry begins where the one before ended, the row is its end", async () => {
    const id = await panel.create();
    for (const type of ["count", "wait", "count", "stop", "go", "stop", "link", "lost"] as const)
      await panel.ask(id, type);
    const journal = await panel.journal(id);
    expect(journal.map((entry) => entry.seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(journal.map((entry) => entry.fromState)).toEqual([
      null,
      ...journal.slice(0, -1).map((entry) => entry.toState),
    ]);
    expect(await panel.row(id)).toMatchObject({ rev: 9, mstate: journal.at(-1)?.toState });
    expect(journal[0]).toMatchObject({ event: "created", via: "system", actor: "test", took: 0 });
    expect(JSON.parse(journal[1]?.changed ?? "")).toEqual({ count: [0, 1] });
  });

  test("an event that the chart does not take leaves no trace", async () => {
    const id = await panel.create();
    const before = await panel.row(id);
    expect(await panel.ask(id, "stop")).toEqual({ handled: false, state: "idle" });
    expect(await panel.row(id)).toEqual(before);
    expect(await panel.journal(id)).toHaveLength(1);
  });

  test("events and their deliveries are in the transition's own commit, and listeners hear all of it at once", async () => {
    const id = await panel.create();
    const heard: Committed[] = [];
    const stop = db.commits.onCommit((committed) => heard.push(committed));
    await panel.ask(id, "count");
    stop();
    expect(heard).toHaveLength(1);
    const tables = heard[0]?.changes.map((change) => change.table).toSorted();
    expect(tables).toEqual(["events", "heard", "jobs", "journal"]);
    const [event] = await panel.events(id);
    expect(event).toMatchObject({
      event: "job.counted",
      data: JSON.stringify({ id, count: 1 }),
      subject: `job:${id}`,
      adminId: null,
    });
    expect(await db.reads.rows(Heard, sql`select * from heard`)).toMatchObject([{ eventId: event?.id }]);
    const transition: Partial<Transition> = { kind: "job", id, seq: 2, event: "count", from: "idle", to: "idle" };
    expect(heard[0]?.facts.of(TRANSITION)).toMatchObject([transition]);
  });

  test("a command that fails after its step leaves no transition and no event", async () => {
    const id = await panel.create();
    const refused = db.commits.submit({
      name: "job.refused",
      locks: [],
      decide: (draft) => {
        panel.supervisor.step(
          draft,
          panel.kind,
          id,
          { type: "count" },
          { via: "cli", actor: "a", adminId: 3, tokenId: 0, ip: "" },
        );
        throw new Error("on second thought");
      },
    });
    await expect(refused).rejects.toThrow("on second thought");
    expect(await panel.row(id)).toMatchObject({ count: 0, rev: 1 });
    expect(await panel.events(id)).toEqual([]);
  });

  test("deletion is the last transition: row, timers and effects go, the journal stays", async () => {
    await panel.supervisor.start();
    const [waiting, busy, other] = [
      await panel.create({ deadline: Date.now() + 60_000 }),
      await panel.create(),
      await panel.create(),
    ];
    await panel.ask(waiting, "wait");
    await panel.ask(busy, "go");
    await panel.ask(other, "wait");
    await Promise.all([panel.remove(waiting), panel.remove(busy)]);
    for (const id of [waiting, busy]) {
      expect(await db.reads.find(Jobs, id)).toBeUndefined();
      expect([await panel.timers(id), await panel.effects(id)]).toEqual([[], []]);
      expect((await panel.journal(id)).at(-1)).toMatchObject({ seq: 3, event: "deleted", toState: "deleted" });
    }
    expect(await panel.timers(other)).toHaveLength(1);
    await expect(panel.ask(waiting, "stop")).rejects.toThrow("there is no job");
  });

  test("a step that is created, moved and deleted in one command keeps its whole journal", async () => {
    const id = await db.commits.submit({
      name: "job.brief",
      locks: [],
      decide: (draft) => {
        const origin = { via: "cli", actor: "root", adminId: 0, tokenId: 0, ip: "" } as const;
        const made = draft.nextId("jobs");
        panel.supervisor.create(
          draft,
          panel.kind,
          { id: made, name: "brief", patience: 5, deadline: null, count: 0 },
          origin,
        );
        panel.supervisor.step(draft, panel.kind, made, { type: "wait" }, origin);
        panel.supervisor.remove(draft, panel.kind, made, origin);
        return made;
      },
    });
    expect((await panel.journal(id)).map((entry) => entry.toState)).toEqual(["idle", "waiting", "deleted"]);
    expect(await panel.timers(id)).toEqual([]);
    expect(await db.reads.find(Jobs, id)).toBeUndefined();
  });

  test("secret fields of the context are not in the journal", async () => {
    const secretive = panelOn(db, { bare: queued(async () => "hunter2"), definition: { secrets: ["note"] } });
    await secretive.supervisor.start();
    const id = await secretive.create();
    const over = new Promise<void>((resolve) =>
      db.commits.onCommit(({ facts }) => {
        if (facts.of(TRANSITION).some(({ to }) => to === "over")) resolve();
      }),
    );
    await secretive.ask(id, "bare");
    await over;
    const texts = (await secretive.journal(id)).map((entry) => entry.changed).join("");
    expect(texts).toContain("[redacted]");
    expect(texts).not.toContain("hunter2");
    await secretive.supervisor.drain(20);
  });
});
