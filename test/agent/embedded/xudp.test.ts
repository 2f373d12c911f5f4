// Datagrams of Xray and sing-box over VLESS: both carry them as XUDP, whose packets name their own targets.
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeSocksDatagram, parseSocksDatagram } from "../../../src/agent/engines/embedded/protocols/socks.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { installedEngines } from "../engines/installed.ts";
import { desired, inbound, planUser, readBytes, startEngine, tcpConnect, udpEcho, until } from "./harness.ts";

const user = planUser(7);
/** Xray drops datagrams of more than 8 KiB. */
const SIZES = [1, 100, 1300, 4000];

type Client = "xray" | "sing-box";

/** The client's own configuration with a SOCKS port on loopback that leads to the inbound. */
const CONFIGURATIONS: Readonly<Record<Client, (socks: number, port: number) => object>> = {
  xray: (socks, port) => ({
    log: { loglevel: "none" },
    inbounds: [{ listen: "127.0.0.1", port: socks, protocol: "socks", settings: { udp: true, ip: "127.0.0.1" } }],
    outbounds: [
      {
        protocol: "vless",
        settings: { vnext: [{ address: "127.0.0.1", port, users: [{ id: user.uuid, encryption: "none" }] }] },
      },
    ],
  }),
  "sing-box": (socks, port) => ({
    log: { disabled: true },
    inbounds: [{ type: "socks", listen: "127.0.0.1", listen_port: socks }],
    outbounds: [{ type: "vless", server: "127.0.0.1", server_port: port, uuid: user.uuid, packet_encoding: "xudp" }],
  }),
};

const here = new Set((await installedEngines()).map(({ kind }) => kind));
const clients = (["xray", "sing-box"] as const).filter((client) => here.has(client));

describe.each(clients)("datagrams of %s", (name) => {
  let engine: Awaited<ReturnType<typeof startEngine>>;
  let echoes: Awaited<ReturnType<typeof udpEcho>>[];
  let client: ChildProcess;
  let socks = 0;

  beforeAll(async () => {
    const [port = 0, socksPort = 0] = await quietPorts(2);
    socks = socksPort;
    engine = await startEngine();
    echoes = [await udpEcho(), await udpEcho()];
    await engine.driver.apply(desired([inbound(1, "vless", port)], [user]));
    client = spawn(name, name === "xray" ? ["run", "-c", "stdin:"] : ["run", "-c", "stdin"], {
      stdio: ["pipe", "ignore", "inherit"],
    });
    client.stdin?.end(JSON.stringify(CONFIGURATIONS[name](socks, port)));
    await until(async () => {
      const socket = await tcpConnect(socks).catch(() => undefined);
      socket?.destroy();
      return socket !== undefined;
    });
  });

  afterAll(async () => {
    client.kill("SIGKILL");
    await engine.driver.close("stop");
    for (const echo of echoes) echo.close();
  });

  // rule agents.engine.12
  test("go to several targets and back, and are counted exactly", async () => {
    const control = await tcpConnect(socks);
    control.write(Buffer.from([5, 1, 0]));
    await readBytes(control, 2);
    control.write(Buffer.from([5, 3, 0, 1, 0, 0, 0, 0, 0, 0]));
    const relayPort = (await readBytes(control, 10)).readUInt16BE(8);
    const socket = createSocket("udp4");
    let bytes = 0;
    for (const size of SIZES) {
      for (const { port } of echoes) {
        const payload = randomBytes(size);
        bytes += size;
        socket.send(encodeSocksDatagram({ host: "127.0.0.1", port }, payload), relayPort, "127.0.0.1");
        const [message] = await once(socket, "message");
        const answer = parseSocksDatagram(message);
        expect(answer).toMatchObject({ state: "done", value: { target: { host: "127.0.0.1", port } } });
        expect(answer.state === "done" && answer.value.payload.equals(payload)).toBe(true);
      }
    }
    expect((await engine.driver.counters()).users.get("7.1")).toEqual({ up: bytes, down: bytes });
    socket.close();
    control.destroy();
  });
});
