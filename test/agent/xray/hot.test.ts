// Changes to a running Xray that nobody else notices: users in every protocol, inbounds, and when a second process is
// quicker.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { xrayFactory } from "../../../src/agent/engines/xray/index.ts";
import type { PlanUser } from "../../../src/protocol/plan.ts";
import {
  type Client,
  type Drip,
  findEngine,
  reach,
  reaches,
  startDrip,
  structure,
  until,
  user,
  users,
} from "../engines/rig.ts";
import { insist } from "../engines/stage.ts";
import { startStopwatch } from "../../stopwatch.ts";
import { type Lane, LANES, VISION } from "./lanes.ts";
import { type Scene, setScene } from "./scene.ts";

const info = await findEngine(xrayFactory);
const LIVE = LANES.filter(({ type }) => !["socks", "http", "mixed"].includes(type));
const stays = user(7, { flow: VISION });
const comes = user(8, { flow: VISION });

describe.skipIf(!info)("users of a running Xray", () => {
  let scene: Scene;
  let drips: Drip[];
  let newcomer: Client;

  beforeAll(async () => {
    if (!info) return;
    scene = await setScene(info, LIVE);
    await scene.apply(scene.inbounds, [stays]);
    const client = await scene.client(stays);
    newcomer = await scene.client(comes);
    drips = await Promise.all(client.ports.map(async (port) => insist(async () => startDrip(port, scene.target.port))));
  });
  afterAll(async () => scene.end());

  const change = async (put: PlanUser[], drop: number[], all: PlanUser[]): Promise<string> => {
    const desired = { structure: structure(...scene.inbounds), users: users(...all) };
    return (await scene.rig.driver.changeUsers({ put, drop }, desired)).how;
  };
  /**
   * Whether the target is reached. If the user should be served, REALITY gets a second try: it drops clients that
   * connect while the site's handshake is late.
   */
  const isReached = async (port: number, { name }: Lane, expected: boolean): Promise<boolean> => {
    const attempt = async (): Promise<void> => reach(port, "127.0.0.1", scene.target.port);
    return (expected && name.includes("reality") ? insist(attempt) : attempt()).then(
      () => true,
      () => false,
    );
  };
  const served = async (expected: boolean): Promise<string[]> => {
    const answers = await Promise.all(
      LIVE.map(async (lane, index) => isReached(newcomer.ports[index] ?? 0, lane, expected)),
    );
    return LIVE.filter((_, index) => answers[index]).map(({ name }) => name);
  };

  test("a new user is served within a second in every protocol", async () => {
    const elapsed = startStopwatch();
    expect(await change([comes], [], [stays, comes])).toBe("hot");
    expect(elapsed()).toBeLessThan(1000);
    expect(await served(true)).toEqual(LIVE.map(({ name }) => name));
  });

  test("a removed user is out within five seconds in every protocol, also where his connection outlives him", async () => {
    const open = await Promise.all(
      newcomer.ports.map(async (port) => insist(async () => startDrip(port, scene.target.port))),
    );
    expect(await change([], [comes.id], [stays])).toBe("hot");
    const elapsed = startStopwatch();
    const stillOpen = (): string[] => LIVE.filter((_, index) => open[index]?.open()).map(({ name }) => name);
    const running = new Map(open.map((drip, index) => [LIVE[index]?.name, drip.bytes()]));
    // A dropped QUIC flow leaves the client waiting: no byte comes any more, although it does not know yet.
    await until("nothing flows any more", async () => {
      for (const [index, drip] of open.entries()) running.set(LIVE[index]?.name, drip.bytes());
      await new Promise((resolve) => setTimeout(resolve, 400));
      return open.every((drip, index) => !drip.open() || running.get(LIVE[index]?.name) === drip.bytes());
    }).catch(() => undefined);
    expect(
      open.filter((drip, index) => drip.open() && running.get(LIVE[index]?.name) !== drip.bytes()).length,
      stillOpen().join(),
    ).toBe(0);
    expect(elapsed()).toBeLessThan(5500);
    expect(await served(false)).toEqual([]);
    for (const drip of open) drip.close();
  });

  test("a user with another secret is another user", async () => {
    const changed = user(8, {
      uuid: user(99).uuid,
      password: "another",
      ss16: user(99).ss16,
      ss32: user(99).ss32,
      flow: VISION,
    });
    expect(await change([changed], [], [stays, changed])).toBe("hot");
    const lanes = LIVE.filter(({ name }) => name !== "hysteria2");
    const client = await scene.client(changed, lanes);
    for (const [index, lane] of lanes.entries())
      expect(await isReached(client.ports[index] ?? 0, lane, true), lane.name).toBe(true);
  });

  test("through all of it the other one's downloads ran", async () => {
    const before = drips.map((drip) => drip.bytes());
    await until("all go on", () => drips.every((drip, index) => drip.bytes() > (before[index] ?? 0))).catch(
      () => undefined,
    );
    expect(LIVE.filter((_, index) => drips[index]?.bytes() === before[index]).map(({ name }) => name)).toEqual([]);
  });
});

