// Flows of datagrams: the map knows who is there, and cuts one flow without touching another.
import { describe, expect, test } from "vitest";
import { havePortMap, openMap, startDatagramClient, startNamedUdp, unusedPort } from "./rig.ts";

const able = await havePortMap();

describe.skipIf(!able).each([
  [4, "127.0.0.1"],
  [6, "::1"],
] as const)("flows over IPv%d", (family, address) => {
  async function served(): Promise<{ map: Awaited<ReturnType<typeof openMap>>; inner: number; port: number }> {
    const map = await openMap();
    const inner = await startNamedUdp("engine");
    const port = await unusedPort();
    await map.set([{ listen: "", port, networks: ["udp"], inner }]);
    return { map, inner, port };
  }

  test("are listed with their clients, once they were answered", async () => {
    const { map, inner, port } = await served();
    const clients = [await startDatagramClient(family), await startDatagramClient(family)];
    expect(await map.flows(new Set([inner]))).toEqual([]);
    for (const client of clients) for (const _ of [1, 2]) expect(await client.ask(port)).toBe("engine");
    await expect.poll(() => map.flows(new Set([inner]))).toHaveLength(2);
    expect(await map.flows(new Set([inner]))).toEqual(
      expect.arrayContaining(clients.map((client) => ({ address, port: client.port, localPort: inner }))),
    );
    expect(await map.flows(new Set([inner + 1]))).toEqual([]);
  });

  test("end at once when dropped, for so long and no longer, and others go on", async () => {
    const { map, inner, port } = await served();
    const [out, stays] = [await startDatagramClient(family), await startDatagramClient(family)];
    for (const client of [out, stays]) for (const _ of [1, 2]) expect(await client.ask(port)).toBe("engine");
    const flow = { address, port: out.port, localPort: inner };
    await map.dropFlows([flow], 600);
    expect(await out.ask(port)).toBeUndefined();
    expect(await stays.ask(port)).toBe("engine");
    expect(await map.flows(new Set([inner]))).toEqual([{ address, port: stays.port, localPort: inner }]);
    // A later word counts, also when it says less.
    await map.dropFlows([flow], 1);
    expect(await out.ask(port)).toBeUndefined();
    await expect.poll(() => out.ask(port)).toBe("engine");
  });

  test("are dropped also where their port is mapped to another engine by now", async () => {
    const { map, inner, port } = await served();
    const client = await startDatagramClient(family);
    expect(await client.ask(port)).toBe("engine");
    const after = await startNamedUdp("after");
    await map.keepClosed([inner]);
    await map.set([{ listen: "", port, networks: ["udp"], inner: after }]);
    expect(await client.ask(port)).toBe("engine");
    await map.dropFlows([{ address, port: client.port, localPort: inner }], 30);
    expect(await client.ask(port)).toBeUndefined();
    expect(await (await startDatagramClient(family)).ask(port)).toBe("after");
  });
});
