// Read-only links: one per node, kept for a while, dialled again when the node or its agent is another one, and none
// left behind.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FrameThread } from "../../src/protocol/frame-thread.ts";
import { lock } from "../../src/db/index.ts";
import { loadLinkIdentity, type LinkIdentity } from "../../src/fleet/link/identity.ts";
import { ReadLinks } from "../../src/fleet/live/read-links.ts";
import { ManualClock } from "../../src/lib/clock.ts";
import { NodeRows } from "../../src/fleet/index.ts";
import { PanelSide, until } from "./panel-side.ts";

const ASK_MS = 3000;
let panel: PanelSide;
let identity: LinkIdentity;
let clock: ManualClock;
let links: ReadLinks;
let addresses = 0;

beforeAll(async () => {
  panel = await PanelSide.open("sqlite");
  identity = await loadLinkIdentity(panel.db.reads, panel.db.commits, new Uint8Array(32), Date.now());
});
afterAll(() => panel.dispose());
beforeEach(() => {
  clock = new ManualClock(0);
  links = new ReadLinks({
    reads: panel.db.reads,
    clock,
    identity: () => identity,
    version: "test",
    frames: new FrameThread(),
  });
  return () => links.stop();
});

async function served(): Promise<number> {
  const id = await panel.addNode(`127.0.5.${++addresses}`);
  await panel.reaches(id, "linked.connected");
  return id;
}
const ask = (id: number) => links.ask(id, "state.report", {}, ASK_MS);

test("questions share a link, which is closed when nothing was asked for half a minute", async () => {
  const id = await served();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(id)));
  expect(new Set(answers.map(({ applied }) => applied.structure)).size).toBe(1);
  expect(links.size).toBe(1);
  clock.advance(29_000);
  await ask(id);
  clock.advance(29_000);
  expect(links.size).toBe(1);
  clock.advance(1000);
  expect(links.size).toBe(0);
});

test("the node's own link goes on beside it, and a process that gains the node closes it", async () => {
  const id = await served();
  const own = panel.fleet.link(id)?.peer;
  await ask(id);
  expect(own?.open).toBe(true);
  links.close(id);
  expect(links.size).toBe(0);
});

test("a node that was moved, switched off or deleted is not asked over the old link", async () => {
  const id = await served();
  await ask(id);
  const node = await panel.node(id);
  links.changed(id, node);
  expect(links.size).toBe(1);
  links.changed(id, { ...node, port: node.port + 1 });
  expect(links.size).toBe(0);
  await ask(id);
  links.changed(id, undefined);
  expect(links.size).toBe(0);
  await panel.editNode(id, { enabled: false }, { type: "switchOff" });
  await expect(ask(id)).rejects.toThrow("the node is not connected");
  expect(links.size).toBe(0);
});

// rule nodes.pin.3
test("an agent with another key than the pinned one is not asked", async () => {
  const id = await served();
  await panel.db.commits.submit({
    name: "pin",
    locks: [lock(NodeRows, id)],
    decide: (draft) => draft.update(NodeRows, id, { fingerprint: "another" }),
  });
  await expect(ask(id)).rejects.toThrow("the saved key is another");
});

test("a link whose agent has gone is dialled anew for the next question", async () => {
  const id = await served();
  await ask(id);
  const port = panel.agents.port;
  await panel.agents.stop();
  await until(() => links.size === 0);
  await expect(ask(id)).rejects.toThrow();
  await panel.startAgents(1, port);
  await panel.reaches(id, "linked.connected", 30_000);
  await ask(id);
  expect(links.size).toBe(1);
});
