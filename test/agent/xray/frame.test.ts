// Outbounds and rules of a running Xray become others: running downloads go on, and no new connection finds a rule
// without its outbound.
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { xrayFactory } from "../../../src/agent/engines/xray/index.ts";
import type { PlanObject } from "../../../src/protocol/plan.ts";
import { type Client, type Drip, findEngine, reaches, startDrip, user } from "../engines/rig.ts";
import { LANES } from "./lanes.ts";
import { out, route } from "./plans.ts";
import { type Scene, setScene } from "./scene.ts";

/** An HTTP proxy that counts who comes by. */
async function startProxy(): Promise<{ readonly port: number; passed(): number; close(): void }> {
  const sockets = new Set<Socket>();
  let passed = 0;
  const server = createServer().on("connect", (request, socket: Socket) => {
    passed += 1;
    const [host = "", port = "0"] = (request.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    for (const end of [socket, onward]) {
      sockets.add(end);
      end.on("error", () => undefined).on("close", () => (socket.destroy(), onward.destroy()));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    passed: () => passed,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const info = await findEngine(xrayFactory);

describe.skipIf(!info)("a running Xray", () => {
  const who = user(7);
  let scene: Scene;
  let client: Client;
  let drips: Drip[];
  let proxies: Awaited<ReturnType<typeof startProxy>>[];

  beforeAll(async () => {
    if (!info) return;
    scene = await setScene(info, LANES.slice(0, 1));
    proxies = await Promise.all([startProxy(), startProxy()]);
    await scene.apply([...scene.inbounds, ...plan("direct", 0)], [who]);
    client = await scene.client(who);
    drips = await Promise.all(
      Array.from({ length: 10 }, async () => startDrip(client.ports[0] ?? 0, scene.target.port)),
    );
  });
  afterAll(async () => {
    for (const proxy of proxies) proxy.close();
    await scene.end();
  });

  /** `up` leads through one of the two proxies. */
  function plan(final: string, proxy: number, rules: Record<string, unknown>[] = []): PlanObject[] {
    const up = { server: "127.0.0.1", server_port: proxies[proxy]?.port ?? 0 };
    return [out("direct", "direct"), out("block", "block"), out("up", "http", up), route({ final, rules })];
  }
  /** Through which proxies a new connection goes. */
  async function way(): Promise<number[]> {
    const before = proxies.map((proxy) => proxy.passed());
    expect(await reaches(client.ports[0] ?? 0, "127.0.0.1", scene.target.port)).toBe(true);
    return proxies.map((proxy, index) => proxy.passed() - (before[index] ?? 0));
  }

  test("rules, outbounds and the default change hot, under ten downloads and new connections all the time", async () => {
    let failures = 0;
    let asked = 0;
    const stop = new AbortController();
    const asker = (async () => {
      while (!stop.signal.aborted) {
        asked += 1;
        if (!(await reaches(client.ports[0] ?? 0, "127.0.0.1", scene.target.port))) failures += 1;
      }
    })();
    const change = async (objects: PlanObject[]): Promise<void> => {
      const result = await scene.apply([...scene.inbounds, ...objects], [who]);
      expect(result).toEqual({ how: "hot", warnings: [] });
    };
    const port = scene.target.port;
    for (let round = 0; round < 3; round += 1) {
      await change(plan("direct", round % 2, [{ port, outbound: "up" }]));
      await change(
        plan("direct", (round + 1) % 2, [
          { port, outbound: "up" },
          { port: 9, outbound: "block" },
        ]),
      );
      await change(plan("up", round % 2));
      await change(plan("up", (round + 1) % 2));
      await change(plan("direct", 0));
    }
    stop.abort();
    await asker;
    expect(asked).toBeGreaterThan(20);
    expect(failures).toBe(0);
    expect(drips.filter((drip) => drip.open())).toHaveLength(10);
  });

  test("a new connection goes the new way", async () => {
    const port = scene.target.port;
    expect(await way()).toEqual([0, 0]);
    for (const [objects, expected] of [
      [plan("up", 0), [1, 0]],
      [plan("up", 1), [0, 1]],
      [plan("direct", 1, [{ port, outbound: "up" }]), [0, 1]],
      [plan("direct", 0, [{ port, outbound: "up" }]), [1, 0]],
      [plan("up", 0, [{ port, outbound: "direct" }]), [0, 0]],
    ] as const) {
      expect((await scene.apply([...scene.inbounds, ...objects], [who])).how).toBe("hot");
      expect(await way()).toEqual(expected);
    }
  });

  test("an outbound that dials through another takes both ways, also when that one changes", async () => {
    const chain = (first: number, second: number): PlanObject[] => [
      out("direct", "direct"),
      out("block", "block"),
      out("one", "http", { server: "127.0.0.1", server_port: proxies[first]?.port ?? 0 }),
      out("up", "http", { server: "127.0.0.1", server_port: proxies[second]?.port ?? 0, detour: "one" }),
      route({ final: "up" }),
    ];
    for (const [first, second] of [
      [0, 1],
      [1, 0],
    ] as const) {
      expect((await scene.apply([...scene.inbounds, ...chain(first, second)], [who])).how).toBe("hot");
      expect(await way()).toEqual([1, 1]);
    }
    expect((await scene.apply([...scene.inbounds, ...chain(0, 0)], [who])).how).toBe("hot");
    expect(await way()).toEqual([2, 0]);
  });

  test("what goes to a block outbound is refused and counted", async () => {
    const rules = [{ port: scene.target.port, outbound: "block" }];
    expect((await scene.apply([...scene.inbounds, ...plan("direct", 0, rules)], [who])).how).toBe("hot");
    expect(await reaches(client.ports[0] ?? 0, "127.0.0.1", scene.target.port)).toBe(false);
    expect((await scene.apply([...scene.inbounds, ...plan("direct", 0)], [who])).how).toBe("hot");
    expect(await way()).toEqual([0, 0]);
    expect((await scene.rig.driver.counters()).rejected.get("block")).toBeGreaterThan(0);
  });

  test("a group that measures is a matter of another process; then it leads through one that answers", async () => {
    const group = [
      out("direct", "direct"),
      out("one", "http", { server: "127.0.0.1", server_port: proxies[0]?.port ?? 0 }),
      out("two", "http", { server: "127.0.0.1", server_port: 1 }),
      out("best", "urltest", {
        outbounds: ["one", "two"],
        url: `http://127.0.0.1:${proxies[1]?.port ?? 0}/`,
        interval: "1s",
      }),
      route({ final: "best" }),
    ];
    expect((await scene.apply([...scene.inbounds, ...group], [who])).how).toBe("swap");
    expect(await way()).toEqual([1, 0]);
    const ruled = [...group.slice(0, -1), route({ final: "best", rules: [{ port: 9, action: "reject" }] })];
    expect((await scene.apply([...scene.inbounds, ...ruled], [who])).how).toBe("hot");
    expect((await scene.apply([...scene.inbounds, ...group], [who])).how).toBe("hot");
    expect(await way()).toEqual([1, 0]);
    expect(drips.filter((drip) => drip.open())).toHaveLength(10);
  });
});
