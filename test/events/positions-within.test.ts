// Where one process commits, a change gives its events their place in the log itself: no second transaction follows.
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
it("an answered change is in the log already, as are all that shared its commit", async () => {
  await panel.call("POST", "/api/v1/users", { name: "first" });
  await expect.poll(() => events().every(({ position }) => position !== null)).toBe(true);
  const before = events().length;
  await Promise.all(Array.from({ length: 20 }, (_, at) => panel.call("POST", "/api/v1/users", { name: `user${at}` })));
  const after = events();
  expect(after.slice(before).filter(({ event }) => event === "user.created")).toHaveLength(20);
  // By id as by position, none twice and none left out.
  const positions = after.map(({ position }) => position ?? 0);
  expect(positions.every((position, at) => at === 0 || position === (positions[at - 1] ?? 0) + 1)).toBe(true);
  expect(head()).toEqual({ head_position: after.at(-1)?.position, head_id: after.at(-1)?.id });
});
