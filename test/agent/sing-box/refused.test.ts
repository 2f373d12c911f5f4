// What only sing-box itself finds wrong is left out or refuses connections, the rest runs, and nothing takes another
// way.
import { afterAll, beforeAll, expect, test } from "vitest";
import { singBoxFactory } from "../../../src/agent/engines/sing-box/index.ts";
import type { PlanObject } from "../../../src/protocol/plan.ts";
import {
  findEngine,
  inbound,
  ports,
  reaches,
  startRig,
  startTarget,
  structure,
  type Target,
  until,
  user,
  users,
} from "../engines/rig.ts";
import { startSingBoxClient } from "./client.ts";

const info = await findEngine(singBoxFactory);
let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.close());

const out = (tag: string, type: string, config: Record<string, unknown> = {}): PlanObject => ({
  kind: "outbound",
  tag,
  type,
  config,
});

test.runIf(info)("items that its check refuses", async () => {
  if (!info) return;
  const rig = await startRig(singBoxFactory, info, "allow");
  const [good = 0, bad = 0] = await ports(2);
  const client = await startSingBoxClient([{ type: "vless", uuid: user(7).uuid, server_port: good }]);
  try {
    const result = await rig.driver.apply({
      structure: structure(
        inbound(1, "vless", { listen: "127.0.0.1", listen_port: good }),
        inbound(2, "vless", { listen: "127.0.0.1", listen_port: bad, transport: { type: "ws", path: 5 } }),
        out("direct", "direct"),
        out("bad", "shadowsocks", { server: "192.0.2.1", server_port: 1, method: "nope", password: "x" }),
        out("pick", "selector", { outbounds: ["bad", "direct"] }),
        { kind: "core", core: { dns: { servers: [{ type: "udp", server: "192.0.2.1" }], strategy: "sideways" } } },
        {
          kind: "route",
          route: {
            rule_set: [{ tag: "broken", type: "inline", rules: [{ port_range: "no" }] }],
            rules: [
              { port_range: "no", outbound: "direct" },
              { rule_set: "broken", outbound: "direct" },
              { ip_cidr: "127.0.0.1/32", port: target.port, outbound: "direct" },
            ],
            final: "pick",
          },
        },
      ),
      users: users(user(7)),
    });
    const told = (start: string): boolean => result.warnings.some(({ detail }) => detail.startsWith(start));
    for (const start of ["core: dns: ", "outbound bad: ", "rule set broken: ", "route rule 1: ", "inbound in-2: "])
      expect(told(start), start).toBe(true);
    const proxy = client.ports[0] ?? 0;
    await until("the target is reached", async () => reaches(proxy, "127.0.0.1", target.port));
    // Everything else goes to the group, whose choice refuses: it must not fall to the next of its members.
    const other = await startTarget();
    expect(await reaches(proxy, "127.0.0.1", other.port)).toBe(false);
    other.close();
    await until("the user is counted", async () => (await rig.driver.counters()).users.has("7.1"));
  } finally {
    await client.end();
    await rig.end();
  }
});
