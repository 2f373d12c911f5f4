// Resident effects: they live as long as their state, begin again at a start, and leave no trace on disk.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Facts, sql, StoreUnavailable, type Database } from "../../src/db/index.ts";
import { RESIDENTS } from "../../src/runtime/facts.ts";
import { FAULT_LIMIT, type ResidentEffect, type Send } from "../../src/runtime/index.ts";
import { connectTestDatabase, dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "./eventually.ts";
import { entities, panelOn, type Panel } from "./fixture.ts";

describe.each(dialects)("residents on %s", (dialect) => {
  let db: TestDatabase;
  let panel: Panel;
  let log: string[];
  let sends: Map<number, Send>;
  let line: ResidentEffect;

  beforeEach(async () => {
    db = await openTestDatabase(dialect, entities);
    log = [];
    sends = new Map();
    line = {
      mode: "resident",
      start: ({ id, resumed, send }) => {
        log.push(`${resumed ? "resume" : "start"} ${id}`);
        sends.set(id, send);
        return () => log.push(`stop ${id}`);
      },
    };
    panel = panelOn(db, { line });
  });
  afterEach(async () => {
    await panel.supervisor.drain(20);
    await db.dispose();
  });

  test("begin and end with the state, not with a step within it, and anew when it is entered again", async () => {
    await panel.supervisor.start();
    const id = await panel.create();
    await panel.ask(id, "link");
    await panel.ask(id, "count");
    expect(log).toEqual([`start ${id}`]);
    await panel.ask(id, "again");
    expect(log).toEqual([`start ${id}`, `stop ${id}`, `start ${id}`]);
    await panel.ask(id, "lost");
    expect(log.at(-1)).toBe(`stop ${id}`);
    expect(await panel.effects(id)).toEqual([]);
  });

  test("what one reports is a committed event", async () => {
    await panel.supervisor.start();
    const id = await panel.create();
    await panel.ask(id, "link");
    await sends.get(id)?.({ type: "lost" });
    expect(await panel.state(id)).toBe("idle");
    expect((await panel.journal(id)).at(-1)).toMatchObject({ event: "lost", actor: "effect" });
  });

  test("deleting the actor ends its resident", async () => {
    await panel.supervisor.start();
    const id = await panel.create();
    await panel.ask(id, "link");
    await panel.remove(id);
    expect(log).toEqual([`start ${id}`, `stop ${id}`]);
  });

  test("a start resumes those whose state invokes one, and writes nothing", async () => {
    const [linked, idle] = [await panel.create(), await panel.create()];
    await panel.ask(linked, "link");
    const before = await panel.row(linked);
    const entries = await db.reads.query(sql`select id from journal`);
    let again: Database | undefined;
    try {
      again = await connectTestDatabase(db.url, entities);
      let commits = 0;
      again.commits.onCommit(() => commits++);
      const second = panelOn(again, { line });
      await second.supervisor.start();
      expect(log).toEqual([`resume ${linked}`]);
      expect(commits).toBe(0);
      expect(await second.row(linked)).toEqual(before);
      expect(await db.reads.query(sql`select id from journal`)).toEqual(entries);
      await second.ask(idle, "link");
      expect(log).toEqual([`resume ${linked}`, `start ${idle}`]);
      await second.supervisor.drain(20);
      expect(log.slice(2).toSorted()).toEqual([`stop ${linked}`, `stop ${idle}`].toSorted());
    } finally {
      await again?.close();
    }
  });

  test("what an ended one says is not taken for the next one's", async () => {
    await panel.supervisor.start();
    const id = await panel.create();
    await panel.ask(id, "link");
    const old = sends.get(id);
    await panel.ask(id, "again");
    await old?.({ type: "lost" });
    expect(await panel.state(id)).toBe("linked");
    await sends.get(id)?.({ type: "lost" });
    expect(await panel.state(id)).toBe("idle");
  });

  test("late news of another process's commits changes nothing, also of what began and ended before the start", async () => {
    const [before, after] = [await panel.create(), await panel.create()];
    await panel.ask(before, "link");
    await panel.ask(before, "lost");
    await panel.supervisor.start();
    const tell = (id: number, rev: number, ...active: string[]) => {
      const start = active.map((invokeId) => ({ invokeId, src: invokeId }));
      db.commits.announce({
        changes: [],
        facts: new Facts().add(RESIDENTS, { kind: "job", id, rev, start, active }),
        remote: true,
      });
    };
    tell(before, 2, "line");
    expect(log).toEqual([]);
    await panel.ask(after, "link");
    tell(after, 2, "line");
    tell(after, 1);
    expect(log).toEqual([`start ${after}`]);
    tell(after, 5, "line");
    tell(after, 4);
    expect(log).toEqual([`start ${after}`, `stop ${after}`, `start ${after}`]);
    tell(after, 6);
    await panel.ask(after, "again");
    expect(log.slice(3)).toEqual([`stop ${after}`]);
  });

  test("what one says arrives in its order, also when a first try failed", async () => {
    const { commits } = db;
    let away = true;
    const submit: typeof commits.submit = (unit) => {
      if (away && unit.name === "job.count") {
        away = false;
        return Promise.reject(new StoreUnavailable("away"));
      }
      return commits.submit(unit);
    };
    const flaky = new Proxy(commits, {
      get: (target, name) => {
        if (name === "submit") return submit;
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const other = panelOn({ ...db, commits: flaky }, { line });
    await other.supervisor.start();
    const id = await other.create();
    await other.ask(id, "link");
    const send = sends.get(id);
    await Promise.all([send?.({ type: "count" }), send?.({ type: "lost" })]);
    expect((await other.journal(id)).slice(-2).map((entry) => entry.event)).toEqual(["count", "lost"]);
    await other.supervisor.drain(20);
  });

  test("an actor that cannot take what one says ends in quarantine, and lifting that begins the resident anew", async () => {
    await panel.supervisor.start();
    const id = await panel.create();
    await panel.ask(id, "link");
    await sends.get(id)?.({ type: "boom" });
    expect(await panel.row(id)).toMatchObject({ mstate: "linked", faultCount: FAULT_LIMIT });
    log.length = 0;
    await panel.supervisor.resume("job", id);
    expect(log).toEqual([`stop ${id}`, `start ${id}`]);
    await sends.get(id)?.({ type: "lost" });
    expect(await panel.state(id)).toBe("idle");
  });

  test("one that cannot begin is reported, and its actor goes on", async () => {
    const failing: ResidentEffect = {
      mode: "resident",
      start: () => {
        throw new Error("no socket");
      },
    };
    const other = panelOn(db, { line: failing });
    await other.supervisor.start();
    const id = await other.create();
    await other.ask(id, "link");
    expect(other.errors).toEqual(["resident effects: no socket"]);
    await other.ask(id, "lost");
    await eventually(() => other.state(id)).toBe("idle");
    await other.supervisor.drain(20);
  });
});
