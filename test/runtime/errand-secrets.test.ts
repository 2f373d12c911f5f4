// Secrets of errands: in the memory of the process that took the request, and nowhere else.
import { once } from "node:events";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lock, sql } from "../../src/db/index.ts";
import { ManualClock } from "../../src/lib/clock.ts";
import { EffectFailure, problem, type ErrandRun, type SecretValues } from "../../src/runtime/testing.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "./eventually.ts";
import { entities, errand, Jobs, origin, panelOn, type Panel } from "./fixture.ts";

const PASSWORD = "correct horse battery";
const SECRETS = { password: PASSWORD, key: Buffer.from([1, 2, 3]) };

describe.each(dialects)("secrets of errands on %s", (dialect) => {
  let db: TestDatabase;
  let clock: ManualClock;
  let panels: Panel[];

  beforeEach(async () => {
    clock = new ManualClock(1_700_000_000_000);
    db = await openTestDatabase(dialect, entities, () => clock.now());
    panels = [];
  });
  afterEach(async () => {
    for (const each of panels) await each.supervisor.drain(20);
    await db.dispose();
  });

  const start = async (run: (input: unknown, run: ErrandRun) => Promise<unknown>, bootId: string) => {
    const panel = panelOn(db, { clock, bootId, work: errand(run, { secrets: true }) });
    panels.push(panel);
    await panel.supervisor.start();
    return panel;
  };
  /** As a request does it: the secrets and the event that begins the errand, in one commit. */
  const goWith = async (panel: Panel, id: number, milliseconds = 60_000, values: SecretValues = SECRETS) => {
    const handed = panel.supervisor.secrets.hand(values, milliseconds);
    await db.commits.submit({
      name: "job.go",
      locks: [lock(Jobs, id)],
      decide: (draft) => {
        panel.supervisor.secrets.give(draft, "job", id, handed);
        panel.supervisor.step(draft, panel.kind, id, { type: "go" }, origin);
      },
    });
    return handed;
  };
  /** Everything that the database holds, as text. */
  const everything = async () => {
    const tables = entities.map(({ name }) => name);
    const rows = await Promise.all(tables.map((name) => db.reads.query(sql`select * from ${sql.table(name)}`)));
    return JSON.stringify(rows);
  };

  // rule inspector.log.6
  test("the errand reads them, and no row, line or shown object has them", async () => {
    const seen: unknown[] = [];
    const panel = await start(async (_, { secrets, print, log }) => {
      seen.push(secrets?.text("password"), [...(secrets?.bytes("key") ?? [])], secrets?.text("none"));
      print(`sudo: wrong password ${PASSWORD}`);
      log("info", "asked", `with ${PASSWORD}`);
      seen.push(JSON.stringify(secrets), inspect(secrets, { depth: 9, showHidden: true }).includes(PASSWORD));
      return "well";
    }, "one");
    const id = await panel.create();
    await goWith(panel, id);
    await eventually(() => panel.state(id)).toBe("over");
    expect(seen).toEqual([PASSWORD, [1, 2, 3], undefined, "{}", false]);
    const lines = await panel.lines(id);
    expect(lines.map(({ text, args }) => [text, ...args])).toEqual([
      ["", 1],
      ["sudo: wrong password [redacted]"],
      ["", "with [redacted]"],
    ]);
    expect(await everything()).not.toContain(PASSWORD);
  });

  test("a long key, an error, a result and what comes in pieces have none of them", async () => {
    const key = `-----BEGIN KEY-----\nfirst half of it \nsecond half of it\n-----END KEY-----\n`;
    const panel = await start(async (_, { print, log, attempt }) => {
      print(key);
      print("in pieces: correct horse");
      print(" battery\nas programs quote it: ");
      print(Buffer.from(PASSWORD).toString("base64"));
      log("warning", "asked", encodeURIComponent(PASSWORD), JSON.stringify({ key }));
      if (attempt === 1) throw new Error(`no entry with ${PASSWORD}`);
      if (attempt === 2) throw new EffectFailure(problem(`the peer: ${PASSWORD}`, "attempt_failed", PASSWORD));
      return { with: [PASSWORD], [key.slice(0, 3)]: key };
    }, "one");
    const id = await panel.create();
    await goWith(panel, id, 60_000, { password: PASSWORD, key });
    const stored: string[] = [];
    await eventually(async () => {
      clock.advance(20);
      stored.push(await everything());
      return panel.state(id);
    }).toBe("over");
    stored.push(await everything());
    const forms = [PASSWORD, "half of it", "BEGIN KEY", encodeURIComponent(PASSWORD), btoa(PASSWORD)];
    for (const text of [...stored, ...panel.errors])
      for (const form of forms) expect(text.includes(form), form).toBe(false);
    expect((await panel.row(id)).mctx["note"]).toContain("[redacted]");
    expect((await panel.lines(id)).map(({ text }) => text)).toContain("in pieces: [redacted]");
  });

  test("after they are forgotten, an errand that kept one tells nothing", async () => {
    const kept: unknown[] = [];
    const panel = await start(async (_, { secrets, signal, print, log }) => {
      const own = secrets?.text("password");
      kept.push(own);
      await once(signal, "abort");
      print(`${own}\n`);
      log("info", "asked", own ?? "", 5);
      throw new Error(own);
    }, "one");
    const id = await panel.create();
    await goWith(panel, id, 3000);
    await eventually(() => kept).toEqual([PASSWORD]);
    clock.advance(5000);
    await eventually(async () => {
      clock.advance(200);
      return (await panel.lines(id)).slice(0, 4).map(({ code, args, text }) => [code, ...args, text]);
    }).toEqual([
      ["attempt_began", 1, ""],
      ["output", "[redacted]"],
      ["asked", "[redacted]", 5, ""],
      ["no_result", 5000, ""],
    ]);
    expect(await everything()).not.toContain(PASSWORD);
  });

  test("an errand without its secrets never runs: the chart hears secret_lost", async () => {
    let runs = 0;
    const panel = await start(async () => runs++, "one");
    const id = await panel.create();
    await panel.ask(id, "go");
    await eventually(() => panel.state(id)).toBe("failed");
    expect((await panel.row(id)).mctx).toEqual({ note: '"the secrets that it needs are no longer in memory"' });
    expect((await panel.lines(id)).map(({ code }) => code)).toEqual(["secret_lost"]);
    expect(runs).toBe(0);
  });

  // rule inspector.log.6
  test("after a kill between the request and the errand's end, the next panel tells the chart and runs nothing", async () => {
    const panel = await start(() => new Promise(() => {}), "killed");
    const id = await panel.create();
    await goWith(panel, id);
    await eventually(() => panel.effects(id)).toMatchObject([{ state: "running", home: "killed" }]);
    panels.splice(0);
    let runs = 0;
    const next = await start(async () => runs++, "next");
    await eventually(() => next.state(id)).toBe("failed");
    expect((await next.row(id)).mctx).toEqual({ note: '"the secrets that it needs are no longer in memory"' });
    expect(runs).toBe(0);
    // A new request brings them again.
    await goWith(next, id);
    await eventually(() => next.state(id)).toBe("over");
    expect(runs).toBe(1);
    panels.push(panel);
    clock.advance(10_000);
  });

  test("they are forgotten at their deadline, by `drop`, and with the actor; bytes are overwritten", async () => {
    const held: Uint8Array[] = [];
    const failures: unknown[] = [];
    const panel = await start(async (_, { secrets, signal }) => {
      const bytes = secrets?.bytes("key");
      if (bytes) held.push(bytes);
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      try {
        secrets?.text("password");
      } catch (error) {
        failures.push((error as Error).name);
      }
    }, "one");
    const ids = [await panel.create(), await panel.create(), await panel.create()] as const;
    for (const id of ids) await goWith(panel, id, 3000);
    await eventually(() => held.length).toBe(3);
    await panel.remove(ids[0]);
    await db.commits.submit({
      name: "job.drop",
      locks: [],
      decide: (draft) => panel.supervisor.secrets.drop(draft, "job", ids[1]),
    });
    expect(held.map((bytes) => [...bytes])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [1, 2, 3],
    ]);
    clock.advance(3000);
    expect([...(held[2] ?? [])]).toEqual([0, 0, 0]);
    for (const id of ids.slice(1)) await panel.ask(id, "stop");
    await eventually(() => failures).toEqual(["SecretLost", "SecretLost", "SecretLost"]);
  });

  test("secrets of a refused request are forgotten by whoever handed them over", async () => {
    const panel = await start(async () => "well", "one");
    const handed = panel.supervisor.secrets.hand({ password: PASSWORD }, 60_000);
    handed.forget();
    const id = await panel.create();
    await db.commits.submit({
      name: "job.give",
      locks: [],
      decide: (draft) => panel.supervisor.secrets.give(draft, "job", id, handed),
    });
    expect(panel.supervisor.secrets.of("job", id)).toBeUndefined();
  });
});
