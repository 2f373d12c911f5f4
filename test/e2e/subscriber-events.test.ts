// What subscribers do reaches the reseller that owns their account, in the log of events, and no other one.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { dialects } from "../database.ts";
import { Api } from "./api.ts";
import { startPanel, type E2ePanel } from "./panel.ts";

const PASSWORD = "correct horse battery";
const Made = z.object({ id: z.number(), token: z.string().optional() });
const Log = z.object({ items: z.array(z.object({ event: z.string(), data: z.record(z.string(), z.unknown()) })) });
const TOLD = ["user.first_fetch", "user.device_limit_reached"];

describe.each(dialects)("events of subscribers on %s", (dialect) => {
  let panel: E2ePanel;

  beforeAll(async () => {
    panel = await startPanel({ dialect });
  });
  afterAll(async () => {
    await panel?.dispose();
  });

  // rules subscriptions.fetch.2, subscriptions.device.3
  test("a reseller hears of a first fetch and of a refused device of its own accounts alone", async () => {
    const session = await panel.logIn();
    const reseller = async (username: string) => {
      const { id } = Made.parse(await session.ok("POST", "/admins", { username, password: PASSWORD, role: "resale" }));
      const { token = "" } = Made.parse(await session.ok("POST", "/tokens", { adminId: id, rateLimit: 1_000_000 }));
      const api = new Api(panel.url, { authorization: `Bearer ${token}` });
      return { id, api };
    };
    const [mina, reza] = [await reseller("mina"), await reseller("reza")];
    const fetch = (subId: string, hwid: string) =>
      panel.api.request("GET", `/sub/${subId}`, undefined, { "x-hwid": hwid });
    for (const { id } of [mina, reza]) {
      const user = await panel.api.user(
        await panel.api.make("users", { name: `of-${id}`, adminId: id, deviceLimit: 1 }),
      );
      expect((await fetch(user.subId, "one")).status).toBe(200);
      expect((await fetch(user.subId, "two")).status).toBe(403);
    }
    for (const { id, api } of [mina, reza]) {
      const heard = async () =>
        Log.parse(await api.ok("GET", "/events/log?limit=100"))
          .items.filter(({ event }) => TOLD.includes(event))
          .map(({ event, data }) => `${event} ${String(data["name"])} ${String(data["adminId"])}`)
          .toSorted();
      await expect.poll(heard).toEqual(TOLD.map((event) => `${event} of-${id} ${id}`).toSorted());
    }
  });
});
