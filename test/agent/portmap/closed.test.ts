// Inner ports refuse connections that do not come through the map, from outside or from this machine.
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Endpoints } from "../../../src/agent/engines/process/ports/endpoints.ts";
import { quietPorts } from "../../quiet-ports.ts";
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

describe.skipIf(!able)("inner ports", () => {
  test("answer through the map alone", async () => {
    const map = await openMap();
    const [tcp, udp] = [await startNamed("engine"), await startNamedUdp("engine")];
    const port = await unusedPort();
    const hosts = ["127.0.0.1", "::1", ownAddress("IPv4"), ownAddress("IPv6")].filter((host) => host !== undefined);
    const askAll = async (inner: number): Promise<(string | undefined)[]> =>
      Promise.all(
        hosts.map(async (host) => (await startDatagramClient(host.includes(":") ? 6 : 4)).ask(inner, host, 200)),
      );
    expect(await askAll(udp), "before they are closed").toEqual(hosts.map(() => "engine"));
    await map.set([
      { listen: "", port, networks: ["tcp"], inner: tcp },
      { listen: "", port, networks: ["udp"], inner: udp },
    ]);
    for (const host of hosts) {
      await expect.soft(whoAnswers(tcp, host), host).rejects.toThrow("ECONNREFUSED");
      expect.soft(await whoAnswers(port, host), host).toBe("engine");
    }
    expect(await askAll(udp)).toEqual(hosts.map(() => undefined));
    expect(await askAll(port)).toEqual(hosts.map(() => "engine"));
  });

  test("are closed before they are mapped, and stay so when they are mapped no more, for as long as they are kept", async () => {
    const map = await openMap();
    const inner = await startNamed("engine");
    const port = await unusedPort();
    expect(await whoAnswers(inner)).toBe("engine");
    await map.keepClosed([inner]);
    await expect(whoAnswers(inner)).rejects.toThrow("ECONNREFUSED");
    await map.set([{ listen: "", port, networks: ["tcp"], inner }]);
    await map.keepClosed([]);
    await expect(whoAnswers(inner)).rejects.toThrow("ECONNREFUSED");
    await map.keepClosed([inner]);
    await map.set([]);
    await expect(whoAnswers(inner)).rejects.toThrow("ECONNREFUSED");
    await map.keepClosed([]);
    expect(await whoAnswers(inner)).toBe("engine");
  });

  test("of one agent, also of one that was killed, are no place for the engine interface of another", async () => {
    const map = await openMap();
    const pool = await quietPorts(4);
    await map.keepClosed(pool.slice(0, 2));
    const endpoints = new Endpoints("/nowhere", 2);
    endpoints.restore(pool, undefined);
    expect((await endpoints.allocate("one", []))?.ports).toEqual(pool.slice(2));
  });

  test("may be the source of the host's own connections", async () => {
    const map = await openMap();
    const source = await unusedPort();
    await map.keepClosed([source]);
    const server = await startNamed("answer");
    const socket = connect({ port: server, host: "127.0.0.1", localPort: source });
    expect(String((await once(socket, "data"))[0])).toBe("answer");
    socket.destroy();
  });

  test("that are mapped leave a listener on the public port behind the map", async () => {
    const map = await openMap();
    const server = createServer((socket) => socket.end("direct")).listen(0, "::");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const inner = await startNamed("engine");
    expect(await whoAnswers(port)).toBe("direct");
    await map.set([{ listen: "", port, networks: ["tcp"], inner }]);
    expect(await whoAnswers(port)).toBe("engine");
    await map.set([]);
    expect(await whoAnswers(port)).toBe("direct");
  });
});
