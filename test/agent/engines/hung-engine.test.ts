// An engine that hangs keeps its ports and serves nobody: it is found out, ended and started again.
import { describe, expect, test } from "vitest";
import { processesMarked } from "../../../src/agent/engines/process/lifecycle/identity.ts";
import { markOf } from "../../../src/agent/engines/process/lifecycle/spawn.ts";
import { installedEngines } from "./installed.ts";
import {
  inbound,
  ports,
  reaches,
  startClient,
  startRig,
  startTarget,
  structure,
  until,
  user,
  users,
  vlessOutbound,
} from "./rig.ts";

const engines = await installedEngines();
const who = user(1);

describe.concurrent.each(engines)("$kind", ({ factory, info }) => {
  test("stopped for more than 15 seconds", async () => {
    const rig = await startRig(factory, info);
    const target = await startTarget();
    const [port = 0] = await ports(1);
    await rig.driver.apply({
      structure: structure(inbound(1, "vless", { listen: "127.0.0.1", listen_port: port })),
      users: users(who),
    });
    const client = await startClient([vlessOutbound(port, who.uuid)]);
    try {
      const [socks = 0] = client.ports;
      expect(await reaches(socks, "127.0.0.1", target.port)).toBe(true);
      const before = await rig.driver.counters();
      for (const { pid } of processesMarked(markOf(rig.directory))) process.kill(pid, "SIGSTOP");
      await until("it is found out", () => rig.statuses.some(({ state }) => state === "failed"), 40_000);
      expect(rig.statuses.find(({ state }) => state === "failed")).toMatchObject({
        message: expect.stringContaining("did not answer"),
      });
      await until("another runs", () => rig.driver.status().state === "running");
      await until("it serves", async () => reaches(socks, "127.0.0.1", target.port));
      expect(rig.driver.restarts()).toBe(1);
      expect((await rig.driver.counters()).instance).toBe(before.instance);
    } finally {
      await client.end();
      target.close();
      await rig.end();
    }
  });
});
