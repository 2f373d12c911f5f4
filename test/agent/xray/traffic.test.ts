// Bytes through real Xray, from our configuration to its own client, in every protocol and transport, and counted for
// the right user.
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { xrayFactory } from "../../../src/agent/engines/xray/index.ts";
import { type Client, dial, findEngine, inbound, ports, startDrip, transfer, until, user } from "../engines/rig.ts";
import { insist } from "../engines/stage.ts";
import { LANES, VISION } from "./lanes.ts";
import { type Scene, setScene } from "./scene.ts";
import { sentences } from "../sentences.ts";

const info = await findEngine(xrayFactory);
const DOWN = 300_000;
const UP = 30_000;
const who = user(7, { flow: VISION });

describe.skipIf(!info)("traffic through Xray", () => {
  let scene: Scene;
  let client: Client;

  beforeAll(async () => {
    if (!info) return;
    scene = await setScene(info, LANES);
    const result = await scene.apply(scene.inbounds, [who, user(8)]);
    expect(
      sentences(result.warnings).filter((line) => /port|None|invalid/.test(line) && !line.includes("TCP alone")),
    ).toEqual([]);
    client = await scene.client(who);
  });
  afterAll(async () => scene.end());

  test.for(LANES.map(({ name }, index) => [name, index] as const))("%s", async ([, index]) => {
    // On a busy machine a handshake that REALITY borrows may come too late: then nothing was carried, and nothing
    // counted.
    const received = await insist(async () => {
      const socket = await dial(client.ports[index] ?? 0, "127.0.0.1", scene.target.port);
      const bytes = await transfer(socket, DOWN, UP);
      socket.destroy();
      if (bytes === 0) throw new Error("cut before anything came");
      return bytes;
    });
    expect(received).toBe(DOWN);
  });

  test("direct: a port that leads to one target", async () => {
    const [port = 0] = await ports(1);
    const config = {
      listen: "127.0.0.1",
      listen_port: port,
      network: "tcp",
      override_address: "127.0.0.1",
      override_port: scene.target.port,
    };
    const { how, warnings } = await scene.apply([...scene.inbounds, inbound(99, "direct", config)], [who, user(8)]);
    expect(how).toBe("hot");
    expect(sentences(warnings)).toContain("inbound in-99: its connections are nobody's and count for no user");
    const socket = connect(port, "127.0.0.1");
    expect(await transfer(socket, DOWN, 0)).toBe(DOWN);
    socket.destroy();
  });

  test("everything is counted for the user and the inbound that it came over", async () => {
    const { users } = await scene.rig.driver.counters();
    // Those three protocols count by login, and the first of them takes it all.
    const logins = LANES.flatMap(({ type }, index) => (["socks", "http", "mixed"].includes(type) ? [index] : []));
    const first = logins[0] ?? 0;
    for (const [index, lane] of LANES.entries()) {
      if (logins.includes(index) && index !== first) continue;
      const times = index === first ? logins.length : 1;
      const count = users.get(`7.${index + 1}`);
      expect(count?.down, lane.name).toBeGreaterThanOrEqual(DOWN * times);
      expect(count?.down, lane.name).toBeLessThanOrEqual(DOWN * times * 1.02);
      expect(count?.up, lane.name).toBeGreaterThanOrEqual(UP * times);
      expect(count?.up, lane.name).toBeLessThanOrEqual(UP * times * 1.05 + 200);
    }
    expect([...users.keys()].filter((name) => !name.startsWith("7."))).toEqual([]);
  });

  test("a download is counted while it runs, in every protocol", async () => {
    const before = (await scene.rig.driver.counters()).users;
    const drips = await Promise.all(
      client.ports.map(async (port) => insist(async () => startDrip(port, scene.target.port))),
    );
    const counted = async (): Promise<string[]> => {
      const { users } = await scene.rig.driver.counters();
      const grown = (index: number): number =>
        (users.get(`7.${index + 1}`)?.down ?? 0) - (before.get(`7.${index + 1}`)?.down ?? 0);
      return LANES.filter((lane, index) => !["http", "mixed"].includes(lane.type) && grown(index) < 10_000).map(
        ({ name }) => name,
      );
    };
    await until("all are counted", async () => (await counted()).length === 0).catch(() => undefined);
    expect(await counted()).toEqual([]);
    for (const drip of drips) drip.close();
  });
});
