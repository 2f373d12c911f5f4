// A fleet on one panel process: 1,000 nodes, 100,000 users, 100 templates (or what the arguments say), with a simulated
// fleet beside it.
//
//   node bin/node24.mjs test/bench/fleet.ts [nodes] [users] [templates]
//
// Prints: seconds until all nodes are connected after a cold start of the panel, the panel's share of a core over 30 s
// of heartbeats (with and without traffic), milliseconds from the answer to a PATCH until the agents have it, and
// memory.
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { bucketOf } from "../../src/protocol/digest.ts";
import { quietPorts } from "../quiet-ports.ts";
import { identityOf, viewAgent } from "../e2e/agent-view.ts";
import { addressOf, makeMany, makeUsers, nodesWith, startFleet } from "../e2e/fleet.ts";
import { startPanel } from "../e2e/panel.ts";

const [nodes = 1000, users = 100_000, templates = 100] = process.argv.slice(2).map(Number);
const TICKS_PER_SECOND = 100;
const EDITS = 40;
const begun = performance.now();

const say = (text: string) =>
  process.stdout.write(`${((performance.now() - begun) / 1000).toFixed(1).padStart(7)} s  ${text}\n`);

/** CPU seconds that a process has used. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function megabytes(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024);
}

/** The share of a core that a process takes over some seconds. */
async function share(pid: number, forSeconds: number): Promise<string> {
  const from = { cpu: cpuSeconds(pid), at: performance.now() };
  await pause(forSeconds * 1000);
  return `${(((cpuSeconds(pid) - from.cpu) / ((performance.now() - from.at) / 1000)) * 100).toFixed(1)} % of a core`;
}

const panel = await startPanel();
const [port = 0] = await quietPorts(1);
const fleet = await startFleet(panel.api, { directory: panel.directory, port, active: 10, rate: 1000 });
try {
  const inboundIds = await makeMany(panel.api, "inbounds", templates, (index) => ({
    tag: `in-${index}`,
    type: "vless",
    config: { listen_port: 20_000 + index },
  }));
  const templateIds = await makeMany(panel.api, "templates", templates, (index) => ({
    name: `template-${index}`,
    inboundIds: [inboundIds[index]],
  }));
  const userIds = await makeUsers(panel.api, users, (index) => ({
    name: `user-${index}`,
    templateIds: [templateIds[index % templates]],
  }));
  say(`${users} users made`);
  await makeMany(panel.api, "nodes", nodes, (index) => ({
    name: `node-${index}`,
    address: addressOf(index),
    port,
    templateId: templateIds[index % templates],
  }));
  say(`${nodes} nodes made`);
  while ((await nodesWith(panel.api, "connected")) < nodes) await pause(100);
  say(`all connected for the first time; panel ${megabytes(panel.pid)} MB, fleet ${megabytes(fleet.pid)} MB`);
  say(`10 % of the users active: ${await share(panel.pid, 30)}`);

  await panel.kill();
  const coldStart = performance.now();
  await panel.start();
  const listens = performance.now() - coldStart;
  while (Object.values(fleet.report().nodes).filter(({ links, dials }) => links === 1 && dials >= 2).length < nodes)
    await pause(100);
  const cpu = cpuSeconds(panel.pid).toFixed(1);
  say(
    `cold start: listens after ${seconds(listens)}, all nodes linked after ${seconds(performance.now() - coldStart)}, ${cpu} s of CPU; panel ${megabytes(panel.pid)} MB`,
  );
  await pause(5000);
  say(`10 % of the users active: ${await share(panel.pid, 30)}`);

  const identity = await identityOf(panel.directory, panel.databaseUrl);
  const times: number[] = [];
  for (let edit = 0; edit < EDITS; edit++) {
    const index = (edit * 37) % Math.min(nodes, templates);
    const agent = await viewAgent(identity, addressOf(index), port);
    const id = userIds[index + templates * edit] ?? 0;
    const before = (await agent.buckets())[bucketOf(id)];
    await panel.api.ok("PATCH", `/users/${id}`, { speedLimit: 1000 + edit });
    const from = performance.now();
    while ((await agent.buckets())[bucketOf(id)] === before) await pause(1);
    times.push(performance.now() - from);
    agent.close();
  }
  times.sort((a, b) => a - b);
  say(
    `from the answer to a PATCH to the agent: median ${times[EDITS / 2]?.toFixed(1)} ms, worst ${times.at(-1)?.toFixed(1)} ms of ${EDITS}`,
  );

  for (const [index, id] of templateIds.entries())
    await panel.api.ok("PUT", `/templates/${id}`, { name: `template-${index}`, inboundIds: [] });
  await pause(10_000);
  say(`heartbeats alone: ${await share(panel.pid, 30)}; panel ${megabytes(panel.pid)} MB`);
} finally {
  await fleet.stop();
  await panel.dispose();
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
