// The engine outlives its agent: the next one takes it over, with its counters, sessions and users.
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { v2rayFactory } from "../../../src/agent/engines/v2ray/index.ts";
import { isAlive, processesMarked } from "../../../src/agent/engines/process/lifecycle/identity.ts";
import { markOf } from "../../../src/agent/engines/process/lifecycle/spawn.ts";
import {
  contextOf,
  findV2ray,
  inbound,
  ports,
  reaches,
  startClient,
  startDrip,
  startRig,
  startTarget,
  structure,
  until,
  user,
  users,
  vlessOutbound,
} from "../engines/rig.ts";

const info = await findV2ray();
const Reading = z.object({
  instance: z.string(),
  users: z.record(z.string(), z.object({ up: z.number(), down: z.number() })),
});

describe.skipIf(!info)("adoption", () => {
  test("after kill -9 of the agent the download goes on, and so do the counters", async () => {
    if (!info) return;
    const directory = mkdtempSync(join(tmpdir(), "signalbox-v2ray-"));
    const target = await startTarget();
    const [port = 0] = await ports(1);
    const plan = structure(inbound(1, "vless", { listen: "127.0.0.1", listen_port: port }));
    const [one, two, three] = [user(1), user(2), user(3)];
    const agent = fork(join(import.meta.dirname, "agent-process.ts"));
    agent.send({ directory, structure: plan, users: [one, two] });
    const [started]: unknown[] = await once(agent, "message");
    expect(started).toEqual({ adopted: false, how: "restart" });
    const client = await startClient([one, two, three].map((who) => vlessOutbound(port, who.uuid)));
    const driver = v2rayFactory.create(info, contextOf(directory, "allow"));
    try {
      const [portOne = 0, portTwo = 0, portThree = 0] = client.ports;
      const mine = await startDrip(portOne, target.port);
      const others = await startDrip(portTwo, target.port);
      await until("something is counted", () => mine.bytes() > 100_000);
      agent.send("counters");
      const [message]: unknown[] = await once(agent, "message");
      const before = Reading.parse(message);
      expect(before.users["1.1"]?.down).toBeGreaterThan(50_000);
      agent.kill("SIGKILL");
      await once(agent, "exit");
      const bytes = mine.bytes();
      await until("the download goes on without an agent", () => mine.bytes() > bytes + 50_000);

      expect(await driver.adopt()).toBe(true);
      expect(driver.status()).toEqual({ state: "running" });
      const after = await driver.counters();
      expect(after.instance).toBe(before.instance);
      expect(after.users.get("1.1")?.down).toBeGreaterThan((before.users["1.1"]?.down ?? 0) + 50_000);
      expect((await driver.sessions({}, 10)).rows.map((row) => row.userId).toSorted((a, b) => a - b)).toEqual([1, 2]);

      // What changed while there was no agent: user 1 is gone, user 3 is new.
      const result = await driver.apply({ structure: plan, users: users(two, three) });
      expect(result.how).toBe("hot");
      if (info.can.closeSessions) await until("the removed user is cut", () => !mine.open());
      expect(await reaches(portOne, "127.0.0.1", target.port)).toBe(false);
      expect(await reaches(portThree, "127.0.0.1", target.port)).toBe(true);
      expect(others.open()).toBe(true);
      others.close();
      mine.close();
    } finally {
      agent.kill("SIGKILL");
      await client.end();
      target.close();
      await driver.close("stop");
      for (const { pid } of processesMarked(markOf(directory))) process.kill(pid, "SIGKILL");
      rmSync(directory, { recursive: true });
    }
  });

  test("a clean handover keeps the instance and what was refused", async () => {
    if (!info) return;
    const rig = await startRig(v2rayFactory, info, "block");
    const [port = 0] = await ports(1);
    const who = user(1);
    const login = { user: who.uuid, password: who.password };
    await rig.driver.apply({
      structure: structure(inbound(1, "socks", { listen: "127.0.0.1", listen_port: port })),
      users: users(who),
    });
    await reaches(port, "127.0.0.1", port, login);
    await until("the refusal is counted", async () => (await rig.driver.counters()).rejected.get("block") === 1);
    const { instance } = await rig.driver.counters();
    await rig.driver.close("detach");
    const next = v2rayFactory.create(info, contextOf(rig.directory, "block"));
    expect(await next.adopt()).toBe(true);
    await reaches(port, "127.0.0.1", port, login);
    await until("both refusals are counted", async () => (await next.counters()).rejected.get("block") === 2);
    expect((await next.counters()).instance).toBe(instance);
    await next.close("stop");
    rmSync(rig.directory, { recursive: true });
  });

  test("an engine that nothing is known of is ended, not shared", async () => {
    if (!info) return;
    const rig = await startRig(v2rayFactory, info);
    const [port = 0] = await ports(1);
    const desired = {
      structure: structure(inbound(1, "vless", { listen: "127.0.0.1", listen_port: port })),
      users: users(user(1)),
    };
    await rig.driver.apply(desired);
    await rig.driver.close("detach");
    const [engine] = processesMarked(markOf(rig.directory));
    writeFileSync(join(rig.directory, "state.json"), "{ torn");
    const next = v2rayFactory.create(info, contextOf(rig.directory, "allow"));
    expect(await next.adopt()).toBe(false);
    expect(engine && isAlive(engine)).toBe(false);
    expect((await next.apply(desired)).warnings).toEqual([]);
    await next.close("stop");
    rmSync(rig.directory, { recursive: true });
  });

  test("secrets are on disk nowhere, and what is there is the agent's alone", async () => {
    if (!info) return;
    const rig = await startRig(v2rayFactory, info);
    const [port = 0] = await ports(1);
    const who = user(1, { password: "a-very-secret-password" });
    await rig.driver.apply({
      structure: structure(inbound(1, "trojan", { listen: "127.0.0.1", listen_port: port })),
      users: users(who),
    });
    const names = ["state.json", "engine.log", ...processesMarked(markOf(rig.directory)).map(() => "state.json")];
    for (const name of names) {
      const path = join(rig.directory, name);
      expect(existsSync(path)).toBe(true);
      expect(statSync(path).mode & 0o077).toBe(0);
      expect(readFileSync(path, "utf8")).not.toContain(who.password);
    }
    await rig.end();
  });
});
