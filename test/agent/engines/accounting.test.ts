// What is counted is what was carried, over everything that may happen to an engine: payload <= counted <= payload + 2
// %.
import { once } from "node:events";
import type { Socket } from "node:net";
import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { EngineDriver } from "../../../src/agent/engines/contract/driver.ts";
import { processesMarked } from "../../../src/agent/engines/process/lifecycle/identity.ts";
import { markOf } from "../../../src/agent/engines/process/lifecycle/spawn.ts";
import type { PlanObject } from "../../../src/protocol/plan.ts";
import { installedEngines } from "./installed.ts";
import {
  type Client,
  contextOf,
  dial,
  inbound,
  ports,
  type Rig,
  startClient,
  startRig,
  startTarget,
  structure,
  type Target,
  transfer,
  until,
  user,
  users,
  vlessOutbound,
} from "./rig.ts";

const engines = await installedEngines();
const MEGABYTE = 1_000_000;
const who = user(1);
const other = user(2);
const NAME = "1.1";
const extra: PlanObject = { kind: "outbound", tag: "more", type: "direct", config: {} };

/** Carries so many bytes each way through the client. */
async function carry(port: number, target: Target, bytes: number): Promise<void> {
  const socket = await dial(port, "127.0.0.1", target.port);
  expect(await transfer(socket, bytes, bytes)).toBe(bytes);
  await ended(socket);
}

async function ended(socket: Socket): Promise<void> {
  const closed = once(socket, "close");
  socket.destroy();
  await closed;
}

async function counted(driver: EngineDriver, name = NAME): Promise<{ up: number; down: number }> {
  return (await driver.counters()).users.get(name) ?? { up: 0, down: 0 };
}

/** Whether so many bytes were counted each way: the last of those that arrived are counted a moment later. */
async function hasCounted(driver: EngineDriver, bytes: number): Promise<boolean> {
  const { up, down } = await counted(driver);
  return Math.min(up, down) >= bytes;
}

function expectPayload({ up, down }: { up: number; down: number }, payload: number): void {
  for (const bytes of [up, down]) {
    expect(bytes).toBeGreaterThanOrEqual(payload);
    expect(bytes).toBeLessThanOrEqual(payload * 1.02);
  }
}

interface Setting {
  readonly rig: Rig;
  readonly target: Target;
  readonly client: Client;
  readonly port: number;
  readonly plan: PlanObject;
}

async function withSetting(
  { factory, info }: (typeof engines)[number],
  work: (setting: Setting) => Promise<void>,
): Promise<void> {
  const rig = await startRig(factory, info);
  const target = await startTarget();
  const [listen = 0] = await ports(1);
  const plan = inbound(1, "vless", { listen: "127.0.0.1", listen_port: listen });
  let client: Client | undefined;
  try {
    await rig.driver.apply({ structure: structure(plan), users: users(who) });
    client = await startClient([vlessOutbound(listen, who.uuid)]);
    await work({ rig, target, client, port: client.ports[0] ?? 0, plan });
  } finally {
    await client?.end();
    target.close();
    await rig.end();
  }
}

