// What wrong messages cost, and what they come to: one short answer and one short line each, and after three the link
// is over.
import { once } from "node:events";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { agentMethods, HELLO_BYTES, MAX_MESSAGE_BYTES } from "../../src/protocol/messages.ts";
import { FrameThread } from "../../src/protocol/frame-thread.ts";
import type { LargeReader, PeerLimits } from "../../src/protocol/peer-contract.ts";
import { createPeer } from "../../src/protocol/peer.ts";
import { Intake } from "../../src/protocol/intake.ts";
import { socketPair, type SocketPair } from "./sockets.ts";

let pair: SocketPair;
beforeEach(async () => {
  pair = await socketPair();
});
afterEach(() => pair.close());

const LIMITS: Partial<PeerLimits> = { protocolErrors: 3, firstBytes: HELLO_BYTES, handling: 2 };

const frames = new FrameThread();
afterAll(() => frames.stop());

/** A panel's end, with what it would log. `reader`: what is large is read on another thread. */
function panelEnd(limits: Partial<PeerLimits> = {}, reader?: LargeReader) {
  const lines: string[] = [];
  const peer = createPeer({
    socket: pair.server,
    handles: agentMethods,
    handlers: { heartbeat: () => null, usage: () => new Promise(() => {}) },
    timeoutMs: 5000,
    limits: { ...LIMITS, ...limits },
    ...(reader ? { reader } : {}),
    onProblem: (problem, error) => lines.push(`${problem} ${error instanceof Error ? error.message : ""}`),
  });
  return { peer, lines };
}
/** Lets our side of the greeting be answered, so that larger messages may come. */
async function greeted(peer: ReturnType<typeof panelEnd>["peer"]) {
  const asked = once(pair.client, "message");
  const call = peer.call("engine.stop", {});
  await asked;
  pair.client.send('{"jsonrpc":"2.0","id":1,"result":{"stopped":true}}');
  await call;
}
const usage = (rows: unknown, id: unknown = "u") =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "usage", params: { ...batch, rows } });
const batch = { bootId: "6f2b3f0e-3f1e-4c58-9d0c-0a7c3d3a3f11", seq: 7, from: 1, to: 2, up: 0, down: 0 };

const threads: [string, () => LargeReader | undefined][] = [
  ["where everybody is answered", () => undefined],
  ["on a thread of their own", () => frames.reader()],
];
describe.each(threads)("large messages are read %s", (_where, reader) => {
  test("100,000 wrong rows are answered and said in a few hundred bytes", async () => {
    const { peer, lines } = panelEnd({}, reader());
    await greeted(peer);
    const answer = once(pair.client, "message");
    pair.client.send(usage(Array.from({ length: 100_000 }, () => [-1, -1, -1, -1, -1])));
    const [data] = (await answer) as [Buffer];
    expect(data.length).toBeLessThan(400);
    expect(data.toString()).toContain("rows.0.0");
    expect(lines.join("").length).toBeLessThan(400);
    expect(peer.open).toBe(true);
  });

  test.each<[string, string | Buffer]>([
    ["no JSON", "{"],
    ["no frame", "[]"],
    ["binary", Buffer.from("{}")],
    ["an unknown method", '{"jsonrpc":"2.0","id":1,"method":"reboot"}'],
    ["an unknown notification", '{"jsonrpc":"2.0","method":"reboot"}'],
    ["wrong params", usage([[0, 0, 0, 0, 0]])],
    ["a wrong notification", '{"jsonrpc":"2.0","method":"heartbeat","params":{}}'],
    ["an answer to nothing", '{"jsonrpc":"2.0","id":99,"result":1}'],
    ["a second answer", '{"jsonrpc":"2.0","id":1,"result":1}'],
    ["an error about nothing", '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}'],
    ["a large notification", `{"jsonrpc":"2.0","method":"heartbeat","params":{},"pad":"${"x".repeat(300_000)}"}`],
    ["too many parts", `[${"0,".repeat(1_500_000)}0]`],
  ])("three times %s ends the link at once, with the last reason", async (_what, message) => {
    const { peer, lines } = panelEnd({}, reader());
    await greeted(peer);
    for (let n = 0; n < 20; n++) pair.client.send(message);
    const closed = await peer.closed;
    expect(closed).toMatchObject({ code: 1008, wrong: true });
    expect(Buffer.byteLength(closed.reason)).toBeLessThanOrEqual(300);
    expect(peer.open).toBe(false);
    expect(lines).toHaveLength(3);
    await once(pair.client, "close");
  });

  test("wrong answers to calls count as well", async () => {
    const { peer } = panelEnd({}, reader());
    pair.client.on("message", (data: Buffer) => {
      const { id } = JSON.parse(data.toString()) as { id?: number };
      if (id !== undefined)
        pair.client.send(JSON.stringify({ jsonrpc: "2.0", id, result: { rows: [{ userId: "x".repeat(1000) }] } }));
    });
    for (let n = 0; n < 3; n++)
      await expect(peer.call("addresses.list", { userId: 1 })).rejects.toThrow(
        /^addresses.list: the answer is malformed: .{1,200}$/,
      );
    expect(await peer.closed).toMatchObject({ wrong: true });
  });
});

