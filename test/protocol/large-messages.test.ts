// Large messages of agents are read on a thread of their own: in order on each connection, in fair turns among them,
// and none of them is more than its own connection's end.
import { EventEmitter, once } from "node:events";
import { afterAll, afterEach, expect, test } from "vitest";
import { FrameThread } from "../../src/protocol/frame-thread.ts";
import { Inlet } from "../../src/protocol/inlet.ts";
import { agentMethods, MAX_USAGE_ROWS, type ReadUsageBatch } from "../../src/protocol/messages.ts";
import { createPeer } from "../../src/protocol/peer.ts";
import type { LargeReader, PeerSocket } from "../../src/protocol/peer-contract.ts";
import { socketPair, type SocketPair } from "./sockets.ts";

const frames = new FrameThread();
afterAll(() => frames.stop());
const pairs: SocketPair[] = [];
afterEach(async () => {
  for (const pair of pairs.splice(0)) await pair.close();
});

const boot = "6f2b3f0e-3f1e-4c58-9d0c-0a7c3d3a3f11";
const rowsOf = (many: number, seq = 1) => Array.from({ length: many }, (_, row) => [row + 1, 7, row, 2 * row, seq]);
const usage = (seq: number, rows: unknown) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: seq,
    method: "usage",
    params: { bootId: boot, seq, from: 1, to: 2, rows, up: 0, down: 0 },
  });

/** A panel's end on a connection of its own, with what it hears. */
async function panelEnd(reader: LargeReader = frames.reader()) {
  const pair = await socketPair();
  pairs.push(pair);
  const heard: ReadUsageBatch[] = [];
  const peer = createPeer({
    socket: pair.server,
    handles: agentMethods,
    handlers: {
      heartbeat: () => null,
      usage: (batch) => (heard.push(batch), { acknowledged: batch.seq }),
    },
    timeoutMs: 60_000,
    limits: { protocolErrors: 3, handling: 8 },
    reader,
  });
  return { peer, heard, client: pair.client, peerSocket: pair.server };
}
/** Resolves once so many answers have come. */
function answers(client: SocketPair["client"], many: number): Promise<void> {
  return new Promise((resolve) => client.on("message", () => --many === 0 && resolve()));
}

test("messages of a connection keep their order, however large each is", async () => {
  const { client, heard } = await panelEnd();
  const sizes = [20_000, 0, 3, 30_000, 5, 5000, 1, 20_000];
  const answered = answers(client, sizes.length);
  sizes.forEach((size, index) => client.send(usage(index + 1, rowsOf(size, index + 1))));
  await answered;
  expect(heard.map(({ seq, rows }) => [seq, rows.length / 5])).toEqual(sizes.map((size, index) => [index + 1, size]));
});

test("as many rows as a batch may have arrive, each as it was sent", async () => {
  const { client, heard } = await panelEnd();
  client.send(usage(1, rowsOf(MAX_USAGE_ROWS)));
  await answers(client, 1);
  const rows = heard[0]?.rows ?? new Float64Array();
  expect(rows).toHaveLength(5 * MAX_USAGE_ROWS);
  for (let row = 0; row < MAX_USAGE_ROWS; row++)
    if (rows[5 * row] !== row + 1 || rows[5 * row + 2] !== row || rows[5 * row + 3] !== 2 * row)
      throw new Error(`row ${row}`);
});

// rule agents.message.5
test("what others say at length keeps nobody waiting who says little", async () => {
  const [short, ...long] = await Promise.all([panelEnd(), panelEnd(), panelEnd(), panelEnd()]);
  let read = 0;
  const all = Promise.all(long.map(({ client }) => answers(client, 1).then(() => read++)));
  for (const { client } of long) client.send(usage(1, rowsOf(MAX_USAGE_ROWS)));
  // The first is being read by now.
  await once(long[0]?.peerSocket ?? short.peerSocket, "message");
  const answered = answers(short.client, 1);
  short.client.send(usage(1, rowsOf(100)));
  await answered;
  expect(read).toBeLessThan(long.length);
  await all;
});

test("who says less goes before those who say more, and whoever waits has a turn", async () => {
  const order: string[] = [];
  const read = (reader: LargeReader, name: string, rows: number) =>
    reader.read(Buffer.from(usage(1, rowsOf(rows))), new Map()).then((reading) => {
      expect(reading).toMatchObject({ kind: "call", method: "usage" });
      order.push(name);
    });
  const giants = ["first", "second", "third"].map((name) => read(frames.reader(), name, 150_000));
  const honest = frames.reader();
  await read(honest, "honest", 20_000);
  // By now the second is being read.
  await read(honest, "honest again", 20_000);
  await Promise.all(giants);
  expect(order).toEqual(["first", "honest", "second", "honest again", "third"]);
});

test("a message of a connection that is gone is not read", async () => {
  const [busy, gone] = [frames.reader(), frames.reader()];
  const before = busy.read(Buffer.from(usage(1, rowsOf(1000))), new Map());
  const dropped = gone.read(Buffer.from(usage(1, rowsOf(1000))), new Map());
  gone.drop();
  expect(await dropped).toBeUndefined();
  expect(await before).toMatchObject({ kind: "call" });
});

test("a message that is too much for the thread ends its own connection, and the next one is read by a new thread", async () => {
  const small = new FrameThread(32);
  const [hostile, honest] = await Promise.all([panelEnd(small.reader()), panelEnd(small.reader())]);
  honest.client.send(usage(1, rowsOf(2000)));
  await answers(honest.client, 1);
  hostile.client.send(`[${'{"a":{}},'.repeat(450_000)}0]`);
  expect(await hostile.peer.closed).toMatchObject({ code: 1008, wrong: true, wrongMessages: 1 });
  expect((await hostile.peer.closed).reason).toMatch(/^a message could not be read: .{1,200}$/);
  honest.client.send(usage(2, rowsOf(2000)));
  await answers(honest.client, 1);
  expect(honest.heard.map(({ seq }) => seq)).toEqual([1, 2]);
  await small.stop();
});

test("what comes while a message is being read waits in order, no more of it than has room, and the socket rests", async () => {
  const taken: string[] = [];
  const calls: string[] = [];
  let tooMany = 0;
  const read = Promise.withResolvers<void>();
  const socket = Object.assign(new EventEmitter(), {
    pause: () => calls.push("pause"),
    resume: () => calls.push("resume"),
  });
  const inlet = new Inlet({
    // An inlet needs no more of a socket.
    socket: socket as unknown as PeerSocket,
    rate: { bytesPerSecond: 1e12, burstBytes: 1e12 },
    take: (bytes) => {
      taken.push(bytes.toString());
      return taken.length === 1 ? read.promise : undefined;
    },
    onTooMany: () => tooMany++,
  });
  for (let n = 0; n < 2000; n++) socket.emit("message", Buffer.from(`${n}`), false);
  expect([taken.length, calls, tooMany]).toEqual([1, ["pause"], 2000 - 1 - 1024]);
  read.resolve();
  await read.promise;
  await Promise.resolve();
  expect(taken).toEqual(Array.from({ length: 1025 }, (_, n) => `${n}`));
  expect(calls).toEqual(["pause", "resume"]);
  inlet.end();
  socket.emit("message", Buffer.from("late"), false);
  expect(taken).toHaveLength(1025);
});
