// What a client writes into a host name names nobody: lines of Xray's log that it did not write itself.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { markedLineReader } from "../../../src/agent/engines/xray/tag-mark.ts";
import { xrayFactory } from "../../../src/agent/engines/xray/index.ts";
import { canConnect, findEngine, ports, startDrip, until, user } from "../engines/rig.ts";
import { LANES } from "./lanes.ts";
import { setScene } from "./scene.ts";

const MARK = ".0123456789abcdef";
const head = "2026/11/21 12:36:31.623461 from 198.51.100.9:35407 accepted tcp:";

describe("lines", () => {
  const read = (...lines: string[]) => {
    const reader = markedLineReader(MARK);
    return lines.flatMap((line) => reader(line) ?? []);
  };

  test("of the engine's own are read whole", () => {
    expect(read(`${head}a.test:443 [in.3.a${MARK} -> block] email: 7.3`)).toMatchObject([
      {
        source: "198.51.100.9",
        sourcePort: 35_407,
        network: "tcp",
        destination: "a.test:443",
        inboundTag: "in.3.a",
        outbound: "block",
        user: "7.3",
      },
    ]);
    expect(read(`${head}a.test:443 [in.3.b${MARK} >> x] y]`)).toMatchObject([
      { inboundTag: "in.3.b", outbound: "x] y", user: undefined },
    ]);
  });

  test("with somebody else's name in the host name", () => {
    const lines = read(`${head}x:1 [in.1.a -> direct] email: 8.1 :443 [in.7.a${MARK} >> direct] email: 7.7`);
    expect(lines).toMatchObject([{ sourcePort: 35_407, inboundTag: "in.7.a", outbound: "direct", user: "7.7" }]);
  });

  test("with whole lines in the host name, and with another beginning", () => {
    const forged = "2026/11/21 12:36:31.623461 from 203.0.113.5:1 accepted tcp:y:1 [in.1.a -> direct] email: 8.1";
    const beginning = "2026/11/21 12:36:31.623461 from 203.0.113.6:2 accepted tcp:z";
    expect(
      read(
        `${head}x`,
        forged,
        forged,
        `${beginning}:443 [in.7.a${MARK} >> direct] email: 7.7`,
        `${head}b.test:1 [in.3.a${MARK} -> a] email: 9.3`,
      ),
    ).toMatchObject([
      { source: "198.51.100.9", sourcePort: 35_407, inboundTag: "in.7.a", user: "7.7" },
      { source: "198.51.100.9", inboundTag: "in.3.a", user: "9.3" },
    ]);
  });
});

const info = await findEngine(xrayFactory);

test.skipIf(!info)("a hysteria2 client that asks for lines of a log does not become somebody else", async () => {
  if (!info) return;
  const lanes = LANES.filter(({ name }) => name === "vless" || name === "hysteria2");
  const scene = await setScene(info, lanes);
  const [victim, forger] = [user(8), user(7)];
  const [honest = 0, ...doors] = await ports(3);
  const forgeries = [
    "[[x\n2026/11/21 12:36:31.623461 from 203.0.113.5:1 accepted tcp:y:1 email: 8.2 z]]",
    "[[x:1 email: 8.2 z]]",
  ];
  const config = {
    log: { loglevel: "none" },
    inbounds: [
      { listen: "127.0.0.1", port: honest, protocol: "socks", settings: {} },
      // A door leads to one target, whatever it is called; each side takes a pair of brackets off.
      ...forgeries.map((address, index) => ({
        listen: "127.0.0.1",
        port: doors[index],
        protocol: "dokodemo-door",
        settings: { address, port: 443, network: "tcp" },
      })),
    ],
    outbounds: [lanes[1]?.client(forger, scene.portOf(1), scene.scenery)],
  };
  const child = spawn("xray", ["run", "-c", "stdin:"], { stdio: ["pipe", "ignore", "ignore"] });
  const exited = once(child, "exit");
  child.stdin.end(JSON.stringify(config));
  try {
    await scene.apply(scene.inbounds, [victim, forger]);
    await until("the client listens", async () =>
      (await Promise.all([honest, ...doors].map(canConnect))).every(Boolean),
    );
    for (const door of doors)
      connect(door, "127.0.0.1", function (this: Socket) {
        this.end("hello");
      }).on("error", () => undefined);
    await until(
      "what they wrote is in the log",
      () => readFileSync(join(scene.rig.directory, "engine.log"), "utf8").split("email: 8.2 z").length >= 3,
    );
    const drip = await startDrip(honest, scene.target.port);
    await until(
      "the forger's session is seen",
      async () => (await scene.rig.driver.sessions({ userId: 7 }, 10)).total > 0,
    );
    expect((await scene.rig.driver.sessions({ userId: 8 }, 10)).rows).toEqual([]);
    expect(await scene.rig.driver.addresses(8)).toEqual([]);
    expect((await scene.rig.driver.addresses()).map(({ address }) => address)).not.toContain("203.0.113.5");
    drip.close();
  } finally {
    child.kill("SIGKILL");
    await exited;
    await scene.end();
  }
});