test("too many calls at a time count as well, and a side that never answers the leave is cut", async () => {
  const { peer } = panelEnd();
  await greeted(peer);
  // As a WebSocket, the other end hears the close frame and answers it; a socket that is not read does not.
  pair.client.pause();
  for (let n = 0; n < 5; n++) pair.client.send(usage([], n));
  expect(await peer.closed).toMatchObject({ wrong: true, reason: "too many calls at a time" });
  pair.client.resume();
  await once(pair.client, "close");
});

// rule agents.message.2
test("before the first answer only a greeting fits, afterwards answers have the size of their method", async () => {
  const { peer } = panelEnd();
  pair.client.once("message", () =>
    pair.client.send(`{"jsonrpc":"2.0","id":1,"result":{"pad":"${"x".repeat(HELLO_BYTES)}"}}`),
  );
  const hello = peer.call("hello", { protocol: 1, panelVersion: "1", nodeId: 1, fence: 1, readOnly: false });
  const failed = expect(hello).rejects.toThrow();
  for (let n = 0; n < 2; n++) pair.client.send(`"${"x".repeat(HELLO_BYTES)}"`);
  expect(await peer.closed).toMatchObject({
    wrong: true,
    reason: `the first message is larger than ${HELLO_BYTES} bytes`,
  });
  await failed;
});

test("what the other side says of a failure is cut", async () => {
  const { peer } = panelEnd();
  pair.client.once("message", () =>
    pair.client.send(`{"jsonrpc":"2.0","id":1,"error":{"code":-32003,"message":"${"x".repeat(9000)}"}}`),
  );
  const failure: unknown = await peer.call("engine.stop", {}).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: -32003 });
  expect(String(failure).length).toBeLessThan(1100);
});

// rule agents.message.6
test("who sends faster than is read is held back, not refused", async () => {
  const heard: number[] = [];
  const paused = { times: 0 };
  const socket = Object.assign(Object.create(pair.server), {
    pause: () => {
      paused.times++;
      pair.server.pause();
    },
  });
  createPeer({
    socket,
    handles: agentMethods,
    handlers: { heartbeat: () => null, usage: ({ seq }) => (heard.push(seq), { acknowledged: seq }) },
    timeoutMs: 5000,
    limits: { bytesPerSecond: 40 * 2048, burstBytes: 4 * 2048 },
  });
  for (let seq = 1; seq <= 12; seq++) {
    const answer = once(pair.client, "message");
    pair.client.send(JSON.stringify({ jsonrpc: "2.0", id: seq, method: "usage", params: { ...batch, seq, rows: [] } }));
    pair.client.ping();
    await answer;
  }
  expect(heard).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
  expect(paused.times).toBeGreaterThan(5);
});

test("the bucket lets a burst through and then its rate", () => {
  let now = 0;
  const intake = new Intake({ bytesPerSecond: 1_000_000, burstBytes: MAX_MESSAGE_BYTES }, () => now);
  expect(intake.charge(MAX_MESSAGE_BYTES)).toBe(0);
  expect(intake.charge(1_000_000)).toBe(1000);
  now += 1000;
  expect(intake.charge(0)).toBe(3);
  now += 3_600_000;
  expect(intake.charge(MAX_MESSAGE_BYTES)).toBe(0);
});
