// A panel is killed while it makes a batch of accounts: all of them are there or none, and the same request under its
// key makes those that are missing and nobody twice.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dialects } from "../database.ts";
import { startPanel, type E2ePanel } from "./panel.ts";

const ACCOUNTS = 1000;
/** Milliseconds after the request was sent: before, within and behind the commit, as fast as the machine is. */
const KILLS = [30, 90, 180, 320];

describe.each(dialects)("a batch whose panel is killed on %s", (dialect) => {
  let panel: E2ePanel;
  beforeAll(async () => {
    panel = await startPanel({ dialect, engine: "none" });
  }, 120_000);
  afterAll(() => panel.dispose());

  const total = async (stem: string) =>
    ((await panel.api.ok("GET", `/users?limit=1&q=${stem}-`)) as { total: number }).total;

  // rule users.create.6
  it("is whole or not there, and its repeat makes it once", { timeout: 240_000 }, async () => {
    for (const [round, after] of KILLS.entries()) {
      const stem = `round${round}`;
      const users = Array.from({ length: ACCOUNTS }, (_, at) => ({ name: `${stem}-${at}` }));
      const ask = () => panel.api.request("POST", "/api/v1/users/batch", { users }, { "idempotency-key": stem });
      const unanswered = ask().catch((error: unknown) => error);
      await pause(after);
      await panel.kill();
      await unanswered;
      await panel.start();
      expect([stem, [0, ACCOUNTS].includes(await total(stem))]).toEqual([stem, true]);
      // The key is held until the panel's end is known.
      await expect
        .poll(ask, { interval: 500, timeout: 100_000 })
        .toMatchObject({ status: 200, body: { problems: [], created: { length: ACCOUNTS } } });
      expect(await total(stem)).toBe(ACCOUNTS);
    }
  });
});
