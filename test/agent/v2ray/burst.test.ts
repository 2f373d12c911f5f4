// When many connections come at once v2ray's log does not name them all. A removed user is out all the same, and whoever comes from elsewhere stays.
import { describe, expect, test } from "vitest";
import {
  dial,
  findV2ray,
  inbound,
  ports,
  startClient,
  startRig,
  startTarget,
  structure,
  until,
  user,
  users,
  vlessOutbound,
} from "./rig.ts";

const info = await findV2ray();
const EACH = 150;

describe.skipIf(!info?.can.closeSessions)("a burst of connections", () => {
  test("leaves a removed user none", async () => {
    if (!info) return;
    const rig = await startRig(info);
    const target = await startTarget();
    const [port = 0] = await ports(1);
    const [one, two] = [user(1), user(2)];
    const plan = structure(inbound(1, "vless", { listen: "::", listen_port: port }));
    await rig.driver.apply({ structure: plan, users: users(one, two) });
    const client = await startClient([
      { ...vlessOutbound(port, one.uuid), sendThrough: "127.0.0.2" },
      { ...vlessOutbound(port, two.uuid), sendThrough: "127.0.0.3" },
    ]);
    const burst = async (index: number) => {
      let closed = 0;
      const sockets = await Promise.all(Array.from({ length: EACH }, async () => dial(client.ports[index] ?? 0, "127.0.0.1", target.port)));
      for (const socket of sockets) {
        socket.on("close", () => (closed += 1));
        socket.resume();
        socket.write("drip\n");
      }
      return { closed: () => closed, end: () => sockets.forEach((socket) => socket.destroy()) };
    };
    try {
      const [mine, others] = await Promise.all([burst(0), burst(1)]);
      await until("all connections are open", () => target.open() === 2 * EACH);
      const began = Date.now();
      await rig.driver.changeUsers({ put: [], drop: [one.id] }, { structure: plan, users: users(two) });
      // Counted at the target: the client program holds some of its own ends open for longer.
      await until("every connection of the removed user is cut", () => target.open() === EACH, 5000);
      expect(Date.now() - began).toBeLessThan(5000);
      expect(others.closed()).toBe(0);
      mine.end();
      others.end();
    } finally {
      await client.end();
      target.close();
      await rig.end();
    }
  });
});
