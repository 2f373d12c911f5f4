// What nodes with routing of their own cost a panel: its memory, and the bytes on the wire, with a simulated fleet.
//
//   node bin/node24.mjs test/bench/structures.ts [nodes] [templates] [inbounds of a template] [1 or 0: own routing]
//
// Prints: the panel's memory before and after all nodes are connected, and the bytes that the fleet has read by then;
// then both again for an edit of one template, and for one node that gets another routing.
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { quietPorts } from "../quiet-ports.ts";
import { addressOf, makeMany, nodesWith, startFleet } from "../e2e/fleet.ts";
import { startPanel } from "../e2e/panel.ts";

const [nodes = 10_000, templates = 1000, inbounds = 20, own = 1] = process.argv.slice(2).map(Number);
/** A panel that rests gives memory back at its second look (`src/panel/rest.ts`). */
const REST_MS = 35_000;

function megabytes(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024);
}

/** Bytes that a process has read; what its sockets gave it is nearly all of that once it has started. */
function bytesRead(pid: number): number {
  return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1] ?? 0);
}

const panel = await startPanel();
const [port = 0] = await quietPorts(1);
const fleet = await startFleet(panel.api, { directory: panel.directory, port, active: 0, rate: 0 });
let read = 0;
const say = (what: string) => {
  const now = bytesRead(fleet.pid);
  process.stdout.write(
    `${what}: panel ${megabytes(panel.pid)} MB, ${((now - read) / 2 ** 20).toFixed(2)} MiB to agents\n`,
  );
  read = now;
};
try {
  const inboundIds = await makeMany(panel.api, "inbounds", templates * inbounds, (index) => ({
    tag: `in-${index}`,
    type: "vless",
    config: { listen_port: 20_000 + (index % 40_000) },
  }));
  const templateIds = await makeMany(panel.api, "templates", templates, (index) => ({
    name: `template-${index}`,
    inboundIds: inboundIds.slice(index * inbounds, (index + 1) * inbounds),
  }));
  await pause(REST_MS);
  say(`${templates} templates of ${inbounds} inbounds`);
  const nodeIds = await makeMany(panel.api, "nodes", nodes, (index) => ({
    name: `node-${index}`,
    address: addressOf(index),
    port,
    templateId: templateIds[index % templates],
    routing: own ? { rules: [{ domain: [`own-${index}.test`], outbound: "block" }] } : null,
  }));
  while ((await nodesWith(panel.api, "connected")) < nodes) await pause(100);
  await pause(REST_MS);
  say(`${nodes} nodes ${own ? "with" : "without"} routing of their own connected`);
  await pause(REST_MS);
  say(`heartbeats of ${REST_MS / 1000} s alone`);
  await panel.api.ok("PUT", `/templates/${templateIds[0]}`, { inboundIds: inboundIds.slice(0, inbounds - 1) });
  await pause(REST_MS);
  say("one template has an inbound less");
  await panel.api.ok("PUT", `/nodes/${nodeIds[0]}`, { routing: { final: "block" } });
  await pause(REST_MS);
  say("one node has another routing");
} finally {
  await fleet.stop();
  await panel.dispose();
}
