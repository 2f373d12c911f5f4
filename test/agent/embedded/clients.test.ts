// Every protocol over every transport, with v2ray as the client: a megabyte both ways, counted to the byte, and
// datagrams.
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeSocksDatagram, parseSocksDatagram } from "../../../src/agent/engines/embedded/protocols/socks.ts";
import {
  desired,
  echoTarget,
  inbound,
  planUser,
  readBytes,
  startEngine,
  startV2ray,
  tcpConnect,
  throughSocks,
  udpEcho,
  until,
  v2rayIsHere,
  v2rayOutbound,
} from "./harness.ts";
import { selfSigned } from "../../certificate.ts";
import { quietPorts } from "../../quiet-ports.ts";

const MEGABYTE = 1024 * 1024;
const CASES = ["vless", "trojan", "socks", "http"].flatMap((type) =>
  [false, true].flatMap((ws) =>
    [false, true].map((tls) => ({ type, ws, tls, name: `${type} over ${ws ? "ws" : "tcp"}${tls ? " + tls" : ""}` })),
  ),
);

describe.skipIf(!v2rayIsHere())("a real client", () => {
  const user = planUser(7);
  const other = planUser(8);
  let engine: Awaited<ReturnType<typeof startEngine>>;
  let echo: Awaited<ReturnType<typeof echoTarget>>;
  let echoUdp: Awaited<ReturnType<typeof udpEcho>>;
  let client: Awaited<ReturnType<typeof startV2ray>>;
  let socksPorts: number[];

  beforeAll(async () => {
    const ports = await quietPorts(CASES.length * 2);
    socksPorts = ports.slice(CASES.length);
    engine = await startEngine();
    echo = await echoTarget();
    echoUdp = await udpEcho();
    const pem = await selfSigned("node.test");
    const objects = CASES.map(({ type, ws, tls }, index) =>
      inbound(index + 1, type, ports[index] ?? 0, {
        ...(ws ? { transport: { type: "ws", path: "/tunnel", headers: { Host: "front.test" } } } : {}),
        ...(tls
          ? { tls: { enabled: true, server_name: "node.test", certificate: pem.certificate.split("\n"), key: pem.key } }
          : {}),
      }),
    );
    const result = await engine.driver.apply(desired(objects, [user, other]));
    expect(result).toEqual({ warnings: [], how: "hot" });
    client = await startV2ray(
      CASES.map(({ type, ws, tls }, index) => ({
        port: socksPorts[index] ?? 0,
        outbound: v2rayOutbound(type, ports[index] ?? 0, user, { ws, tls }),
      })),
    );
  });

  afterAll(async () => {
    client.kill();
    await engine.driver.close("stop");
    echo.close();
    echoUdp.close();
  });

  test.each(CASES.map((item, index) => ({ ...item, index })))(
    "$name: a megabyte each way, counted exactly",
    async ({ index }) => {
      const socket = await throughSocks(socksPorts[index] ?? 0, echo.port);
      const payload = randomBytes(MEGABYTE);
      socket.write(payload);
      const back = await readAll(socket, MEGABYTE);
      expect(back.equals(payload)).toBe(true);
      socket.destroy();
      const reading = await engine.driver.counters();
      expect(reading.users.get(`7.${index + 1}`)).toEqual({ up: MEGABYTE, down: MEGABYTE });
    },
  );

  // Datagrams of SOCKS go beside the stream, so a transport means nothing to them.
  const carriers = CASES.map((item, index) => ({ ...item, index })).filter(
    ({ type, ws, tls }) => type === "vless" || type === "trojan" || (type === "socks" && !ws && !tls),
  );
  // rule agents.engine.12
  test.each(carriers)("$name: datagrams", async ({ index }) => {
    const before = (await engine.driver.counters()).users.get(`7.${index + 1}`) ?? { up: 0, down: 0 };
    const control = await tcpConnect(socksPorts[index] ?? 0);
    control.write(Buffer.from([5, 1, 0]));
    await readBytes(control, 2);
    control.write(Buffer.from([5, 3, 0, 1, 0, 0, 0, 0, 0, 0]));
    const relayPort = (await readBytes(control, 10)).readUInt16BE(8);
    const socket = createSocket("udp4");
    for (const size of [1, 100, 1300]) {
      const payload = randomBytes(size);
      socket.send(encodeSocksDatagram({ host: "127.0.0.1", port: echoUdp.port }, payload), relayPort, "127.0.0.1");
      const [message] = await once(socket, "message");
      const answer = parseSocksDatagram(message);
      expect(answer.state === "done" && answer.value.payload.equals(payload)).toBe(true);
    }
    const after = (await engine.driver.counters()).users.get(`7.${index + 1}`);
    expect(after).toEqual({ up: before.up + 1401, down: before.down + 1401 });
    socket.close();
    control.destroy();
  });

  test("the user who stays silent has no counters, and the source is remembered", async () => {
    const reading = await engine.driver.counters();
    expect([...reading.users.keys()].every((name) => name.startsWith("7."))).toBe(true);
    const seen = await engine.driver.addresses(7);
    expect(seen.length).toBe(CASES.length);
    expect(new Set(seen.map(({ address }) => address))).toEqual(new Set(["127.0.0.1"]));
    expect(await engine.driver.addresses(8)).toEqual([]);
    // v2ray keeps an association that it opened for a while.
    await until(async () => (await engine.driver.sessions({}, 1000)).rows.every(({ network }) => network === "udp"));
  });
});

async function readAll(socket: Awaited<ReturnType<typeof tcpConnect>>, size: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let seen = 0;
  for await (const chunk of socket) {
    parts.push(chunk);
    seen += chunk.length;
    if (seen >= size) break;
  }
  return Buffer.concat(parts);
}
