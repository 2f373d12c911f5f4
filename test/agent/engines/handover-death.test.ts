// An agent that is killed in the middle of a handover leaves two processes: the next one serves with one of them, lets
// both finish, and counts both.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { portMapObjection } from "../../../src/agent/engines/portmap/index.ts";
import { processesMarked } from "../../../src/agent/engines/process/lifecycle/identity.ts";
import { markOf } from "../../../src/agent/engines/process/lifecycle/spawn.ts";
import type { PlanObject } from "../../../src/protocol/plan.ts";
import { installedEngines } from "./installed.ts";
import {
  contextOf,
  inbound,
  ports,
  reaches,
  startClient,
  startDrip,
  startTarget,
  structure,
  until,
  user,
  users,
  vlessOutbound,
} from "./rig.ts";

const engines = await installedEngines();
const noMap = await portMapObjection();
if (noMap !== undefined && process.env["CI"] === "true") throw new Error(`CI must have the port map: ${noMap}`);
if (noMap !== undefined) console.warn(`SKIPPED: ${noMap}`);
const who = user(1);
const later = user(2);
/** An inbound on UDP too, so that every engine has use for the port map, and one that they all hand over. */
const plan = (port: number, shadow: number): PlanObject[] => [
  inbound(1, "vless", { listen: "127.0.0.1", listen_port: port }),
  inbound(2, "shadowsocks", { listen: "127.0.0.1", listen_port: shadow, method: "aes-128-gcm", password: "unused" }),
];
/** What every engine needs another process for. */
const core: PlanObject = {
  kind: "core",
  core: { dns: { servers: [{ tag: "local", type: "local" }] }, log: { level: "error" } },
};
const extra: PlanObject = { kind: "outbound", tag: "more", type: "direct", config: {} };

describe.skipIf(noMap !== undefined).each(engines)("$kind, agent killed", (engine) => {
  test.each(["before", "after"] as const)("%s the map leads to the new process", async (moment) => {
    const directory = mkdtempSync(join(tmpdir(), "signalbox-dying-"));
    const [port = 0, shadow = 0] = await ports(2);
    const target = await startTarget();
    const agent = fork(join(import.meta.dirname, "dying-agent.ts"));
    const first = { structure: structure(...plan(port, shadow)), users: [who] };
    const second = { structure: structure(...plan(port, shadow), core, extra), users: [who, later] };
    agent.send({ kind: engine.kind, directory, moment, first, second });
    await once(agent, "message");
    const client = await startClient([vlessOutbound(port, who.uuid), vlessOutbound(port, later.uuid)]);
    const driver = engine.factory.create(engine.info, contextOf(directory, "allow"));
    try {
      const [mine = 0, others = 0] = client.ports;
      const drip = await startDrip(mine, target.port);
      const exit = once(agent, "exit");
      agent.send("go on");
      await exit;
      expect(agent.signalCode).toBe("SIGKILL");
      expect(await driver.adopt()).toBe(true);
      const bytes = drip.bytes();
      expect(await reaches(mine, "127.0.0.1", target.port)).toBe(true);
      await driver.apply({ structure: second.structure, users: users(who, later) });
      await until("the change is served", async () => reaches(others, "127.0.0.1", target.port));
      expect(await reaches(mine, "127.0.0.1", target.port)).toBe(true);
      await until("the download goes on", () => drip.bytes() > bytes + 10_000);
      await until(
        "it is counted",
        async () => ((await driver.counters()).users.get("1.1")?.down ?? 0) >= drip.bytes() * 0.9,
      );
      expect(drip.open()).toBe(true);
      drip.close();
      await until("one process is left", () => processesMarked(markOf(directory)).length === 1);
    } finally {
      agent.kill("SIGKILL");
      await client.end();
      target.close();
      // A second adoption ends what a failed test left.
      await driver.adopt();
      await driver.close("stop");
      rmSync(directory, { recursive: true });
    }
    expect(processesMarked(markOf(directory))).toEqual([]);
  });
});
