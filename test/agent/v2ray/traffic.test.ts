// Every served protocol carries traffic end to end, and what is counted is what was carried.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engineUserName } from "../../../src/protocol/plan.ts";
import { v2rayFactory } from "../../../src/agent/engines/v2ray/index.ts";
import {
  type Client,
  clientTls,
  dial,
  findV2ray,
  inbound,
  ports,
  type Rig,
  startClient,
  startRig,
  startTarget,
  structure,
  type Target,
  transfer,
  until,
  user,
  users,
  vlessOutbound,
} from "../engines/rig.ts";
import { selfSigned } from "../../certificate.ts";

const info = await findV2ray();
const DOWN = 2_000_000;
const UP = 1_000_000;

describe.skipIf(!info)("traffic through a real v2ray", () => {
  let rig: Rig;
  let target: Target;
  let client: Client;
  let listening: number[];
  const served = user(7);

  beforeAll(async () => {
    if (!info) return;
    rig = await startRig(v2rayFactory, info);
    target = await startTarget();
    listening = await ports(6);
    const [tcp = 0, ws = 0, trojan = 0, vmess = 0, socks = 0, shadow = 0] = listening;
    const tls = { enabled: true, server_name: "node.test", ...(await selfSigned("node.test")) };
    const result = await rig.driver.apply({
      structure: structure(
        inbound(1, "vless", { listen: "127.0.0.1", listen_port: tcp }),
        inbound(2, "vless", { listen: "127.0.0.1", listen_port: ws, tls, transport: { type: "ws", path: "/a" } }),
        inbound(3, "trojan", { listen: "127.0.0.1", listen_port: trojan, tls }),
        inbound(4, "vmess", { listen: "::", listen_port: vmess }),
        inbound(5, "socks", { listen: "127.0.0.1", listen_port: socks }),
        inbound(6, "shadowsocks", { listen: "127.0.0.1", listen_port: shadow, method: "aes-256-gcm" }),
      ),
      users: users(served, user(8)),
    });
    expect(result.how).toBe("restart");
    const shadowServer = { address: "127.0.0.1", port: shadow, method: "aes-256-gcm", password: served.password };
    client = await startClient([
      vlessOutbound(tcp, served.uuid),
      vlessOutbound(ws, served.uuid, { network: "ws", wsSettings: { path: "/a" }, ...clientTls }),
      {
        protocol: "trojan",
        settings: { servers: [{ address: "127.0.0.1", port: trojan, password: served.password }] },
        streamSettings: { network: "tcp", ...clientTls },
      },
      {
        protocol: "vmess",
        settings: {
          vnext: [
            { address: "127.0.0.1", port: vmess, users: [{ id: served.uuid, alterId: 0, security: "aes-128-gcm" }] },
          ],
        },
      },
      {
        protocol: "socks",
        settings: {
          servers: [{ address: "127.0.0.1", port: socks, users: [{ user: served.uuid, pass: served.password }] }],
        },
      },
      { protocol: "shadowsocks", settings: { servers: [shadowServer] } },
    ]);
  });

  afterAll(async () => {
    await client?.end();
    target?.close();
    await rig?.end();
  });

  test.for([
    [1, "vless over tcp"],
    [2, "vless over ws and TLS"],
    [3, "trojan over TLS"],
    [4, "vmess"],
    [5, "socks"],
    [6, "shadowsocks"],
  ] as const)("%i: %s", async ([id]) => {
    const socket = await dial(client.ports[id - 1] ?? 0, "127.0.0.1", target.port);
    expect(await transfer(socket, DOWN, UP)).toBe(DOWN);
    const name = engineUserName(served.id, id);
    // The upload's last bytes are still on their way when the download is complete.
    await until("the upload is counted", async () => ((await rig.driver.counters()).users.get(name)?.up ?? 0) >= UP);
    if (id !== 5) {
      const { rows, total } = await rig.driver.sessions({ userId: served.id, inbound: `in-${id}` }, 10);
      expect(total).toBe(1);
      expect(rows[0]).toMatchObject({
        userId: served.id,
        inboundId: id,
        inbound: `in-${id}`,
        outbound: "direct",
        destination: `127.0.0.1:${target.port}`,
      });
      expect(rows[0]?.down).toBeGreaterThanOrEqual(DOWN);
      expect(await rig.driver.addresses(served.id)).toContainEqual(
        expect.objectContaining({ inboundId: id, address: "127.0.0.1" }),
      );
    }
    socket.destroy();
    const { up, down } = (await rig.driver.counters()).users.get(name) ?? { up: 0, down: 0 };
    expect(up / UP).toBeCloseTo(1, 1.5);
    expect(Math.abs(up - UP) / UP).toBeLessThan(0.02);
    expect(Math.abs(down - DOWN) / DOWN).toBeLessThan(0.02);
  });

  test("a wrong secret is refused", async () => {
    const stranger = await startClient([vlessOutbound(listening[0] ?? 0, user(99).uuid)]);
    try {
      const socket = await dial(stranger.ports[0] ?? 0, "127.0.0.1", target.port);
      expect(await transfer(socket, 10, 0)).toBe(0);
    } finally {
      await stranger.end();
    }
  });
});
