// A reseller with a thousand accounts closes and opens in a real panel with a fleet that counts: no node serves any of
// them from the answer on, and a panel that is killed in the middle goes on where it stood.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { quietPorts } from "../quiet-ports.ts";
import { dialects } from "../database.ts";
import { addressOf, makeMany, makeUsers, nodesWith, startFleet, type SimulatedFleet } from "./fleet.ts";
import { startPanel, type E2ePanel } from "./panel.ts";

const ACCOUNTS = 1000;
const NODES = 2;
const RESELLER = { username: "mina", role: "resale" };

describe.each(dialects)("a reseller of a thousand accounts on %s", (dialect) => {
  let panel: E2ePanel;
  let fleet: SimulatedFleet;
  let id = 0;
  let own: readonly number[] = [];
  let others: readonly number[] = [];
  const ok = (path: string) => panel.api.ok("GET", path) as Promise<Readonly<Record<string, unknown>>>;
  const allow = (volume: number) => panel.api.ok("PUT", `/admins/${id}`, { ...RESELLER, volume });
  const counts = async () => {
    const of = async (filter: string) => Number((await ok(`/users?limit=1&admin_id=${id}${filter}`))["total"]);
    return { on: await of("&status=active"), off: await of("&reason=resale-volume") };
  };
  /** Bytes of accounts by now, of the whole fleet. */
  const moved = (ids: readonly number[]) => {
    let sum = 0;
    for (const { users } of Object.values(fleet.report().nodes))
      for (const user of ids) sum += (users[String(user)]?.up ?? 0) + (users[String(user)]?.down ?? 0);
    return sum;
  };
  /** Whether the fleet goes on moving bytes of these while it moves some of the others. */
  const isServed = async (ids: readonly number[]): Promise<boolean> => {
    const [before, beside] = [moved(ids), moved(others)];
    await expect.poll(() => moved(others), { timeout: 30_000 }).toBeGreaterThan(beside + 100_000);
    return moved(ids) > before;
  };
  const reaches = (state: { on: number; off: number }) =>
    expect.poll(() => counts().catch(() => undefined), { timeout: 60_000 }).toEqual(state);

  beforeAll(async () => {
    panel = await startPanel({ dialect });
    const { api, directory } = panel;
    const [port = 0] = await quietPorts(1);
    fleet = await startFleet(api, { directory, port, active: 100, rate: 20_000 });
    const [inbound] = await makeMany(api, "inbounds", 1, () => ({
      tag: "in",
      type: "vless",
      config: { listen_port: 20_001 },
    }));
    const [templateId] = await makeMany(api, "templates", 1, () => ({ name: "template", inboundIds: [inbound] }));
    const made = { ...RESELLER, password: "correct horse battery", volume: 10 ** 15 };
    ({ id } = (await (await panel.logIn()).ok("POST", "/admins", made)) as { id: number });
    own = await makeUsers(api, ACCOUNTS, (n) => ({ name: `own-${n}`, adminId: id, templateIds: [templateId] }));
    others = await makeUsers(api, 20, (n) => ({ name: `other-${n}`, templateIds: [templateId] }));
    await makeMany(api, "nodes", NODES, (index) => ({
      name: `n${index}`,
      address: addressOf(index),
      port,
      templateId,
    }));
    const patience = { timeout: 120_000, interval: 100 };
    await vi.waitUntil(async () => (await nodesWith(api, "connected")) === NODES, patience);
    await vi.waitUntil(async () => Number((await ok(`/admins/${id}`))["used"]) > 0, patience);
  }, 240_000);
  afterAll(async () => {
    await fleet?.stop();
    await panel?.dispose();
  });

  // rules resellers.follow.1, resellers.follow.2, resellers.event.1
  test("it closes: no node serves it, a kill in the middle leaves no account out", { timeout: 180_000 }, async () => {
    expect(await isServed(own)).toBe(true);
    await allow(1);
    await panel.kill();
    await panel.start();
    await reaches({ on: 0, off: ACCOUNTS });
    expect(await isServed(own)).toBe(false);
    // Each was told of once, and the reseller once.
    const { total: disabled } = await ok("/events/log?event=user.disabled&limit=1");
    const { total: reached } = await ok("/events/log?event=admin.resale_cap_reached&limit=1");
    expect([disabled, reached]).toEqual([ACCOUNTS, 1]);
  });

  // rules resellers.follow.1, resellers.follow.2, resellers.follow.3
  test("it opens, is killed in the middle, turns round twice, and is whole", { timeout: 180_000 }, async () => {
    await allow(10 ** 15);
    await panel.kill();
    await panel.start();
    await allow(1);
    await allow(10 ** 15);
    await reaches({ on: ACCOUNTS, off: 0 });
    await expect.poll(() => isServed(own), { timeout: 60_000 }).toBe(true);
  });
});
