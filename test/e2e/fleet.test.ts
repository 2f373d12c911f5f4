// A fleet of 50 nodes and 2,000 users: everything connects, an edit is at its agents within a second, every byte is
// counted exactly once, multiplied exactly.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quietPorts } from "../quiet-ports.ts";
import { bucketOf } from "../../src/protocol/digest.ts";
import { identityOf, viewAgent } from "./agent-view.ts";
import {
  addressOf,
  differences,
  expectedUsage,
  makeMany,
  makeUsers,
  nodesWith,
  startFleet,
  usageOf,
  type SimulatedFleet,
} from "./fleet.ts";
import { startPanel, type E2ePanel } from "./panel.ts";
import { startStopwatch } from "../stopwatch.ts";

const NODES = 50;
const TEMPLATES = 10;
const USERS = 2000;
/** Multiplier of every other node. */
const MULTIPLIER = 1.5;

describe(`${NODES} nodes and ${USERS} users`, () => {
  let panel: E2ePanel;
  let fleet: SimulatedFleet;
  let port: number;
  let nodes: number[];
  let users: number[];
  const multiplierOf = (node: number) => (node % 2 === 1 ? MULTIPLIER : 1);
  const allConnected = () => expect.poll(() => nodesWith(panel.api, "connected"), { interval: 100 }).toBe(NODES);

  beforeAll(async () => {
    panel = await startPanel();
    [port = 0] = await quietPorts(1);
    fleet = await startFleet(panel.api, { directory: panel.directory, port, active: 30, rate: 9001 });
    const inbounds = await makeMany(panel.api, "inbounds", TEMPLATES, (index) => ({
      tag: `in-${index}`,
      type: "vless",
      config: { listen_port: 20_000 + index },
    }));
    const templates = await makeMany(panel.api, "templates", TEMPLATES, (index) => ({
      name: `template-${index}`,
      inboundIds: [inbounds[index]],
    }));
    users = await makeUsers(panel.api, USERS, (index) => ({
      name: `user-${index}`,
      templateIds: [templates[index % TEMPLATES]],
    }));
    nodes = await makeMany(panel.api, "nodes", NODES, (index) => ({
      name: `node-${index}`,
      address: addressOf(index),
      port,
      templateId: templates[index % TEMPLATES],
      multiplier: multiplierOf(index),
    }));
  });
  afterAll(async () => {
    await fleet?.stop();
    await panel?.dispose();
  });

  it("connects every node", async () => {
    await allConnected();
    await expect.poll(() => Object.values(fleet.report().nodes).filter(({ links }) => links === 1).length).toBe(NODES);
  });

  // rule nodes.sync.2
  it("brings an edited user to its agent within a second", async () => {
    const identity = await identityOf(panel.directory, panel.databaseUrl);
    const agent = await viewAgent(identity, addressOf(3), port);
    const id = users[3] ?? 0;
    const before = (await agent.buckets())[bucketOf(id)];
    await panel.api.ok("PATCH", `/users/${id}`, { speedLimit: 1_000_000 });
    const elapsed = startStopwatch();
    await expect.poll(async () => (await agent.buckets())[bucketOf(id)], { interval: 5 }).not.toBe(before);
    expect(elapsed()).toBeLessThan(1000);
    agent.close();
  });

  it("finds the whole fleet again after a panel that was killed", async () => {
    await panel.kill();
    await panel.start();
    await expect
      .poll(() => Object.values(fleet.report().nodes).filter(({ links, dials }) => links === 1 && dials === 2).length)
      .toBe(NODES);
    await allConnected();
  });

  // rule usage.count.3
  it("counts to the byte what the agents counted, multiplied exactly", async () => {
    // A few turns of traffic, then no node serves anybody any more: what is still in ledgers comes in.
    await expect
      .poll(() => Object.values(fleet.report().nodes).every(({ users: counted }) => Object.keys(counted).length > 20))
      .toBe(true);
    for (const id of nodes) await panel.api.ok("PUT", `/nodes/${id}/template`, { templateId: null });
    const totals = () => expectedUsage(fleet.report(), NODES, multiplierOf);
    await expect.poll(async () => differences(totals(), await usageOf(panel.api)), { interval: 500 }).toEqual([]);
    expect(totals().size).toBeGreaterThan(100);
    const { up, down } = await panel.api.node(nodes[1] ?? 0);
    expect(up + down).toBe(rawBytes(fleet, 1));
  });
});

/** Bytes of a node, unmultiplied. */
function rawBytes(fleet: SimulatedFleet, node: number): number {
  return Object.values(fleet.report().nodes[addressOf(node)]?.users ?? {}).reduce(
    (sum, { up, down }) => sum + up + down,
    0,
  );
}