describe.skipIf(!info)("inbounds of a running Xray", () => {
  test("an exchange under ten downloads breaks none and refuses nobody, a new one opens, a dropped one closes", async () => {
    if (!info) return;
    const lanes = LANES.filter(({ name }) =>
      ["vless", "vless ws tls", "vmess", "trojan tls", "shadowsocks aes"].includes(name),
    );
    const scene = await setScene(info, lanes);
    try {
      const [vless, ...others] = scene.inbounds;
      if (vless?.kind !== "inbound") throw new Error("no inbound");
      await scene.apply(others.length > 0 ? scene.inbounds.slice(0, -1) : [], [stays]);
      const client = await scene.client(stays);
      const [first = 0, second = 0] = client.ports;
      const drips = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => startDrip(index % 2 ? first : second, scene.target.port)),
      );
      let failures = 0;
      let asked = 0;
      const stop = new AbortController();
      const asker = (async () => {
        while (!stop.signal.aborted) {
          asked += 1;
          if (!(await reaches(first, "127.0.0.1", scene.target.port))) failures += 1;
        }
      })();
      const other = { ...vless, config: { ...vless.config, tcp_keep_alive: "5m" } };
      for (let round = 0; round < 4; round += 1) {
        const result = await scene.apply([round % 2 ? vless : other, ...others.slice(0, -1)], [stays]);
        expect(result.how).toBe("hot");
      }
      expect((await scene.apply([vless, ...others], [stays])).how).toBe("hot");
      const last = client.ports.at(-1) ?? 0;
      expect(await reaches(last, "127.0.0.1", scene.target.port)).toBe(true);
      expect((await scene.apply([vless, ...others.slice(0, -1)], [stays])).how).toBe("hot");
      expect(await reaches(last, "127.0.0.1", scene.target.port)).toBe(false);
      stop.abort();
      await asker;
      expect(asked).toBeGreaterThan(4);
      expect(failures).toBe(0);
      expect(drips.filter((drip) => drip.open())).toHaveLength(10);
    } finally {
      await scene.end();
    }
  });

  test("many users of a 2022 inbound come by a second process, a few do not", async () => {
    if (!info) return;
    const lanes = LANES.filter(({ name }) => name === "shadowsocks 2022 128");
    const scene = await setScene(info, lanes);
    try {
      await scene.apply(scene.inbounds, [stays]);
      const client = await scene.client(stays);
      const crowd = Array.from({ length: 2000 }, (_, index) => {
        const key = Buffer.alloc(16);
        key.writeUInt32LE(index + 1, 4);
        return user(1000 + index, { ss16: key.toString("base64") });
      });
      const [port = 0] = client.ports;
      const some = [stays, ...crowd.slice(0, 100)];
      const elapsed = startStopwatch();
      const desired = { structure: structure(...scene.inbounds), users: users(...some) };
      expect((await scene.rig.driver.changeUsers({ put: some, drop: [] }, desired)).how).toBe("hot");
      const all = { ...desired, users: users(stays, ...crowd) };
      expect((await scene.rig.driver.changeUsers({ put: crowd.slice(100), drop: [] }, all)).how).toBe("swap");
      expect(elapsed()).toBeLessThan(8000);
      expect(await reaches(port, "127.0.0.1", scene.target.port)).toBe(true);
    } finally {
      await scene.end();
    }
  });
});
