// A link that another one superseded: it says nothing while its process may still find out that it lost the lease, and
// says so when nothing of the kind happens.
import { afterAll, beforeAll, expect, test } from "vitest";
import { FrameThread } from "../../src/protocol/frame-thread.ts";
import { dialAgent } from "../../src/fleet/link/dial.ts";
import { loadLinkIdentity } from "../../src/fleet/link/identity.ts";
import { Ledgers } from "../../src/fleet/link/ledgers.ts";
import { NodeLink, SUPERSEDED_MS } from "../../src/fleet/link/link.ts";
import type { LinkPorts } from "../../src/fleet/link/link-ports.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { Signals } from "../../src/lib/signals.ts";
import { agentMethods, PROTOCOL_VERSION } from "../../src/protocol/messages.ts";
import { createPeer } from "../../src/protocol/peer.ts";
import { PanelSide, until } from "./panel-side.ts";

/** Time that goes by fifty times as fast. */
const SPEED = 50;
const begin = Date.now();
const fast: Clock = {
  now: () => begin + (Date.now() - begin) * SPEED,
  after: (ms, wake) => systemClock.after(ms / SPEED, wake),
};

let panel: PanelSide;
beforeAll(async () => {
  panel = await PanelSide.open("sqlite");
});
afterAll(() => panel.dispose());

async function linkTo(address: string, fence: number, held: { now: boolean }) {
  const identity = await loadLinkIdentity(panel.db.reads, panel.db.commits, new Uint8Array(32), Date.now());
  const nodeId = await panel.addNode(address, { enabled: false });
  const said: { type: string; message?: string; at: number }[] = [];
  const ports: LinkPorts = {
    reads: panel.db.reads,
    clock: fast,
    random: () => 0.5,
    identity: () => identity,
    version: "test",
    rules: () => ({ ipLimitNewest: false }),
    frames: new FrameThread(),
    holds: () => held.now,
    users: panel.fleet.users,
    ready: () => panel.fleet.users.ready(),
    usage: panel.fleet.usage,
    agents: panel.db,
    ledgers: new Ledgers({ ...panel.db, clock: systemClock }),
    desired: (id) => panel.desired(id),
    inTurn: (work) => work(),
    onHeartbeat: () => {},
    progress: panel.fleet.progress,
    onOpen: () => {},
    signals: new Signals(),
    log: () => {},
    onProblem: () => {},
  };
  const link = new NodeLink(ports, {
    nodeId,
    resumed: true,
    fence,
    send: async (event) => void said.push({ ...event, at: fast.now() }),
  });
  await until(() => link.peer);
  await until(() => said.some(({ type }) => type === "link.synced"));
  said.length = 0;
  return { link, nodeId, said, identity };
}

/** Another panel process greets the agent with this token. */
async function takeOver(
  address: string,
  identity: Awaited<ReturnType<typeof loadLinkIdentity>>,
  nodeId: number,
  fence: number,
) {
  const { socket } = await dialAgent(identity, { address, port: panel.agents.port }, "", new AbortController().signal);
  const peer = createPeer({
    socket,
    handles: agentMethods,
    handlers: { heartbeat: () => null, usage: () => new Promise<never>(() => {}) },
    timeoutMs: 5000,
  });
  await peer.call("hello", { protocol: PROTOCOL_VERSION, panelVersion: "test", nodeId, fence, readOnly: false });
  return peer;
}

test("who still holds the node after that time says that the agent listens to somebody else", async () => {
  const { link, nodeId, said, identity } = await linkTo("127.0.4.1", 5, { now: true });
  const at = fast.now();
  const other = await takeOver("127.0.4.1", identity, nodeId, 9);
  await until(() => said.length > 0);
  expect(said).toMatchObject([{ type: "link.lost", message: "fence 5 is smaller than 9, which this agent has seen" }]);
  expect((said[0]?.at ?? 0) - at).toBeGreaterThanOrEqual(SUPERSEDED_MS);
  expect(other.open).toBe(true);
  link.stop();
  other.terminate();
});

test("who does not hold it any more never says anything, whatever ends its connection", async () => {
  const held = { now: true };
  const { link, said } = await linkTo("127.0.4.2", 5, held);
  held.now = false;
  const peer = link.peer;
  peer?.terminate();
  await peer?.closed;
  await new Promise((resolve) => fast.after(3 * SUPERSEDED_MS, () => resolve(undefined)));
  expect(said).toEqual([]);
  expect(link.peer).toBeUndefined();
  link.stop();
});
