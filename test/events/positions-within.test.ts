// Where one process commits, a change that comes alone gives its events their place in the log: no second transaction
// follows.
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseDatabaseUrl } from "../../src/db/orm.ts";
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
