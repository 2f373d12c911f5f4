// Where one process commits, a change that comes alone gives its events their place in the log: no second transaction
// follows.
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { sql, type Draft } from "../../src/db/index.ts";
import { parseDatabaseUrl } from "../../src/db/orm.ts";
import { LogHeadRows } from "../../src/events/log-head.entity.ts";
import { LogPositions, POSITIONS_GIVEN, PositionsWithin } from "../../src/events/log-positions.ts";
import { eventEntities } from "../../src/events/testing.ts";
import { ManualClock } from "../../src/lib/clock.ts";
import { EVENT, Outbox } from "../../src/runtime/index.ts";
import { openTestDatabase } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

let panel: WholePanel;
let file: Database.Database;
beforeAll(async () => {
  panel = await WholePanel.open("sqlite");
  file = new Database(parseDatabaseUrl(panel.databaseUrl).target, { readonly: true });
});
afterAll(async () => {
  file.close();
  await panel.dispose();
});

const events = () =>
  file.prepare("select id, event, position from events order by id").all() as {
    id: number;
    event: string;
    position: number | null;
  }[];
const head = () => file.prepare("select head_position, head_id from event_log").get();

// rule events.log.4
it("a change that comes alone is in the log when it is answered", async () => {
  const placed = () => events().every(({ position }) => position !== null);
  // Something else of the panel may have come just before it.
  await expect
    .poll(async () => {
      await expect.poll(placed).toBe(true);
      await pause(100);
      const before = events().length;
      await panel.call("POST", "/api/v1/users", { name: `alone${before}` });
      return events().length > before && placed();
    })
    .toBe(true);
});

it("changes that come together are there soon after, each once", async () => {
  const before = events().length;
  await Promise.all(Array.from({ length: 20 }, (_, at) => panel.call("POST", "/api/v1/users", { name: `user${at}` })));
  await expect.poll(() => events().every(({ position }) => position !== null)).toBe(true);
  const after = events();
  expect(after.slice(before).filter(({ event }) => event === "user.created")).toHaveLength(20);
  const positions = after.map(({ position }) => position ?? 0);
  expect(positions.every((position, at) => at === 0 || position === (positions[at - 1] ?? 0) + 1)).toBe(true);
  expect(head()).toEqual({ head_position: after.at(-1)?.position, head_id: after.at(-1)?.id });
});

/** The log of a process that is alone, with time in the test's hand. */
async function logAlone() {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const database = await openTestDatabase("sqlite", eventEntities, () => clock.now());
  const { commits, reads } = database;
  const within = new PositionsWithin(reads, clock);
  const outbox = new Outbox({ record: (draft) => within.place(draft) });
  const positions = new LogPositions({ commits, reads, clock, holds: () => true, log: { warn: () => {} } });
  const state = { transactions: 0 };
  await positions.give();
  commits.onCommit((committed) => {
    within.follow(committed);
    positions.follow(committed);
    if (committed.facts.has(POSITIONS_GIVEN) && !committed.facts.has(EVENT)) state.transactions++;
  });
  onTestFinished(async () => {
    await positions.stop();
    await database.dispose();
  });
  const raise = (draft: Draft) => outbox.raise(draft, { event: "user.created", data: {}, subject: "user:1" });
  const waiting = async () => (await reads.query(sql`select id from events where position is null`)).length;
  return { clock, commits, raise, state, waiting };
}

it("a change that is decided more than once has its position when it is committed, too", async () => {
  const { commits, raise, waiting } = await logAlone();
  let decided = 0;
  await commits.submit({
    name: "more than once",
    locks: [],
    decide(draft) {
      decided++;
      raise(draft);
      draft.find(LogHeadRows, 1);
    },
  });
  expect(decided).toBeGreaterThan(1);
  expect(await waiting()).toBe(0);
});

it("while changes follow each other they leave nothing to a transaction; what the last ones leave gets one", async () => {
  const { clock, commits, raise, state, waiting } = await logAlone();
  for (let turn = 0; turn < 60; turn++) {
    await commits.submit({ name: "change", locks: [], decide: raise });
    clock.advance(7);
    await pause(0);
  }
  expect(state.transactions).toBe(0);
  await commits.submit({ name: "last", locks: [], decide: raise });
  await commits.submit({ name: "very last", locks: [], decide: raise });
  expect(await waiting()).toBeGreaterThan(0);
  clock.advance(40);
  await expect.poll(waiting).toBe(0);
  expect(state.transactions).toBe(1);
});
