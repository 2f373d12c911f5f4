// What proxy users must not reach through Xray, by whatever name, notation or second datagram; and what `allow` opens.
import { createSocket, type Socket as DatagramSocket } from "node:dgram";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { xrayFactory } from "../../../src/agent/engines/xray/index.ts";
import { type Client, dial, findEngine, reaches, until, user } from "../engines/rig.ts";
import { LANES } from "./lanes.ts";
import { core, out, route } from "./plans.ts";
import { type Scene, setScene } from "./scene.ts";

const info = await findEngine(xrayFactory);
const lanes = LANES.filter(({ name }) =>
  ["vless", "vmess", "shadowsocks 2022 128", "hysteria2", "mixed"].includes(name),
);
const UDP_LANES = lanes.flatMap(({ name }, index) => (name === "mixed" ? [] : [index]));
const who = user(7);
const PUBLIC = "198.51.100.9";
const own = Object.values(networkInterfaces()).flatMap((list) =>
  (list ?? []).flatMap(({ address, family, internal }) => (family === "IPv4" && !internal ? [address] : [])),
);
const dns = {
  servers: [
    {
      tag: "h",
      type: "hosts",
      predefined: { "inner.test": ["127.0.0.1"], "both.test": [PUBLIC, "127.0.0.1"], "open.test": [PUBLIC] },
    },
  ],
};

/** What every client can ask for, and what only some resolvers read as the same. */
const PLAIN = ["127.0.0.1", "localhost", "inner.test", "::ffff:127.0.0.1"];
const ODD = [
  "LOCALHOST",
  "localhost.",
  "a.localhost",
  "both.test",
  "127.0.0.9",
  "0.0.0.0",
  "0",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "::1",
];
const NOTATIONS = [...PLAIN, ...ODD];

/** A relay for datagrams through a SOCKS port, as clients make it. */
async function associate(port: number): Promise<{ send(host: string, to: number, text: string): void; close(): void }> {
  const { connect } = await import("node:net");
  const control = connect(port, "127.0.0.1");
  control.on("error", () => undefined);
  await once(control, "connect");
  control.write(Buffer.from([5, 1, 0]));
  await once(control, "data");
  control.write(Buffer.from([5, 3, 0, 1, 0, 0, 0, 0, 0, 0]));
  const [answer]: Buffer[] = await once(control, "data");
  const relay = answer?.readUInt16BE(8) ?? 0;
  const socket = createSocket("udp4");
  return {
    send: (host, to, text) => {
      const head = Buffer.from([0, 0, 0, 1, ...host.split(".").map(Number), to >> 8, to & 255]);
      socket.send(Buffer.concat([head, Buffer.from(text)]), relay, "127.0.0.1");
    },
    close: () => {
      control.destroy();
      socket.close();
    },
  };
}

for (const privateTargets of ["block", "allow"] as const)
  describe.skipIf(!info)(`private targets: ${privateTargets}`, () => {
    const open = privateTargets === "allow";
    let scene: Scene;
    let client: Client;
    let listener: DatagramSocket;
    const heard = new Set<string>();

    beforeAll(async () => {
      if (!info) return;
      scene = await setScene(info, lanes, privateTargets);
      await scene.apply(
        [...scene.inbounds, core({ dns }), out("direct", "direct"), route({ rules: [{ action: "sniff" }] })],
        [who],
      );
      client = await scene.client(who);
      listener = createSocket("udp4", (bytes) => heard.add(bytes.toString()));
      listener.bind(0, "0.0.0.0");
      await once(listener, "listening");
    });
    afterAll(async () => {
      listener.close();
      await scene.end();
    });

    test("loopback in every notation", async () => {
      const results = await Promise.all(
        (open ? PLAIN : NOTATIONS).map(async (host) => {
          const answers = await Promise.all(client.ports.map(async (port) => reaches(port, host, scene.target.port)));
          return [host, answers.filter(Boolean).length] as const;
        }),
      );
      const reached = Object.fromEntries(results.filter(([, count]) => count > 0));
      if (!open) expect(reached).toEqual({});
      else for (const host of PLAIN) expect(reached[host], host).toBe(lanes.length);
    });

    if (!open)
      test("the host's own private addresses, and the cloud's metadata", async () => {
        const targets = [
          ...own.filter((address) => /^(10|172\.(1[6-9]|2\d|3[01])|192\.168)\./.test(address)),
          "169.254.169.254",
        ];
        for (const host of targets)
          expect(await reaches(client.ports[0] ?? 0, host, scene.target.port), host).toBe(false);
      });

    test("a name inside the connection does not vouch for its address", async () => {
      let failures = 0;
      for (const port of client.ports) {
        const before = scene.target.open();
        try {
          const socket = await dial(port, "127.0.0.1", scene.target.port);
          socket.write("GET / HTTP/1.1\r\nHost: open.test\r\n\r\n");
          const arrived = until("somebody comes", () => scene.target.open() > before, 700).then(
            () => true,
            () => false,
          );
          if (await arrived) failures += 1;
          socket.destroy();
        } catch {
          // Refused at once.
        }
      }
      expect(failures).toBe(open ? lanes.length : 0);
    });

    test("datagrams: the first one, and one behind a harmless one", async () => {
      const to = listener.address().port;
      for (const index of UDP_LANES) {
        const first = await associate(client.ports[index] ?? 0);
        first.send("127.0.0.1", to, `first ${index}`);
        const second = await associate(client.ports[index] ?? 0);
        second.send(PUBLIC, 9, "harmless");
        await new Promise((resolve) => setTimeout(resolve, 100));
        second.send("127.0.0.1", to, `second ${index}`);
        const wanted = UDP_LANES.length > 0 ? [`first ${index}`, `second ${index}`] : [];
        const all = await until("both come", () => wanted.every((text) => heard.has(text)), 1000).then(
          () => true,
          () => false,
        );
        expect(all, lanes[index]?.name).toBe(open);
        first.close();
        second.close();
      }
      expect(heard.size).toBe(open ? UDP_LANES.length * 2 : 0);
    });
  });
