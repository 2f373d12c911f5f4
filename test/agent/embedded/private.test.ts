// Loopback and private targets are closed by default: by address, by name, by disguise, for TCP and for datagrams.
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EngineDriver } from "../../../src/agent/engines/contract/driver.ts";
import { encodeVlessPacket } from "../../../src/agent/engines/embedded/protocols/vless.ts";
import {
  closed,
  desired,
  inbound,
  planUser,
  readBytes,
  startEngine,
  tcpConnect,
  tcpTarget,
  udpEcho,
  until,
  vlessHead,
} from "./harness.ts";
import { quietPorts } from "../../quiet-ports.ts";

const user = planUser(1);
let driver: EngineDriver;
let vless: number;
let http: number;
let reached: number;
let asked: string[];
let target: Awaited<ReturnType<typeof tcpTarget>>;

/** Every name leads to loopback, but "void.test" nowhere. */
async function resolve(name: string): Promise<readonly string[]> {
  asked.push(name);
  if (name === "mapped.test") return ["::ffff:127.0.0.1"];
  if (name === "void.test") throw new Error("no such name");
  return ["127.0.0.1", "::1"];
}

async function start(privateTargets: "block" | "allow"): Promise<void> {
  ({ driver } = await startEngine({ privateTargets, resolve, refusalMs: 10 }));
  await driver.apply(desired([inbound(1, "vless", vless), inbound(2, "http", http)], [user]));
}

beforeEach(async () => {
  [vless = 0, http = 0] = await quietPorts(2);
  reached = 0;
  asked = [];
  target = await tcpTarget((socket) => {
    reached += 1;
    socket.end("secret");
  });
});
afterEach(async () => {
  await driver.close("stop");
  target.close();
});

const NAMES = ["local.test", "mapped.test", "localhost", "2130706433", "127.1", "0x7f.0.0.1"];
const LITERALS = [
  "127.0.0.1",
  "0.0.0.0",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::]",
  "[64:ff9b::7f00:1]",
  "10.0.0.1",
  "169.254.169.254",
  "100.64.0.1",
  "[fd00::1]",
  "[fe80::1]",
];

// rule agents.engine.4
test.each([...NAMES, ...LITERALS])("%s is refused, and counted", async (host) => {
  await start("block");
  const socket = await tcpConnect(http);
  const basic = Buffer.from(`${user.uuid}:${user.password}`).toString("base64");
  socket.write(`CONNECT ${host}:${target.port} HTTP/1.1\r\nProxy-Authorization: Basic ${basic}\r\n\r\n`);
  expect((await readBytes(socket, 12)).toString()).toBe("HTTP/1.1 403");
  socket.resume();
  await closed(socket);
  expect(reached).toBe(0);
  expect((await driver.counters()).rejected).toEqual(new Map([["block", 1]]));
});

test("by VLESS too, where the connection just closes", async () => {
  await start("block");
  for (const host of ["127.0.0.1", "local.test"]) {
    const socket = await tcpConnect(vless);
    socket.write(vlessHead(user, target.port, host));
    await expect(readBytes(socket, 1)).rejects.toThrow();
  }
  expect(reached).toBe(0);
});

test("datagrams to private targets go nowhere", async () => {
  await start("block");
  const echo = await udpEcho();
  const socket = await tcpConnect(vless);
  socket.write(
    Buffer.concat([
      vlessHead(user, echo.port, "local.test", 2),
      encodeVlessPacket(Buffer.from("x")),
      encodeVlessPacket(Buffer.from("y")),
    ]),
  );
  await until(async () => (await driver.counters()).rejected.get("block") === 1);
  expect((await driver.counters()).users.get("1.1")).toEqual({ up: 0, down: 0 });
  echo.close();
});

test("allowed, the name is resolved once and reached", async () => {
  await start("allow");
  const socket = await tcpConnect(vless);
  socket.write(vlessHead(user, target.port, "local.test"));
  expect((await readBytes(socket, 8)).toString("latin1", 2)).toBe("secret");
  expect(asked).toEqual(["local.test"]);
});

test("a name without an address is a failed connection, not a refused one", async () => {
  await start("block");
  const socket = await tcpConnect(http);
  const basic = Buffer.from(`${user.uuid}:${user.password}`).toString("base64");
  socket.write(`CONNECT void.test:80 HTTP/1.1\r\nProxy-Authorization: Basic ${basic}\r\n\r\n`);
  expect((await readBytes(socket, 12)).toString()).toBe("HTTP/1.1 502");
  expect((await driver.counters()).rejected).toEqual(new Map());
});
