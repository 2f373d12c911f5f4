// What is forgotten, and what is kept however old it is.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { openPanel, type Panel } from "./panel.ts";
import { Receiver } from "./receiver.ts";

describe.each(dialects)("retention on %s", (dialect) => {
  let panel: Panel;
  let receiver: Receiver;
  beforeEach(async () => {
    panel = await openPanel(dialect);
    receiver = await new Receiver().listen();
  });
  afterEach(async () => {
    await panel.dispose();
    await receiver.close();
  });

  const stored = async (): Promise<string[]> => {
    const rows = await panel.database.reads.query<{ event: string }>(sql`select event from events order by id`);
    return rows.map(({ event }) => event);
  };

  // rule events.log.3
  test("events past the retention go with their settled deliveries; what is still to be sent stays", async () => {
    receiver.answer = ({ envelope }, response) =>
      void response.writeHead(envelope.event === "user.created" ? 200 : 500).end();
    const id = await panel.webhook({ url: receiver.url });
    await panel.raise("user.created", "user:1");
    await panel.raise("user.renewed", "user:2");
    await panel.events.dispatcher.poll();
    panel.clock.advance(30 * 86_400);
    expect(await panel.events.prune()).toEqual({ deliveries: 0, events: 0 });
    panel.clock.advance(1);
    await panel.raise("user.deleted", "user:3");
    expect(await panel.events.prune()).toEqual({ deliveries: 1, events: 1 });
    expect(await stored()).toEqual(["user.renewed", "user.deleted"]);
    expect((await panel.deliveries(id)).map(({ event }) => event)).toEqual(["user.renewed", "user.deleted"]);
  });

  // rule events.log.3
  test("deliveries of a webhook that is switched off or gone are not waited for", async () => {
    const off = await panel.webhook({ url: receiver.url });
    await panel.raise("user.created", "user:1");
    await panel.database.commits.execute({
      name: "off",
      statements: [
        panel.database.reads.statement("off", sql`update webhooks set enabled = ${false} where id = ${off}`),
      ],
    });
    await panel.events.load();
    panel.settings.retentionDays = 1;
    panel.clock.advance(86_401);
    expect(await panel.events.prune()).toEqual({ deliveries: 1, events: 1 });
    expect(await stored()).toEqual([]);
  });

  test("more than a batch goes in one call", async () => {
    await panel.database.commits.submit({
      name: "many",
      locks: [],
      decide(draft) {
        for (let n = 0; n < 2500; n++)
          panel.events.outbox.raise(draft, { event: "node.connected", subject: `node:${n}`, data: {} });
      },
    });
    panel.clock.advance(31 * 86_400);
    expect(await panel.events.prune()).toEqual({ deliveries: 0, events: 2500 });
  });
});
