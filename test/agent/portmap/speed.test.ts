// Speed limits that the kernel keeps for an engine which has none: real downloads and uploads through a real engine.
import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { SpeedLimits, speedLimitObjection } from "../../../src/agent/engines/portmap/index.ts";
import { nft } from "../../../src/agent/net-admin/nft/nft.ts";
import { tableOf } from "../../../src/agent/net-admin/nft/table.ts";
import { listSockets } from "../../../src/agent/engines/process/view/sockets.ts";
import { v2rayFactory } from "../../../src/agent/engines/v2ray/index.ts";
import { dial, findV2ray, inbound, ports, startRig, structure, until, user, users } from "../engines/rig.ts";
import { hasTable, havePortMap, limitedConnections } from "./rig.ts";
import { during, keeps, type Running, settled, startDownload, startStream, unhindered } from "./stream.ts";

const able = (await havePortMap()) && (await speedLimitObjection()) === undefined;
const info = await findV2ray();
const MB = 1_000_000;
const RATE = 2 * MB;

describe.skipIf(!able || !info)("a speed limit", () => {
  test("is shared by a user's downloads and leaves others alone", async () => {
    const { limited, unlimited, limits } = await served("::1");
    await limits.set(new Map([[1, RATE]]));
    const flows = [await limited.download(), await limited.download()];
    await until("both are limited", async () => (await limitedConnections(limits)) === 2);
    await settled();
    const both = await during(3000, flows);
    expect(keeps(RATE, both), JSON.stringify(both)).toBe(true);
    expect(unhindered(both), JSON.stringify(both)).toBeGreaterThan(0.85 * RATE);
    // Briefly, since nothing holds it back.
    const free = await unlimited.download();
    expect(unhindered(await during(1000, [free]))).toBeGreaterThan(2 * RATE);
    for (const flow of [...flows, free]) flow.close();
  });

  test("holds for uploads as well", async () => {
    const { limited, limits } = await served("127.0.0.1");
    await limits.set(new Map([[1, RATE]]));
    const flow = await limited.upload();
    await until("it is limited", async () => (await limitedConnections(limits)) === 1);
    await settled();
    const sent = await during(3000, [flow]);
    expect(keeps(RATE, sent), JSON.stringify(sent)).toBe(true);
    expect(unhindered(sent), JSON.stringify(sent)).toBeGreaterThan(0.85 * RATE);
    flow.close();
  });

  test("changes and ends while a download runs, costs nothing when nobody has one, and is found again after a flush", async () => {
    const { limited, limits, asked } = await served("127.0.0.1");
    expect(hasTable(limits.directory, "_speed")).toBe(false);
    const flow = await limited.download();
    await limits.set(new Map([[1, 1 * MB]]));
    await settled();
    const slow = await during(1500, [flow]);
    expect(keeps(MB, slow, 0.3), JSON.stringify(slow)).toBe(true);
    await limits.set(new Map([[1, 4 * MB]]));
    await settled();
    expect(unhindered(await during(1500, [flow]))).toBeGreaterThan(2.5 * MB);
    await nft(`delete table ${tableOf(limits.directory, "_speed")}\n`);
    await until("the table is there again", () => hasTable(limits.directory, "_speed"));
    flow.close();
    await until("a connection that is gone is forgotten", async () => (await limitedConnections(limits)) === 0);
    await limits.set(new Map([[1, 0]]));
    expect(hasTable(limits.directory, "_speed")).toBe(false);
    const looks = asked();
    await settled();
    expect(asked()).toBe(looks);
    await limits.set(new Map([[2, MB]]));
    expect(hasTable(limits.directory, "_speed")).toBe(true);
    await limits.remove();
    expect(hasTable(limits.directory, "_speed")).toBe(false);
  });
});

interface Seat {
  download(): Promise<Running>;
  upload(): Promise<Running>;
}

/** Two users, each on an inbound of his own that listens on `host`. */
async function served(
  host: string,
): Promise<{ limited: Seat; unlimited: Seat; limits: SpeedLimits & { directory: string }; asked: () => number }> {
  if (!info) throw new Error("no engine");
  const rig = await startRig(v2rayFactory, info);
  onTestFinished(() => rig.end());
  const [a = 0, b = 0] = await ports(2);
  const [one, two] = [user(1), user(2)];
  const socks = [a, b].map((port, index) => inbound(index + 1, "socks", { listen: host, listen_port: port }));
  await rig.driver.apply({ structure: structure(...socks), users: users(one, two) });
  const owners = new Map([
    [a, 1],
    [b, 2],
  ]);
  let asked = 0;
  const sessions = async (): Promise<{ userId: number; localPort: number; address: string; port: number }[]> => {
    asked += 1;
    return (await listSockets([a, b])).map((socket) => ({ ...socket, userId: owners.get(socket.localPort) ?? 0 }));
  };
  const limits = new SpeedLimits({
    directory: rig.directory,
    sessions,
    log: (_, message, fields) => console.log(message, fields),
    everyMs: 200,
  });
  onTestFinished(() => limits.remove());
  const target = await startStream();
  const seat = (port: number, who: { uuid: string; password: string }): Seat => {
    const open = async (): Promise<Socket> =>
      dial(port, "127.0.0.1", target.port, { user: who.uuid, password: who.password }, host);
    return {
      download: async () => {
        return startDownload(await open());
      },
      upload: async () => {
        const socket = await open();
        socket.write("up");
        const chunk = Buffer.alloc(64 * 1024);
        const fill = (): void => void (socket.write(chunk) ? setImmediate(fill) : socket.once("drain", fill));
        fill();
        return { bytes: target.uploaded, close: () => socket.destroy() };
      },
    };
  };
  return {
    limited: seat(a, one),
    unlimited: seat(b, two),
    limits: Object.assign(limits, { directory: rig.directory }),
    asked: () => asked,
  };
}
