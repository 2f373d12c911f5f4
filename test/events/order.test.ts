// Order within a subject, freedom across subjects and subscribers, restarts, and several processes.
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventEntities } from "../../src/events/testing.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { openPanel, type Panel } from "./panel.ts";
import { Receiver } from "./receiver.ts";

const numbers = (receiver: Receiver): unknown[] => receiver.received.map(({ envelope }) => envelope.data["n"]);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe.each(dialects)("order on %s", (dialect) => {
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

  const raise = (n: number, subject = "user:1") => panel.raise("user.renewed", subject, { n });

  // rule events.delivery.3
  test("events of one subject arrive in the order in which they were raised, more than one batch of them", async () => {
    await panel.webhook({ url: receiver.url });
    for (const n of upTo(150)) await raise(n);
    await panel.events.dispatcher.poll();
    expect(numbers(receiver)).toEqual(upTo(150));
  });

  // rule events.delivery.4
  test("subjects go beside each other", async () => {
    const open: ServerResponse[] = [];
    receiver.answer = (_, response) => void open.push(response);
    await panel.webhook({ url: receiver.url });
    await raise(1, "user:1");
    await raise(2, "user:1");
    await raise(3, "user:2");
    const polled = panel.events.dispatcher.poll();
    await receiver.arrived(2);
    expect(new Set(numbers(receiver))).toEqual(new Set([1, 3]));
    receiver.answer = 200;
    for (const response of open) response.end();
    await polled;
    expect(numbers(receiver).at(-1)).toBe(2);
  });

  // rule events.delivery.3
  test("later events wait for one in back-off, also those raised meanwhile; other subjects do not", async () => {
    receiver.answer = 500;
    await panel.webhook({ url: receiver.url });
    await raise(1);
    await panel.events.dispatcher.poll();
    receiver.answer = 200;
    panel.clock.advance(1);
    await raise(2);
    await raise(3);
    await raise(4, "user:2");
    await panel.events.dispatcher.poll();
    expect(numbers(receiver)).toEqual([1, 4]);
    panel.clock.advance(9);
    await raise(5);
    await panel.events.dispatcher.poll();
    expect(numbers(receiver)).toEqual([1, 4, 1, 2, 3, 5]);
  });

  // rule events.delivery.3
  test("order is given up for a receiver that goes on refusing one event", async () => {
    receiver.answer = ({ envelope }, response) => void response.writeHead(envelope.data["n"] === 1 ? 500 : 200).end();
    const id = await panel.webhook({ url: receiver.url });
    await raise(1);
    await raise(2);
    for (const seconds of [0, 10, 60]) {
      panel.clock.advance(seconds);
      await panel.events.dispatcher.poll();
      expect(new Set(numbers(receiver))).toEqual(new Set([1]));
    }
    panel.clock.advance(300);
    await panel.events.dispatcher.poll();
    expect(numbers(receiver)).toEqual([1, 1, 1, 1, 2]);
    expect((await panel.deliveries(id)).map(({ state }) => state)).toEqual(["pending", "delivered"]);
  });

  // rule events.delivery.4
  test("a receiver that hangs does not delay another", async () => {
    const slow = await new Receiver().listen();
    slow.answer = () => {};
    await panel.webhook({ url: slow.url });
    await panel.webhook({ url: receiver.url });
    for (const n of upTo(40)) await raise(n, `user:${n}`);
    const polled = panel.events.dispatcher.poll();
    await receiver.arrived(40);
    // The other one's first requests are still open; it was given no more than its own.
    expect(slow.received.length).toBeLessThanOrEqual(8);
    await panel.events.stop();
    await polled;
    expect(receiver.received).toHaveLength(40);
    await slow.close();
  });

  test("a long backlog of one subject does not stand before the others", async () => {
    receiver.answer = ({ envelope }, response) => void (envelope.data["n"] === -1 ? response.end() : undefined);
    await panel.webhook({ url: receiver.url });
    await panel.database.commits.submit({
      name: "backlog",
      locks: [],
      decide(draft) {
        for (const n of upTo(1000))
          panel.events.outbox.raise(draft, { event: "user.renewed", subject: "user:1", data: { n } });
      },
    });
    await raise(-1, "user:2");
    const polled = panel.events.dispatcher.poll();
    await receiver.arrived(2);
    expect(new Set(numbers(receiver))).toEqual(new Set([0, -1]));
    await panel.events.stop();
    await polled;
  });

  // rule events.delivery.5
  test("what a killed process left is sent by the next one, none lost, in order", async () => {
    const database = await connectTestDatabase(panel.database.url, eventEntities, panel.clock.now);
    const first = await panel.another(database, { owner: "first", timeout: 500 });
    const id = await panel.webhook({ url: receiver.url });
    await first.load();
    for (const n of upTo(20)) await raise(n);
    let answered = 0;
    receiver.answer = (_, response) => void (answered++ < 7 ? response.writeHead(200).end() : undefined);
    const polled = first.dispatcher.poll();
    await receiver.arrived(8);
    // Loses its database with the eighth under way: nothing of that is written down, and its lease is not given up.
    await database.close();
    await polled;
    receiver.answer = 200;
    panel.clock.advance(15);
    const second = await panel.another(panel.database, { owner: "second" });
    await second.dispatcher.poll();
    expect(numbers(receiver)).toEqual([...upTo(8), ...upTo(20).slice(7)]);
    expect(new Set((await panel.deliveries(id)).map(({ state }) => state))).toEqual(new Set(["delivered"]));
    const [eighth, again] = receiver.received.slice(7, 9);
    expect(again?.headers["x-panel-delivery"]).toBe(eighth?.headers["x-panel-delivery"]);
    expect(again?.body.equals(eighth?.body ?? Buffer.of())).toBe(true);
  });

  test("another process takes over only after the lease has run out", async () => {
    receiver.answer = 500;
    await panel.webhook({ url: receiver.url });
    const other = await panel.another();
    await raise(1);
    await panel.events.dispatcher.poll();
    receiver.answer = 200;
    panel.clock.advance(11);
    await other.dispatcher.poll();
    expect(receiver.received).toHaveLength(1);
    panel.clock.advance(5);
    await other.dispatcher.poll();
    expect(receiver.received).toHaveLength(2);
  });

  // rule events.delivery.5
  test("processes that look at the same time send each delivery once", async () => {
    const database = await connectTestDatabase(panel.database.url, eventEntities, panel.clock.now);
    const receivers = await Promise.all(upTo(4).map(() => new Receiver().listen()));
    for (const { url } of receivers) await panel.webhook({ url });
    const other = await panel.another(dialect === "postgresql" ? database : panel.database);
    for (const n of upTo(30)) await raise(n, `user:${n % 3}`);
    await Promise.all([panel.events.dispatcher.poll(), other.dispatcher.poll()]);
    for (const each of receivers) {
      expect(numbers(each).toSorted((a, b) => Number(a) - Number(b))).toEqual(upTo(30));
      await each.close();
    }
    await database.close();
  });

  test("started, it sends what a commit raised without waiting for the next poll", async () => {
    await panel.webhook({ url: receiver.url });
    panel.events.dispatcher.start();
    await panel.events.dispatcher.idle();
    await raise(1);
    await receiver.arrived(1);
    expect(numbers(receiver)).toEqual([1]);
  });
});
