// The JSON-RPC peer: typed calls, validation on both ends, errors that say what happened.
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentMethods, MAX_MESSAGE_BYTES, panelMethods, RpcErrorCode } from "../../src/protocol/messages.ts";
import { createPeer } from "../../src/protocol/peer.ts";
import type { Handlers } from "../../src/protocol/peer-contract.ts";
import { PeerBusyError, PeerClosedError, PeerTimeoutError, RpcError } from "../../src/protocol/rpc-error.ts";
import { socketPair } from "./sockets.ts";
import type { SocketPair } from "./sockets.ts";

const agentSide: Handlers<typeof panelMethods> = {
  hello: () => {
    throw new RpcError(RpcErrorCode.fenced, "a newer panel holds this node");
  },
  "state.digests": () => ({ objects: {}, buckets: Array.from({ length: 256 }, () => "0000000000000000") }),
  "state.report": () => new Promise(() => {}),
  "state.apply": () => new Promise(() => {}),
  "sessions.list": () => ({ supported: false, total: 0, truncated: false, rows: [] }),
  "sessions.close": (selection) => ({ supported: true, closed: selection.userId ?? 0 }),
  "addresses.list": () => {
    throw new Error("the engine is gone");
  },
  "rules.set": () => ({}),
  "engine.stop": () => ({ stopped: true }),
};
const panelSide: Handlers<typeof agentMethods> = {
  heartbeat: () => null,
  usage: (batch) => ({ acknowledged: batch.seq }),
};
const helloParams = { protocol: 1, panelVersion: "1", nodeId: 1, fence: 1, readOnly: false };
const batch = { bootId: "6f2b3f0e-3f1e-4c58-9d0c-0a7c3d3a3f11", seq: 7, from: 1, to: 2, rows: [], up: 0, down: 0 };

let pair: SocketPair;
beforeEach(async () => {
  pair = await socketPair();
});
afterEach(() => pair.close());

function peers(timeoutMs = 2000) {
  const agent = createPeer({ socket: pair.server, handles: panelMethods, handlers: agentSide, timeoutMs });
  const panel = createPeer({ socket: pair.client, handles: agentMethods, handlers: panelSide, timeoutMs });
  return { agent, panel };
}

test("both sides call each other over one connection", async () => {
  const { agent, panel } = peers();
  const [closed, acknowledged] = await Promise.all([
    panel.call("sessions.close", { userId: 5 }),
    agent.call("usage", batch),
  ]);
  expect(closed).toEqual({ supported: true, closed: 5 });
  expect(acknowledged).toEqual({ acknowledged: 7 });
});

test("a handler's RpcError keeps its code, any other error is internal with its text", async () => {
  const { panel } = peers();
  await expect(panel.call("hello", helloParams)).rejects.toMatchObject({
    name: "RpcError",
    code: RpcErrorCode.fenced,
    fenced: true,
  });
  await expect(panel.call("addresses.list", {})).rejects.toMatchObject({
    code: RpcErrorCode.internal,
    message: "the engine is gone",
  });
});

// rule agents.message.1
test("invalid params are refused naming the field", async () => {
  const { panel } = peers();
  const refused = panel.call("sessions.list", { limit: 0 });
  await expect(refused).rejects.toMatchObject({ code: RpcErrorCode.invalidParams });
  await expect(refused).rejects.toThrow(/limit/);
});

test("a malformed answer is an error of the call, not of the process", async () => {
  const panel = createPeer({ socket: pair.client, handles: agentMethods, handlers: panelSide, timeoutMs: 2000 });
  pair.server.on("message", (data: Buffer) => {
    const { id } = JSON.parse(data.toString()) as { id: number };
    pair.server.send(JSON.stringify({ jsonrpc: "2.0", id, result: { stopped: "perhaps" } }));
  });
  await expect(panel.call("engine.stop", {})).rejects.toThrow(/engine.stop: the answer is malformed: [^]*stopped/);
});

test("a call without an answer times out, and its late answer is ignored", async () => {
  const { panel } = peers();
  await expect(panel.call("state.apply", { revision: 1 }, { timeoutMs: 20 })).rejects.toBeInstanceOf(PeerTimeoutError);
  pair.server.send(JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} }));
  expect(await panel.call("engine.stop", {})).toEqual({ stopped: true });
  expect(panel.open).toBe(true);
});

test("open calls end with the connection", async () => {
  const { panel, agent } = peers();
  const waiting = panel.call("state.apply", { revision: 1 });
  agent.close(4000, "replaced");
  await expect(waiting).rejects.toBeInstanceOf(PeerClosedError);
  expect(await panel.closed).toMatchObject({ code: 4000, reason: "replaced" });
  await expect(panel.call("engine.stop", {})).rejects.toBeInstanceOf(PeerClosedError);
  expect(panel.notify("engine.stop", {})).toBe(false);
});

test("unanswered calls are bounded", async () => {
  const panel = createPeer({
    socket: pair.client,
    handles: agentMethods,
    handlers: panelSide,
    timeoutMs: 2000,
    limits: { outstanding: 2 },
  });
  const waiting = [1, 2].map((revision) => panel.call("state.apply", { revision }));
  await expect(panel.call("state.apply", { revision: 3 })).rejects.toBeInstanceOf(PeerBusyError);
  panel.terminate();
  for (const call of await Promise.allSettled(waiting))
    expect(call).toMatchObject({ status: "rejected", reason: { name: "PeerClosedError" } });
});

test("a message above the protocol's size is not sent", async () => {
  const { panel } = peers();
  const objects = { put: {}, drop: ["x".repeat(MAX_MESSAGE_BYTES)] };
  await expect(panel.call("state.apply", { revision: 1, objects })).rejects.toBeInstanceOf(PeerBusyError);
  expect(await panel.call("engine.stop", {})).toEqual({ stopped: true });
});

test("a reader that stops reading loses notifications, then its connection", async () => {
  const { agent } = peers();
  const slow = { bufferedAmount: 100, sent: 0 };
  const socket = Object.assign(Object.create(pair.server), {});
  Object.defineProperty(socket, "bufferedAmount", { get: () => slow.bufferedAmount });
  const limited = createPeer({
    socket,
    handles: panelMethods,
    handlers: agentSide,
    timeoutMs: 100,
    limits: { bufferedBytes: 10 },
  });
  await expect(limited.call("usage", batch)).rejects.toBeInstanceOf(PeerBusyError);
  const gone = once(pair.client, "close");
  pair.client.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "engine.stop", params: {} }));
  await gone;
  expect(await agent.closed).toMatchObject({ code: 1006 });
});
