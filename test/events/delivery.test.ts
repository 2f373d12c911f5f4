// What a receiver gets: headers, signature, body, and how failures are repeated.
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RETRY_DELAYS, retryDelay } from "../../src/events/retry.ts";
import { dialects } from "../database.ts";
import { openPanel, type Panel } from "./panel.ts";
import { Receiver } from "./receiver.ts";

describe.each(dialects)("delivery on %s", (dialect) => {
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

  // rules events.envelope.1, events.envelope.2
  test("carries the envelope, the documented headers and a signature over the raw body", async () => {
    const id = await panel.webhook({ url: receiver.url }, "s3cret");
    const data = { userId: 7, name: 'ü \u2028 quote"', adminId: 3, reason: "volume" };
    await panel.raise("user.disabled", "user:7", data);
    await panel.events.dispatcher.poll();

    const [got] = receiver.received;
    const [delivery] = await panel.deliveries(id);
    expect(got?.envelope).toEqual({
      v: 1,
      id: delivery?.eventId,
      event: "user.disabled",
      time: panel.clock.ms / 1000,
      data,
    });
    expect(JSON.parse(String(got?.body))).toMatchObject({ recipients: [3] });
    expect(got?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "panel",
      "x-panel-event": "user.disabled",
      "x-panel-delivery": String(delivery?.id),
      "content-length": String(got?.body.length),
    });
    const stamp = panel.clock.ms / 1000;
    const mac = createHmac("sha256", "s3cret")
      .update(`${stamp}.`)
      .update(got?.body ?? "")
      .digest("hex");
    expect(got?.headers["x-panel-signature"]).toBe(`t=${stamp},v1=${mac}`);
    expect(delivery).toMatchObject({
      state: "delivered",
      attempts: 1,
      lastStatus: 200,
      lastError: "",
      nextAttemptAt: 0,
      deliveredAt: stamp,
    });
  });

  // rules events.envelope.1, events.envelope.2
  test("without a secret there is no signature, without an account no recipients", async () => {
    await panel.webhook({ url: receiver.url });
    await panel.raise("node.connected", "node:1", { nodeId: 1, warnings: [] });
    await panel.raise("user.created", "user:1", { userId: 1, name: "a", adminId: 0 });
    await panel.events.dispatcher.poll();
    expect(receiver.received).toHaveLength(2);
    for (const { headers, body } of receiver.received) {
      expect(headers["x-panel-signature"]).toBeUndefined();
      expect(JSON.parse(String(body))).not.toHaveProperty("recipients");
    }
  });

  // rules events.envelope.3, events.delivery.2
  test("a failure is repeated on schedule with the same id and the same bytes, and is dead after the last", async () => {
    receiver.answer = 500;
    const id = await panel.webhook({ url: receiver.url }, "key");
    await panel.raise("user.bulk", "users", { op: "enable", adminId: 0, ids: [1, 2, 3], matched: 3 });
    await panel.events.dispatcher.poll();
    for (const [index, delay] of RETRY_DELAYS.entries()) {
      const [pending] = await panel.deliveries(id);
      expect(pending).toMatchObject({
        state: "pending",
        attempts: index + 1,
        lastStatus: 500,
        lastError: "HTTP 500",
        exchange: { failure: { code: "status", values: [500] } },
        nextAttemptAt: panel.clock.ms + delay,
      });
      panel.clock.advance(delay / 1000 - 1);
      await panel.events.dispatcher.poll();
      expect(receiver.received).toHaveLength(index + 1);
      panel.clock.advance(1);
      await panel.events.dispatcher.poll();
      expect(receiver.received).toHaveLength(index + 2);
    }
    expect(await panel.deliveries(id)).toMatchObject([
      { state: "dead", attempts: RETRY_DELAYS.length + 1, nextAttemptAt: 0 },
    ]);
    panel.clock.advance(1_000_000);
    await panel.events.dispatcher.poll();
    expect(receiver.received).toHaveLength(RETRY_DELAYS.length + 1);
    expect(new Set(receiver.received.map(({ body }) => body.toString("hex"))).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-panel-delivery"])).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-panel-signature"])).size).toBe(
      RETRY_DELAYS.length + 1,
    );
  });

  test("a retry that succeeds ends it", async () => {
    receiver.answer = 503;
    const id = await panel.webhook({ url: receiver.url });
    await panel.raise("panel.started", "panel", {});
    await panel.events.dispatcher.poll();
    receiver.answer = 204;
    panel.clock.advance(10);
    await panel.events.dispatcher.poll();
    expect(await panel.deliveries(id)).toMatchObject([
      { state: "delivered", attempts: 2, lastStatus: 204, lastError: "" },
    ]);
  });

  // rule events.delivery.1
  test("a redirect is a failure and is not followed", async () => {
    const elsewhere = await new Receiver().listen();
    receiver.answer = (_, response) => response.writeHead(307, { location: elsewhere.url }).end();
    const id = await panel.webhook({ url: receiver.url });
    await panel.raise("panel.started", "panel", {});
    await panel.events.dispatcher.poll();
    expect(await panel.deliveries(id)).toMatchObject([
      {
        state: "pending",
        attempts: 1,
        lastStatus: 307,
        lastError: "HTTP 307: redirects are not followed",
        exchange: { failure: { code: "redirect", values: [307] } },
      },
    ]);
    expect(elsewhere.received).toHaveLength(0);
    await elsewhere.close();
  });

  // rule events.delivery.1
  test("no answer in time is a failure", async () => {
    receiver.answer = () => {};
    const id = await panel.webhook({ url: receiver.url });
    await panel.raise("panel.started", "panel", {});
    const hasty = await panel.another(panel.database, { timeout: 300 });
    await hasty.dispatcher.poll();
    expect(await panel.deliveries(id)).toMatchObject([
      {
        state: "pending",
        attempts: 1,
        lastStatus: 0,
        lastError: "no answer within 0.3 s",
        exchange: { failure: { code: "no_answer", values: [0.3] } },
      },
    ]);
  });

  // rule events.delivery.1
  test("an answer counts once its head is there, however long its body lasts", async () => {
    receiver.answer = (_, response) => void response.writeHead(200).write("and so on");
    const id = await panel.webhook({ url: receiver.url });
    await panel.raise("panel.started", "panel", {});
    await panel.events.dispatcher.poll();
    expect(await panel.deliveries(id)).toMatchObject([{ state: "delivered" }]);
  });

  // rules events.delivery.6, events.delivery.7
  test("a target that became private is refused at sending, and nothing reaches it", async () => {
    const id = await panel.webhook({ url: receiver.url.replace("http:", "https:") });
    panel.settings.allowPrivate = false;
    await panel.raise("panel.started", "panel", {});
    await panel.events.dispatcher.poll();
    const [delivery] = await panel.deliveries(id);
    expect(delivery).toMatchObject({ state: "pending", attempts: 1, lastStatus: 0 });
    expect(delivery?.lastError).toContain("private address");
    expect(delivery?.exchange?.failure).toEqual({ code: "private_target", values: ["127.0.0.1"] });
    expect(receiver.received).toHaveLength(0);
  });
});

describe("the schedule", () => {
  // rule events.delivery.2
  test("spreads by a fifth either way and ends", () => {
    expect(retryDelay(1, () => 0)).toBe(8000);
    expect(retryDelay(1, () => 0.999_999)).toBe(12_000);
    expect(RETRY_DELAYS.map((_, index) => retryDelay(index + 1, () => 0.5))).toEqual(RETRY_DELAYS);
    expect(retryDelay(RETRY_DELAYS.length + 1, () => 0.5)).toBeUndefined();
  });
});
