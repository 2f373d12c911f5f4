// A panel under a storm of hostile agents, in a process of their own: other nodes are counted, other requests answered,
// and nothing grows. Six seconds here; `SIGNALBOX_STORM_SECONDS` and `SIGNALBOX_STORM_SEED` make it longer and another
// one, `npm run storm` prints what it measured.
import { fork, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAgent, type RunningAgent } from "../../src/agent/server.ts";
import { TestEngine } from "../agent/test-engine.ts";
import { startStopwatch } from "../stopwatch.ts";
import { WholePanel } from "../whole-panel.ts";
import type { StormData } from "./hostile-storm.ts";
import { until } from "./panel-side.ts";

const SECONDS = Number(process.env["SIGNALBOX_STORM_SECONDS"] ?? 6);
const SEED = Number(process.env["SIGNALBOX_STORM_SEED"] ?? 1);
const HOSTILE = 12;

let panel: WholePanel;
let directory: string;
let honest: RunningAgent;
let agents: ChildProcess;
const engine = new TestEngine();
const log = { bytes: 0 };
const storm = { port: 0, said: 0, dials: 0 };
let user: number;

beforeAll(async () => {
  panel = await WholePanel.open(
    "sqlite",
    pino({ level: "info" }, { write: (line: string) => (log.bytes += line.length) }),
  );
  directory = await mkdtemp(join(tmpdir(), "signalbox-storm-"));
  const trust = (await panel.call("GET", "/api/v1/nodes/install/trust")).body.certificate;
  const data: StormData = { trust, trustFile: join(directory, "trust.pem"), seed: SEED };
  agents = fork(fileURLToPath(new URL("hostile-storm.ts", import.meta.url)), [JSON.stringify(data)], { execArgv: [] });
  agents.on("message", (news) => Object.assign(storm, news));
  await until(() => storm.port > 0, 30_000);
  honest = await startAgent({
    host: "127.0.0.1",
    port: 0,
    dataDirectory: join(directory, "agent"),
    trustFile: data.trustFile,
    engine: "embedded",
    privateTargets: "block",
    factories: [engine.factory],
    log: pino({ level: "silent" }),
    readIntervalMs: 100,
  });
  const inbound = await panel.call("POST", "/api/v1/inbounds", {
    tag: "in",
    type: "vless",
    config: { listen_port: 4430 },
  });
  const template = await panel.call("POST", "/api/v1/templates", { name: "t", inboundIds: [inbound.body.id] });
  const other = await panel.call("POST", "/api/v1/templates", { name: "u", inboundIds: [inbound.body.id] });
  user = (await panel.call("POST", "/api/v1/users", { name: "someone", templateIds: [template.body.id] })).body.id;
  await panel.call("POST", "/api/v1/users", { name: "of the storm", templateIds: [other.body.id] });
  const own = { name: "honest", address: "127.0.0.1", port: honest.port, templateId: template.body.id };
  const { id } = (await panel.call("POST", "/api/v1/nodes", own)).body;
  await until(async () => (await panel.call("GET", `/api/v1/nodes/${id}`)).body.status === "connected");
  inboundId = inbound.body.id;
  otherTemplate = other.body.id;
});
let inboundId: number;
let otherTemplate: number;
afterAll(async () => {
  agents.kill();
  await honest.stop();
  await panel.dispose();
  await rm(directory, { recursive: true, force: true });
});

/** Requests one after the other; milliseconds of each. */
async function ask(ms: number): Promise<number[]> {
  const took: number[] = [];
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const elapsed = startStopwatch();
    const { status } = await panel.call("GET", "/api/v1/users?limit=10");
    expect(status).toBe(200);
    took.push(elapsed());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return took.toSorted((a, b) => a - b);
}
const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
const counted = async (): Promise<number> => {
  const { up, down } = (await panel.call("GET", `/api/v1/users/${user}`)).body;
  return up + down;
};

// rule agents.message.5
test(
  "requests are answered, usage is counted, and neither memory, log nor rows grow with what is sent",
  async () => {
    await ask(500);
    const quiet = await ask(1500);
    const before = { memory: process.memoryUsage().rss, log: log.bytes };
    // What this thread worked between two of its timers, which is how long others waited: its own processor time,
    // whatever else the machine does.
    const blocks: number[] = [];
    let since = process.threadCpuUsage();
    const pulse = setInterval(() => {
      const now = process.threadCpuUsage();
      blocks.push((now.user - since.user + now.system - since.system) / 1000);
      since = now;
    }, 5);
    const ids: number[] = [];
    for (let n = 0; n < HOSTILE; n++) {
      const body = { name: `hostile ${n}`, address: `127.0.9.${n}`, port: storm.port, templateId: otherTemplate };
      ids.push((await panel.call("POST", "/api/v1/nodes", body)).body.id);
    }
    // Back-off would give it peace: somebody keeps asking for new connections.
    const again = setInterval(() => {
      for (const id of ids) void panel.call("POST", `/api/v1/nodes/${id}/reconnect`).catch(() => {});
    }, 2500);
    const use = setInterval(() => engine.move(`${user}.${inboundId}`, 1000, 0), 100);
    const busy = await ask(SECONDS * 1000);
    clearInterval(again);
    clearInterval(use);
    clearInterval(pulse);
    blocks.sort((a, b) => a - b);
    const [row] = [...engine.counters.values()];
    await until(async () => (await counted()) === (row?.up ?? 0), 30_000);
    const nodes = await panel.call("GET", "/api/v1/nodes?limit=100");
    const measured = {
      said: storm.said,
      dials: storm.dials,
      requests: busy.length,
      p50: [share(quiet, 0.5), share(busy, 0.5)],
      p99: [share(quiet, 0.99), share(busy, 0.99)],
      blockP99: share(blocks, 0.99),
      longestBlock: share(blocks, 1),
      memoryGrown: process.memoryUsage().rss - before.memory,
      logGrown: log.bytes - before.log,
      nodesAnswer: nodes.text.length,
    };
    if (process.env["SIGNALBOX_STORM_SECONDS"]) console.log(measured);
    expect(storm.said).toBeGreaterThan(20);
    // A message of 16 MB that is read or judged in one piece takes 300 ms and more.
    expect(measured.longestBlock).toBeLessThan(200);
    expect(measured.memoryGrown).toBeLessThan(700e6);
    // Each node may log five lines a minute, of at most a few kB with a stack.
    expect(measured.logGrown).toBeLessThan(HOSTILE * (Math.ceil(SECONDS / 60) + 1) * 30_000);
    expect(measured.nodesAnswer).toBeLessThan((HOSTILE + 1) * 20_000);
  },
  (SECONDS + 120) * 1000,
);
