// Proxy users must not reach the node itself or its network, by address or by name; and never the engine's own
// interface.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, describe, test } from "vitest";
import { z } from "zod";
import { v2rayFactory } from "../../../src/agent/engines/v2ray/index.ts";
import {
  findV2ray,
  inbound,
  ports,
  reaches,
  type Rig,
  startRig,
  startTarget,
  structure,
  until,
  user,
  users,
} from "../engines/rig.ts";

const info = await findV2ray();
const who = user(1);
const login = { user: who.uuid, password: who.password };
/** A name other than localhost that resolves to loopback here. */
const loopbackName = /^127\.0\.0\.1\s+.*?(\S+)$/m.exec(
  readFileSync("/etc/hosts", "utf8").replace(/^.*\blocalhost\s*$/gm, ""),
)?.[1];

async function served(rig: Rig): Promise<number> {
  const [port = 0] = await ports(1);
  await rig.driver.apply({
    structure: structure(inbound(1, "socks", { listen: "127.0.0.1", listen_port: port })),
    users: users(who),
  });
  return port;
}

describe.skipIf(!info)("private targets", () => {
  test("are closed by default, by address and by name, and counted as refused", async () => {
    if (!info) return;
    const rig = await startRig(v2rayFactory, info, "block");
    const target = await startTarget();
    try {
      const port = await served(rig);
      const hosts = [
        "127.0.0.1",
        "localhost",
        "0.0.0.0",
        "::1",
        "::ffff:127.0.0.1",
        "127.9.9.9",
        ...(loopbackName === undefined ? [] : [loopbackName]),
      ];
      for (const host of hosts) expect.soft(await reaches(port, host, target.port, login), host).toBe(false);
      await until("all are counted", async () => (await rig.driver.counters()).rejected.get("block") === hosts.length);
    } finally {
      target.close();
      await rig.end();
    }
  });

  test("are open where that is wanted, but the engine's interface is not", async () => {
    if (!info) return;
    const rig = await startRig(v2rayFactory, info, "allow");
    const target = await startTarget();
    try {
      const port = await served(rig);
      expect(await reaches(port, "127.0.0.1", target.port, login)).toBe(true);
      if (loopbackName !== undefined) expect(await reaches(port, loopbackName, target.port, login)).toBe(true);
      const state = z
        .object({ engines: z.array(z.object({ endpoint: z.object({ ports: z.array(z.int()) }) })) })
        .parse(JSON.parse(readFileSync(join(rig.directory, "state.json"), "utf8")));
      const api = state.engines[0]?.endpoint.ports[0] ?? 0;
      const before = (await rig.driver.counters()).rejected.get("block") ?? 0;
      expect(await reaches(port, "127.0.0.1", api, login)).toBe(false);
      expect(await reaches(port, "localhost", api, login)).toBe(false);
      await until("both are counted", async () => (await rig.driver.counters()).rejected.get("block") === before + 2);
    } finally {
      target.close();
      await rig.end();
    }
  });
});