describe.each(engines)("accounting of $kind", (engine) => {
  test("swaps under load, read all the while", async () => {
    await withSetting(engine, async ({ rig, target, port, plan }) => {
      const { instance } = await rig.driver.counters();
      const reading = new AbortController();
      let highest = 0;
      const reader = (async () => {
        while (!reading.signal.aborted) {
          const { down } = await counted(rig.driver);
          expect(down).toBeGreaterThanOrEqual(highest);
          highest = down;
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      })();
      // A test that fails earlier leaves the reader to its end.
      reader.catch(() => undefined);
      const running = await dial(port, "127.0.0.1", target.port);
      const rest = transfer(running, 20 * MEGABYTE, MEGABYTE);
      await rig.driver.apply({ structure: structure(plan, extra), users: users(who) });
      await carry(port, target, MEGABYTE);
      expect(await rest).toBe(20 * MEGABYTE);
      await ended(running);
      await rig.driver.apply({ structure: structure(plan), users: users(who) });
      await carry(port, target, MEGABYTE);
      await until("the replaced processes are gone", () => processesMarked(markOf(rig.directory)).length === 1);
      await until("all is counted", async () => {
        const { up, down } = await counted(rig.driver);
        return up >= 3 * MEGABYTE && down >= 22 * MEGABYTE;
      });
      reading.abort();
      await reader;
      const { up, down } = await counted(rig.driver);
      expect(up).toBeGreaterThanOrEqual(3 * MEGABYTE);
      expect(up).toBeLessThanOrEqual(3 * MEGABYTE * 1.02);
      expect(down).toBeLessThanOrEqual(22 * MEGABYTE * 1.02);
      expect((await rig.driver.counters()).instance).toBe(instance);
    });
  });

  test("a user removed and added again goes on where he was", async () => {
    await withSetting(engine, async ({ rig, target, port, plan }) => {
      await carry(port, target, MEGABYTE);
      const without = { structure: structure(plan), users: users(other) };
      await rig.driver.changeUsers({ put: [other], drop: [1] }, without);
      const both = { structure: structure(plan), users: users(who, other) };
      await rig.driver.changeUsers({ put: [who], drop: [] }, both);
      await until("he is in again", async () => {
        try {
          await carry(port, target, MEGABYTE);
          return true;
        } catch {
          return false;
        }
      });
      await until("both are counted", async () => hasCounted(rig.driver, 2 * MEGABYTE));
      expectPayload(await counted(rig.driver), 2 * MEGABYTE);
    });
  });

  test("an engine that is killed loses at most what came since the last reading", async () => {
    await withSetting(engine, async ({ rig, target, port }) => {
      await carry(port, target, MEGABYTE);
      await until("it is counted", async () => hasCounted(rig.driver, MEGABYTE));
      const before = await rig.driver.counters();
      await carry(port, target, MEGABYTE);
      for (const { pid } of processesMarked(markOf(rig.directory))) process.kill(pid, "SIGKILL");
      await until("it is seen", () => rig.statuses.some(({ state }) => state === "failed"));
      await until("it runs again", () => rig.driver.status().state === "running");
      await carry(port, target, MEGABYTE);
      await until("it is counted again", async () => hasCounted(rig.driver, 2 * MEGABYTE));
      const after = await rig.driver.counters();
      expect(after.instance).toBe(before.instance);
      const { up = 0, down = 0 } = after.users.get(NAME) ?? {};
      for (const bytes of [up, down]) {
        expect(bytes).toBeGreaterThanOrEqual(2 * MEGABYTE);
        expect(bytes).toBeLessThanOrEqual(3 * MEGABYTE * 1.02);
      }
    });
  });

  test("the next driver goes on with the sum; when an engine died meanwhile, it begins a new instance at nothing", async () => {
    await withSetting(engine, async ({ rig, target, port, plan }) => {
      await carry(port, target, MEGABYTE);
      await until("it is counted", async () => hasCounted(rig.driver, MEGABYTE));
      const first = await rig.driver.counters();
      await rig.driver.close("detach");
      await carry(port, target, MEGABYTE);
      const second = engine.factory.create(engine.info, contextOf(rig.directory, "allow"));
      expect(await second.adopt()).toBe(true);
      await until("both are counted", async () => hasCounted(second, 2 * MEGABYTE));
      expectPayload(await counted(second), 2 * MEGABYTE);
      expect((await second.counters()).instance).toBe(first.instance);
      await second.close("detach");
      for (const { pid } of processesMarked(markOf(rig.directory))) process.kill(pid, "SIGKILL");
      const third = engine.factory.create(engine.info, contextOf(rig.directory, "allow"));
      try {
        expect(await third.adopt()).toBe(false);
        await third.apply({ structure: structure(plan), users: users(who) });
        await carry(port, target, MEGABYTE);
        await until("the new instance counts", async () => hasCounted(third, MEGABYTE));
        expectPayload(await counted(third), MEGABYTE);
        expect((await third.counters()).instance).not.toBe(first.instance);
      } finally {
        await third.close("stop");
        rmSync(rig.directory, { recursive: true, force: true });
      }
    });
  });

  test("the last bytes before a stop are in the last reading", async () => {
    await withSetting(engine, async ({ rig, target, port }) => {
      const socket = await dial(port, "127.0.0.1", target.port);
      expect(await transfer(socket, MEGABYTE, 0)).toBe(MEGABYTE);
      await rig.driver.close("stop");
      const { down } = await counted(rig.driver);
      expectPayload({ up: down, down }, MEGABYTE);
    });
  });
});
