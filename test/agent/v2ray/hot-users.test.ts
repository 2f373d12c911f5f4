// Users come and go without a restart: a removed one is out at once, everybody else goes on undisturbed.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processesMarked } from "../../../src/agent/engines/process/lifecycle/identity.ts";
import { markOf } from "../../../src/agent/engines/process/lifecycle/spawn.ts";
import type { PlanUser } from "../../../src/protocol/plan.ts";
import { v2rayFactory } from "../../../src/agent/engines/v2ray/index.ts";
import {
  type Client,
  findV2ray,
  inbound,
  ports,
  reaches,
  type Rig,
  startClient,
  startDrip,
  startRig,
  startTarget,
  structure,
  type Target,
  until,
  user,
  users,
  vlessOutbound,
} from "../engines/rig.ts";

import { startStopwatch } from "../../stopwatch.ts";

const info = await findV2ray();

describe.skipIf(!info)("live changes", () => {
  let rig: Rig;
  let target: Target;
  let client: Client;
  let vless = 0;
  let socks = 0;
  const people = [user(1), user(2), user(3)];
  const [one = user(1), two = user(2), three = user(3)] = people;
  const login = (who: PlanUser): { user: string; password: string } => ({ user: who.uuid, password: who.password });
  const plan = () =>
    structure(
      inbound(1, "vless", { listen: "::", listen_port: vless }),
      inbound(2, "socks", { listen: "127.0.0.1", listen_port: socks }),
    );

  beforeAll(async () => {
    if (!info) return;
    rig = await startRig(v2rayFactory, info);
    target = await startTarget();
    [vless = 0, socks = 0] = await ports(2);
    await rig.driver.apply({ structure: plan(), users: users(one, two) });
    client = await startClient(people.map((who) => vlessOutbound(vless, who.uuid)));
  });

  afterAll(async () => {
    await client?.end();
    target?.close();
    await rig?.end();
  });

  test("a new user is served, a removed one is cut, the third does not notice", async () => {
    const [portOne = 0, portTwo = 0, portThree = 0] = client.ports;
    const mine = await startDrip(portOne, target.port);
    const others = await startDrip(portTwo, target.port);
    expect(await reaches(portThree, "127.0.0.1", target.port)).toBe(false);
    const elapsed = startStopwatch();
    const result = await rig.driver.changeUsers(
      { put: [three], drop: [one.id] },
      { structure: plan(), users: users(two, three) },
    );
    expect(result.how).toBe("hot");
    if (info?.can.closeSessions) await until("the removed user is cut", () => !mine.open());
    expect(elapsed()).toBeLessThan(5000);
    expect(await reaches(portOne, "127.0.0.1", target.port)).toBe(false);
    expect(await reaches(portThree, "127.0.0.1", target.port)).toBe(true);
    const before = others.bytes();
    await until("the other download goes on", () => others.bytes() > before + 50_000);
    expect(others.open()).toBe(true);
    others.close();
  });

  test("a changed secret is the only one that opens", async () => {
    const changed = { ...two, uuid: user(22).uuid };
    await rig.driver.changeUsers({ put: [changed], drop: [] }, { structure: plan(), users: users(changed, three) });
    expect(await reaches(client.ports[1] ?? 0, "127.0.0.1", target.port)).toBe(false);
    await rig.driver.changeUsers({ put: [two], drop: [] }, { structure: plan(), users: users(two, three) });
    expect(await reaches(client.ports[1] ?? 0, "127.0.0.1", target.port)).toBe(true);
  });

  test("socks users change by exchanging the inbound, without a refused connection", async () => {
    expect(await reaches(socks, "127.0.0.1", target.port, login(two))).toBe(true);
    expect(await reaches(socks, "127.0.0.1", target.port, login(one))).toBe(false);
    const running = await startDrip(socks, target.port, login(two));
    const result = await rig.driver.changeUsers(
      { put: [one], drop: [] },
      { structure: plan(), users: users(one, two, three) },
    );
    expect(result.how).toBe("hot");
    expect(await reaches(socks, "127.0.0.1", target.port, login(one))).toBe(true);
    const before = running.bytes();
    await until("the running download goes on", () => running.bytes() > before + 20_000);
    const second = await rig.driver.changeUsers(
      { put: [], drop: [two.id] },
      { structure: plan(), users: users(one, three) },
    );
    expect(second.how).toBe("hot");
    expect(await reaches(socks, "127.0.0.1", target.port, login(two))).toBe(false);
    if (info?.can.closeSessions) await until("the removed user is cut", () => !running.open());
    running.close();
    await rig.driver.changeUsers({ put: [two], drop: [] }, { structure: plan(), users: users(one, two, three) });
  });

  test("sessions are closed by selection; the user stays", async () => {
    if (!info?.can.closeSessions) return expect(await rig.driver.closeSessions({})).toBe(0);
    const [portOne = 0, portTwo = 0] = client.ports;
    const mine = await startDrip(portOne, target.port);
    const others = await startDrip(portTwo, target.port);
    expect(await rig.driver.closeSessions({ userId: one.id })).toBe(1);
    await until("the session is closed", () => !mine.open());
    expect(others.open()).toBe(true);
    others.close();
    expect(await reaches(portOne, "127.0.0.1", target.port)).toBe(true);
  });

  test("a new outbound needs a second instance: the running download stays, counters add up", async () => {
    const portTwo = client.ports[1] ?? 0;
    const running = await startDrip(portTwo, target.port);
    const { instance, users: before } = await rig.driver.counters();
    const changed = structure(...Object.values(plan()), { kind: "outbound", tag: "out", type: "direct", config: {} });
    const result = await rig.driver.apply({ structure: changed, users: users(one, two, three) });
    expect(result.how).toBe("swap");
    const bytes = running.bytes();
    await until("the running download goes on", () => running.bytes() > bytes + 50_000);
    for (let count = 0; count < 20; count += 1) expect(await reaches(portTwo, "127.0.0.1", target.port)).toBe(true);
    const after = await rig.driver.counters();
    expect(after.instance).toBe(instance);
    expect(after.users.get("2.1")?.down).toBeGreaterThan((before.get("2.1")?.down ?? 0) + 50_000);
    for (const [name, count] of before) expect(after.users.get(name)?.down ?? 0).toBeGreaterThanOrEqual(count.down);
    running.close();
    await until(
      "the replaced instance ends once it is idle",
      () => processesMarked(markOf(rig.directory)).length === 1,
    );
    const last = await rig.driver.counters();
    expect(last.instance).toBe(instance);
    for (const [name, count] of after.users) expect(last.users.get(name)?.down ?? 0).toBeGreaterThanOrEqual(count.down);
  });

  test("an inbound that goes takes its connections with it, the others stay", async () => {
    const kept = await startDrip(client.ports[1] ?? 0, target.port);
    const lost = await startDrip(socks, target.port, login(two));
    const rest = structure(...Object.values(plan()).filter((object) => object.kind !== "inbound" || object.id === 1), {
      kind: "outbound",
      tag: "out",
      type: "direct",
      config: {},
    });
    const result = await rig.driver.apply({ structure: rest, users: users(one, two, three) });
    expect(result.how).toBe("hot");
    if (info?.can.closeSessions) await until("its connection is closed", () => !lost.open());
    expect(await reaches(socks, "127.0.0.1", target.port, login(two))).toBe(false);
    const before = kept.bytes();
    await until("the other goes on", () => kept.bytes() > before + 20_000);
    kept.close();
    lost.close();
  });
});
