// Which packets the port map moves: by address, by family, by protocol, from this machine and with the address they
// were sent to.
import { describe, expect, test } from "vitest";
import { mappingChange } from "../../../src/agent/net-admin/nft/table.ts";
import {
  havePortMap,
  openMap,
  ownAddress,
  startDatagramClient,
  startNamed,
  startNamedUdp,
  unusedPort,
  whoAnswers,
} from "./rig.ts";

const able = await havePortMap();

describe.skipIf(!able)("mappings", () => {
  test("of all addresses take IPv4, IPv6, loopback and the host's own", async () => {
    const map = await openMap();
    const inner = await startNamed("engine");
    const port = await unusedPort();
    await map.set([{ listen: "::", port, networks: ["tcp"], inner }]);
    const hosts = ["127.0.0.1", "127.0.0.9", "::1", ownAddress("IPv4"), ownAddress("IPv6")].filter(
      (host) => host !== undefined,
    );
    for (const host of hosts) expect.soft(await whoAnswers(port, host), host).toBe("engine");
  });

  test("of one address leave the others alone, and go before those of all", async () => {
    const map = await openMap();
    const [one, all, six] = [
      await startNamed("one", "127.0.0.2"),
      await startNamed("all"),
      await startNamed("six", "::1"),
    ];
    const [port, other] = [await unusedPort(), await unusedPort()];
    await map.set([
      { listen: "127.0.0.2", port, networks: ["tcp"], inner: one },
      { listen: "", port, networks: ["tcp"], inner: all },
      { listen: "::1", port: other, networks: ["tcp"], inner: six },
    ]);
    expect(await whoAnswers(port, "127.0.0.2")).toBe("one");
    expect(await whoAnswers(port, "127.0.0.3")).toBe("all");
    expect(await whoAnswers(other, "::1")).toBe("six");
    await expect(whoAnswers(other, "127.0.0.1")).rejects.toThrow("ECONNREFUSED");
  });

  test("of TCP leave the UDP port of the same number to another, and the reverse", async () => {
    const map = await openMap();
    const [tcp, udp] = [await startNamed("tcp engine"), await startNamedUdp("udp engine")];
    const port = await unusedPort();
    const client = await startDatagramClient();
    await map.set([{ listen: "", port, networks: ["tcp"], inner: tcp }]);
    expect(await whoAnswers(port)).toBe("tcp engine");
    expect(await client.ask(port)).toBeUndefined();
    await map.set([
      { listen: "", port, networks: ["tcp"], inner: tcp },
      { listen: "0.0.0.0", port, networks: ["udp"], inner: udp },
    ]);
    expect(await whoAnswers(port)).toBe("tcp engine");
    expect(await (await startDatagramClient()).ask(port)).toBe("udp engine");
  });

  test("that are given twice or for no address are refused, and the map stays as it was", async () => {
    const map = await openMap();
    const inner = await startNamed("engine");
    const port = await unusedPort();
    const mapping = { listen: "", port, networks: ["tcp"] as const, inner };
    await map.set([mapping]);
    await expect(map.set([mapping, { ...mapping, listen: "::", inner: inner + 1 }])).rejects.toThrow(
      `tcp port ${port} on :: is mapped twice`,
    );
    await expect(map.set([{ ...mapping, listen: "node.test" }])).rejects.toThrow('"node.test" is no address');
    expect(await whoAnswers(port)).toBe("engine");
  });

  test("by hundreds change in a moment", async () => {
    const map = await openMap();
    const many = (inner: number): Parameters<typeof map.set>[0] =>
      Array.from({ length: 500 }, (_, index) => ({
        listen: index % 2 === 0 ? "" : "::1",
        port: 1025 + index,
        networks: ["tcp", "udp"],
        inner: inner + index,
      }));
    // Inner ports are closed to everybody else, so they lie above those that the system gives to other tests.
    // The fastest of a few, and patient: other tests take their share of the machine, on a quiet one it is 40 ms.
    const times: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const begin = performance.now();
      await map.set(many(61_000 + 600 * round));
      times.push(performance.now() - begin);
    }
    expect(Math.min(...times)).toBeLessThan(500);
  });
});

test("an address may be written with brackets, a zone or mapped into IPv6", () => {
  const at = (listen: string): string => mappingChange("inet t", [{ listen, port: 1, networks: ["udp"], inner: 2 }]);
  expect(at("[fe80::1%eth0]")).toContain("add element inet t exact6 { fe80::1 . udp . 1 : 2 }");
  expect(at("::ffff:192.0.2.1")).toContain("add element inet t exact4 { 192.0.2.1 . udp . 1 : 2 }");
});
