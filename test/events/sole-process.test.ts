// On SQLite there is one process at a time: what a killed one had under way is sent again at once, not after its lease.
import { expect, test } from "vitest";
import { eventEntities } from "../../src/events/testing.ts";
import { connectTestDatabase } from "../database.ts";
import { openPanel } from "./panel.ts";
import { Receiver } from "./receiver.ts";

test("a start after a kill sends at once", async () => {
  const panel = await openPanel("sqlite", { timeout: 500 }, true);
  const receiver = await new Receiver().listen();
  receiver.answer = () => undefined;
  const database = await connectTestDatabase(panel.database.url, eventEntities, panel.clock.now);
  const first = await panel.another(database);
  await panel.webhook({ url: receiver.url });
  await first.load();
  await panel.raise("user.renewed", "user:1", { n: 1 });
  const polled = first.dispatcher.poll();
  await receiver.arrived(1);
  // Its database goes with one under way: the lease is not given up.
  await database.close();
  await polled;
  receiver.answer = 200;
  const second = await panel.another();
  await second.dispatcher.poll();
  expect(receiver.received).toHaveLength(2);
  await panel.dispose();
  await receiver.close();
});
