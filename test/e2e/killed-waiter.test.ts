// A panel is killed while a client waits in its log: the client asks the next one with its last cursor, and gets every
// event once, those too that were committed a moment before the kill and had no position yet.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dialects } from "../database.ts";
import { startPanel, type E2ePanel } from "./panel.ts";

interface Page {
  readonly cursor: string;
  readonly more: boolean;
  readonly items: readonly { readonly event: string; readonly data: { readonly name: string } }[];
}

describe.each(dialects)("a waiter whose panel is killed on %s", (dialect) => {
  let panel: E2ePanel;
  beforeAll(async () => {
    panel = await startPanel({ dialect, engine: "none" });
  }, 120_000);
  afterAll(() => panel.dispose());

  const ask = async (cursor: string, wait: number): Promise<Page> => {
    const query = `cursor=${encodeURIComponent(cursor)}&wait=${wait}&event=user.created&limit=1000`;
    const { status, body } = await panel.api.request("GET", `/api/v1/events/log?${query}`);
    expect(status).toBe(200);
    return body as Page;
  };

  // rule events.log.7
  it("loses nothing and is told nothing twice", { timeout: 120_000 }, async () => {
    let { cursor } = await ask("", 0);
    const told: string[] = [];
    const made: string[] = [];
    const take = (page: Page): void => {
      told.push(...page.items.map(({ data }) => data.name));
      ({ cursor } = page);
    };
    for (let round = 0; round < 3; round++) {
      // Answered, so the next request is one that is held.
      const first = ask(cursor, 30);
      await panel.makeUser(`round-${round}`);
      take(await first);
      const held = ask(cursor, 30).then(take, (error: unknown) => error);
      await panel.makeUser(`last-${round}`);
      await panel.kill();
      await held;
      await panel.start();
      made.push(`round-${round}`, `last-${round}`);
      while (told.length < made.length) take(await ask(cursor, 30));
      expect(told).toEqual(made);
    }
    expect(await ask(cursor, 0)).toMatchObject({ items: [], more: false });
  });
});
