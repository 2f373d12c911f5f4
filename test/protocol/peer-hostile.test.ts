// The JSON-RPC peer against an other end that means harm: it answers, counts and closes; it never throws.
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { panelMethods, RpcErrorCode } from "../../src/protocol/messages.ts";
import { createPeer } from "../../src/protocol/peer.ts";
import type { Handlers } from "../../src/protocol/peer-contract.ts";
import { readFrame } from "../../src/protocol/rpc-frame.ts";
import { socketPair } from "./sockets.ts";
import type { SocketPair } from "./sockets.ts";

const buckets = Array.from({ length: 256 }, () => "0000000000000000");
const unused = () => {
  throw new Error("not called in this test");
};
const handlers: Handlers<typeof panelMethods> = {
  hello: unused,
  "state.digests": () => ({ objects: {}, buckets }),
  "state.report": unused,
  "state.apply": () => new Promise(() => {}),
  "sessions.list": unused,
  "sessions.close": unused,
  "addresses.list": unused,
  "rules.set": () => ({}),
  "engine.stop": () => ({ stopped: true }),
};

let pair: SocketPair;
beforeEach(async () => {
  pair = await socketPair();
});
afterEach(() => pair.close());

async function answerTo(client: WebSocket, message: string | Buffer): Promise<unknown> {
  const answer = once(client, "message");
  client.send(message);
  const [data] = (await answer) as [Buffer];
  return JSON.parse(data.toString());
}

test.each([
  ["text that is no JSON", "{", null, RpcErrorCode.parse],
  ["a batch", "[]", null, RpcErrorCode.invalidRequest],
  ["a binary message", Buffer.from("{}"), null, RpcErrorCode.invalidRequest],
  ["another version", '{"jsonrpc":"1.0","id":1,"method":"hello"}', null, RpcErrorCode.invalidRequest],
  ["a null id", '{"jsonrpc":"2.0","id":null,"method":"hello"}', null, RpcErrorCode.invalidRequest],
  ["an unknown method", '{"jsonrpc":"2.0","id":1,"method":"reboot"}', 1, RpcErrorCode.unknownMethod],
  ["a method of every object", '{"jsonrpc":"2.0","id":"a","method":"toString"}', "a", RpcErrorCode.unknownMethod],
  ["the prototype", '{"jsonrpc":"2.0","id":1,"method":"__proto__"}', 1, RpcErrorCode.unknownMethod],
  ["missing params", '{"jsonrpc":"2.0","id":1,"method":"state.apply"}', 1, RpcErrorCode.invalidParams],
])("%s is answered with an error", async (_name, message, id, code) => {
  createPeer({ socket: pair.server, handles: panelMethods, handlers, timeoutMs: 1000 });
  expect(await answerTo(pair.client, message)).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
});

// rule agents.message.1
test("enough malformed messages close the connection", async () => {
  const peer = createPeer({
    socket: pair.server,
    handles: panelMethods,
    handlers,
    timeoutMs: 1000,
    limits: { protocolErrors: 5 },
  });
  for (let n = 0; n < 20; n += 1) pair.client.send("{");
  expect(await peer.closed).toMatchObject({ code: 1008 });
});

test("an error about our own messages is counted but not answered, so two peers cannot quarrel for ever", async () => {
  const peer = createPeer({
    socket: pair.server,
    handles: panelMethods,
    handlers,
    timeoutMs: 1000,
    limits: { protocolErrors: 3 },
  });
  const heard: string[] = [];
  pair.client.on("message", (data: Buffer) => heard.push(data.toString()));
  for (let n = 0; n < 3; n += 1)
    pair.client.send('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}');
  await peer.closed;
  expect(heard).toEqual([]);
});

// rule agents.message.6
test("calls in work at a time are bounded", async () => {
  createPeer({ socket: pair.server, handles: panelMethods, handlers, timeoutMs: 1000, limits: { handling: 2 } });
  for (const id of [1, 2])
    pair.client.send(JSON.stringify({ jsonrpc: "2.0", id, method: "state.apply", params: { revision: 1 } }));
  expect(await answerTo(pair.client, '{"jsonrpc":"2.0","id":3,"method":"engine.stop","params":{}}')).toMatchObject({
    id: 3,
    error: { code: RpcErrorCode.internal },
  });
});

test("2,000 mangled messages leave the peer answering", async () => {
  const peer = createPeer({
    socket: pair.server,
    handles: panelMethods,
    handlers,
    timeoutMs: 1000,
    limits: { protocolErrors: 1_000_000 },
  });
  const seeds = [
    '{"jsonrpc":"2.0","id":1,"method":"state.apply","params":{"revision":1,"objects":{"put":{},"drop":[]}}}',
    '{"jsonrpc":"2.0","id":1,"result":{"a":[1,2]}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
  ];
  const random = generator(42);
  for (let n = 0; n < 2000; n += 1) pair.client.send(mangle(seeds[n % seeds.length] ?? "", random));
  pair.client.send("[".repeat(1_000_000));
  const done = new Promise<unknown>((resolve) => {
    pair.client.on("message", (data: Buffer) => {
      const frame = readFrame(data.toString());
      if (frame.kind === "success" && frame.id === "last") resolve(frame.result);
    });
  });
  pair.client.send('{"jsonrpc":"2.0","id":"last","method":"state.digests","params":{}}');
  expect(await done).toEqual({ objects: {}, buckets });
  expect(peer.open).toBe(true);
});

/** Mulberry32: the same numbers in every run, so that a failure can be repeated. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function mangle(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length);
  const parts = ['"', "{", "}", "null", "1e999", "-1", "\u0000", "[]", '"__proto__":{}', ","];
  return (
    text.slice(0, at) + (parts[Math.floor(random() * parts.length)] ?? "") + text.slice(at + Math.floor(random() * 6))
  );
}
