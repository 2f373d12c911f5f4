// What one change raises keeps its order: an account that is over its date from the beginning was created first, then
// switched off; in the log and for receivers, one by one and in a batch.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { Receiver } from "../events/receiver.ts";
import { WholePanel } from "../whole-panel.ts";

const ORDER = ["user.created", "user.disabled", "user.expired"];

describe.each(dialects)("an account that is created over its date on %s", (dialect) => {
  let panel: WholePanel;
  let receiver: Receiver;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    receiver = await new Receiver().listen();
    await panel.call("PUT", "/api/v1/settings/webhook_allow_private", { value: "true" }, { cookie: panel.cookie });
    const hook = { name: "order", url: receiver.url, events: ["user.*"] };
    expect((await panel.call("POST", "/api/v1/webhooks", hook)).status).toBe(200);
  });
  afterAll(async () => {
    await panel.dispose();
    await receiver.close();
  });

  const past = (name: string) => ({ name, expiry: 1_700_000_000 });
  /** Oldest first. */
  async function logged(userId: number): Promise<string[]> {
    const { items } = (await panel.call("GET", "/api/v1/events/log?limit=1000")).body as {
      items: { event: string; data: { userId?: number } }[];
    };
    return items
      .filter(({ data }) => data.userId === userId)
      .map(({ event }) => event)
      .toReversed();
  }
  const received = (userId: number) =>
    receiver.received
      .filter(({ envelope }) => envelope.data["userId"] === userId)
      .map(({ envelope }) => envelope.event);

  // rule users.create.7
  test("is created first, then switched off", async () => {
    const { body } = await panel.call("POST", "/api/v1/users", past("alone"));
    expect(body).toMatchObject({ enable: false, disabledReason: "expiry" });
    const batch = await panel.call("POST", "/api/v1/users/batch", { users: [past("first"), past("second")] });
    const ids = [body.id, ...batch.body.created.map(({ id }: { id: number }) => id)] as number[];
    expect(ids).toHaveLength(3);
    for (const id of ids) expect(await logged(id)).toEqual(ORDER);
    await receiver.arrived(9);
    for (const id of ids) expect(received(id)).toEqual(ORDER);
  });
});
