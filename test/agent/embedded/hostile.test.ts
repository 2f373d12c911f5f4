// Hostile clients beside a running download: it never notices them.
import { createHash, randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EngineDriver } from "../../../src/agent/engines/contract/driver.ts";
import {
  closed,
  desired,
  echoTarget,
  endlessTarget,
  inbound,
  planUser,
  readBytes,
  startEngine,
  tcpConnect,
  until,
  vlessHead,
} from "./harness.ts";
import { selfSigned } from "../../certificate.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { startStopwatch } from "../../stopwatch.ts";

const user = planUser(1);
const KINDS = ["vless", "trojan", "socks", "http", "mixed"];
let driver: EngineDriver;
let ports: number[];
let wsPort: number;
let tlsPort: number;
let source: Awaited<ReturnType<typeof endlessTarget>>;
let bytes: number;
let victim: Socket;

beforeEach(async () => {
  ({ driver } = await startEngine({ headTimeoutMs: 300, refusalMs: 50, idleTimeoutMs: 400, maxConnections: 60 }));
  ports = await quietPorts(KINDS.length + 2);
  [wsPort = 0, tlsPort = 0] = ports.slice(KINDS.length);
  source = await endlessTarget();
  const objects = [
    ...KINDS.map((kind, index) => inbound(index + 1, kind, ports[index] ?? 0)),
    inbound(10, "vless", wsPort, { transport: { type: "ws", path: "/a" } }),
    inbound(11, "trojan", tlsPort, { tls: { enabled: true, ...(await selfSigned("node.test")) } }),
  ];
  expect((await driver.apply(desired(objects, [user]))).warnings).toEqual([]);
  bytes = 0;
  victim = await tcpConnect(ports[0] ?? 0);
  victim.on("data", (chunk: Buffer) => (bytes += chunk.length));
  victim.write(vlessHead(user, source.port));
  await until(() => bytes > 0);
});
afterEach(async () => {
  const before = bytes;
  await until(() => bytes > before + 1_000_000);
  expect(victim.destroyed).toBe(false);
  await driver.close("stop");
  source.close();
});

test("garbage of every size on every port closes, each by itself", async () => {
  const attacks = [...ports, ...ports, ...ports].map(async (port, index) => {
    const socket = await tcpConnect(port);
    socket.resume();
    socket.write(randomBytes([1, 60, 5000, 100_000][index % 4] ?? 1 + randomInt(1000)));
    await closed(socket);
  });
  await Promise.all(attacks);
});

test("who trickles a head is closed in time, TLS handshakes and WebSocket openings too", async () => {
  const elapsed = startStopwatch();
  const attacks = ports.map(async (port) => {
    const socket = await tcpConnect(port);
    socket.resume();
    const timer = setInterval(() => socket.write(port === tlsPort ? "\x16" : port === wsPort ? "G" : "\0"), 50);
    await closed(socket);
    clearInterval(timer);
  });
  await Promise.all(attacks);
  expect(elapsed()).toBeLessThan(1500);
});

test("a wrong secret is told nothing, in every protocol that says nothing", async () => {
  const wrong = planUser(9, { uuid: "99999999-9999-4999-8999-999999999999" });
  const trojanHead = Buffer.concat([
    Buffer.from(`${createHash("sha224").update("wrong").digest("hex")}\r\n`),
    Buffer.from([1, 1, 127, 0, 0, 1, 0, 80, 13, 10]),
  ]);
  for (const [port, head] of [
    [ports[0], vlessHead(wrong, source.port)],
    [ports[1], trojanHead],
  ] as const) {
    const socket = await tcpConnect(port ?? 0);
    let heard = 0;
    socket.on("data", (chunk: Buffer) => (heard += chunk.length));
    socket.write(head);
    await closed(socket);
    expect(heard).toBe(0);
  }
});

test("a wrong password is refused by SOCKS and HTTP in their own words", async () => {
  const socks = await tcpConnect(ports[2] ?? 0);
  socks.write(Buffer.from([5, 1, 2]));
  expect(await readBytes(socks, 2)).toEqual(Buffer.from([5, 2]));
  socks.write(Buffer.concat([Buffer.from([1, 36]), Buffer.from(user.uuid), Buffer.from([3]), Buffer.from("bad")]));
  expect(await readBytes(socks, 2)).toEqual(Buffer.from([1, 1]));
  const http = await tcpConnect(ports[3] ?? 0);
  http.write("CONNECT a.test:80 HTTP/1.1\r\n\r\n");
  expect((await readBytes(http, 12)).toString()).toBe("HTTP/1.1 407");
});

test("a full house throws out who has not proved itself, and no user", async () => {
  const idle = await Promise.all(Array.from({ length: 80 }, () => tcpConnect(ports[0] ?? 0)));
  await closed(idle[0] ?? victim);
  const late = await tcpConnect(ports[0] ?? 0);
  late.write(vlessHead(user, source.port));
  expect((await readBytes(late, 3)).length).toBe(3);
  for (const socket of idle) socket.destroy();
  late.destroy();
});

test("broken frames, a reset in the middle, and a half-open TLS client", async () => {
  const opening =
    "GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  const ws = await tcpConnect(wsPort);
  ws.write(opening);
  expect((await readBytes(ws, 12)).toString()).toBe("HTTP/1.1 101");
  ws.resume();
  ws.write(Buffer.from([0x82, 0x05, 1, 2, 3, 4, 5]));
  await closed(ws);
  const reset = await tcpConnect(ports[0] ?? 0);
  reset.write(vlessHead(user, source.port));
  await readBytes(reset, 100);
  reset.resetAndDestroy();
  const tls = tlsConnect({ host: "127.0.0.1", port: tlsPort, rejectUnauthorized: false });
  tls.on("error", () => {});
  await once(tls, "secureConnect");
  tls.write(randomBytes(3000));
  tls.resume();
  await closed(tls);
});

test("an idle session ends, a busy one does not", async () => {
  const echo = await echoTarget();
  const idle = await tcpConnect(ports[0] ?? 0);
  idle.write(vlessHead(user, echo.port));
  idle.resume();
  await closed(idle);
  echo.close();
});
