// An engine that dies by itself is seen, told of, and started again; what it had counted stays counted.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { v2rayFactory } from "../../../src/agent/engines/v2ray/index.ts";
import { z } from "zod";
import { processesMarked } from "../../../src/agent/engines/process/lifecycle/identity.ts";
import { markOf } from "../../../src/agent/engines/process/lifecycle/spawn.ts";
import { takenPorts } from "../../../src/agent/engines/process/ports/ports.ts";
import {
  findV2ray,
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
} from "../engines/rig.ts";
import { sentences } from "../sentences.ts";

const info = await findV2ray();
const who = user(1);
const login = { user: who.uuid, password: who.password };

describe.skipIf(!info)("crash", () => {
  test("is mended", async () => {
    if (!info) return;
    const rig = await startRig(v2rayFactory, info);
    const target = await startTarget();
    const [port = 0] = await ports(1);
    try {
      await rig.driver.apply({
        structure: structure(inbound(1, "socks", { listen: "127.0.0.1", listen_port: port })),
        users: users(who),
      });
      expect(await reaches(port, "127.0.0.1", target.port, login)).toBe(true);
      const before = await rig.driver.counters();
      for (const { pid } of processesMarked(markOf(rig.directory))) process.kill(pid, "SIGKILL");
      await until("the crash is seen", () => rig.statuses.some(({ state }) => state === "failed"));
      await until("the engine runs again", () => rig.driver.status().state === "running");
      expect(rig.statuses.map(({ state }) => state)).toEqual(["starting", "running", "failed", "starting", "running"]);
      expect(rig.driver.restarts()).toBe(1);
      expect(await reaches(port, "127.0.0.1", target.port, login)).toBe(true);
      const after = await rig.driver.counters();
      expect(after.instance).toBe(before.instance);
      expect(after.users.get("1.1")?.down).toBeGreaterThan(before.users.get("1.1")?.down ?? 0);
    } finally {
      target.close();
      await rig.end();
    }
  });

  test("a port that another program holds costs one inbound, not all", async () => {
    if (!info) return;
    const rig = await startRig(v2rayFactory, info);
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const address = holder.address();
    const held = address !== null && typeof address === "object" ? address.port : 0;
    const [port = 0] = await ports(1);
    const desired = {
      structure: structure(
        inbound(1, "vless", { listen: "127.0.0.1", listen_port: port }),
        inbound(2, "vless", { listen: "127.0.0.1", listen_port: held }),
      ),
      users: users(who),
    };
    try {
      expect(await rig.driver.apply(desired)).toEqual({
        how: "restart",
        warnings: [
          {
            code: "port_taken",
            values: [held, expect.stringMatching(new RegExp(`^\\S+ \\(process ${process.pid}\\)$`))],
            kind: "inbound",
            tag: "in-2",
            detail: expect.stringMatching(`^inbound in-2: port ${held} is used by another program: `),
          },
        ],
      });
      holder.close();
      await once(holder, "close");
      expect(await rig.driver.apply(desired)).toEqual({ how: "hot", warnings: [] });
    } finally {
      holder.close();
      await rig.end();
    }
  });

  test("when a second instance cannot start, the first serves on, but not those who were removed", async () => {
    if (!info) return;
    const rig = await startRig(v2rayFactory, info);
    const target = await startTarget();
    const [port = 0] = await ports(1);
    const plan = inbound(1, "vless", { listen: "127.0.0.1", listen_port: port });
    const [stays, goes] = [user(1), user(2)];
    await rig.driver.apply({ structure: structure(plan), users: users(stays, goes) });
    const client = await startClient([vlessOutbound(port, stays.uuid), vlessOutbound(port, goes.uuid)]);
    const [first = 0, second = 0] = client.ports;
    const state = z
      .object({ apiPorts: z.array(z.int()) })
      .parse(JSON.parse(readFileSync(join(rig.directory, "state.json"), "utf8")));
    const holders = state.apiPorts.map((held) =>
      createServer()
        .on("error", () => undefined)
        .listen(held, "127.0.0.1"),
    );
    try {
      await until(
        "all its interface ports are held",
        async () =>
          (
            await takenPorts(
              state.apiPorts.map((held) => ({ port: held, listen: "127.0.0.1", networks: ["tcp"] })),
              new Set(),
            )
          ).size === state.apiPorts.length,
      );
      const changed = structure(plan, { kind: "outbound", tag: "out", type: "direct", config: {} });
      await expect(rig.driver.apply({ structure: changed, users: users(stays) })).rejects.toThrow(/none of the ports/);
      expect(rig.driver.status().state).toBe("running");
      expect(await reaches(first, "127.0.0.1", target.port)).toBe(true);
      expect(await reaches(second, "127.0.0.1", target.port)).toBe(false);
    } finally {
      for (const holder of holders) holder.close();
      await client.end();
      target.close();
      await rig.end();
    }
  });

  // rule agents.engine.5
  test("what v2ray itself refuses costs that item, not all; nothing at all is an error", async () => {
    if (!info) return;
    const rig = await startRig(v2rayFactory, info);
    const [port = 0] = await ports(1);
    const good = inbound(1, "vless", { listen: "127.0.0.1", listen_port: port });
    const bad = {
      kind: "outbound",
      tag: "up",
      type: "vless",
      config: { server: "192.0.2.1", server_port: 443, uuid: "none" },
    } as const;
    const route = { kind: "route", route: { rules: [{ domain_regex: "(", action: "reject" }] } } as const;
    try {
      const result = await rig.driver.apply({ structure: structure(good, bad, route), users: users(who) });
      expect(result.how).toBe("restart");
      expect(sentences(result.warnings)).toEqual([
        expect.stringMatching(/^outbound up.*: .*invalid UUID/),
        expect.stringMatching(/^route rule 1: .*missing closing.*; the rule is left out$/),
      ]);
      expect(await rig.driver.apply({ structure: {}, users: users(who) })).toEqual({ how: "stopped", warnings: [] });
      await expect(
        rig.driver.apply({ structure: structure(inbound(3, "tuic", { listen_port: port })), users: users(who) }),
      ).rejects.toThrow(/none of the inbounds: inbound in-3: .*tuic/);
      expect(rig.driver.status().state).toBe("failed");
    } finally {
      await rig.end();
    }
  });
});
