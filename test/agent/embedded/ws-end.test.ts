// How a tunnel through WebSocket frames ends: the client has time to hand on what it was sent, and is answered at once
// when it ends the tunnel itself.
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { startStopwatch } from "../../stopwatch.ts";
import { desired, inbound, planUser, startEngine, tcpTarget, type Running } from "./harness.ts";
import { quietPorts } from "../../quiet-ports.ts";

const user = planUser(1);
let engine: Running;
let port = 0;
let target: Awaited<ReturnType<typeof tcpTarget>>;

beforeAll(async () => {
  [port = 0] = await quietPorts(1);
  engine = await startEngine();
  await engine.driver.apply(desired([inbound(1, "vless", port, { transport: { type: "ws", path: "/w" } })], [user]));
  target = await tcpTarget((socket) =>
    socket.once("data", (asked) => (asked[0] === 0x65 ? socket.end("all of it") : socket.write("and more"))),
  );
});
afterAll(async () => {
  target.close();
  await engine.driver.close("stop");
});

/** A tunnel to the target that has asked; `e` asks for an answer and the end, anything else for an answer. */
async function tunnel(asked: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/w`);
  await once(socket, "open");
  const id = Buffer.from(user.uuid.replaceAll("-", ""), "hex");
  socket.send(
    Buffer.concat([
      Buffer.from([0]),
      id,
      Buffer.from([0, 1, target.port >> 8, target.port & 255, 1, 127, 0, 0, 1]),
      Buffer.from(asked),
    ]),
  );
  const wanted = asked === "e" ? "all of it" : "and more";
  await new Promise<void>((resolve, reject) => {
    let heard = "";
    socket.on("message", (message: Buffer) => {
      heard += message.toString("latin1");
      if (heard.endsWith(wanted)) resolve();
    });
    socket.once("close", () => reject(new Error(`closed after ${heard}`)));
  });
  return socket;
}

test("the target's end reaches the client a second after the last byte, with the code of a normal closure", async () => {
  const socket = await tunnel("e");
  const begun = performance.now();
  const [code] = (await once(socket, "close")) as [number];
  expect(code).toBe(1000);
  expect(performance.now() - begun).toBeGreaterThan(800);
});

test("a client that ends the tunnel is answered at once, also while its target's end waits to be told", async () => {
  for (const asked of ["e", "m"]) {
    const socket = await tunnel(asked);
    const elapsed = startStopwatch();
    socket.close(1000);
    await once(socket, "close");
    expect(elapsed()).toBeLessThan(700);
  }
});
