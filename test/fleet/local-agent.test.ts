// Local agents around what goes wrong: a folder that cannot be used, a node that moves while its agent is being ended,
// an agent whose node is gone.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lock } from "../../src/db/index.ts";
import { findAgent } from "../../src/fleet/local/agent-process.ts";
import { NodeRows, type NodeRow } from "../../src/fleet/index.ts";
import { fleetEntities, LocalAgents } from "../../src/fleet/testing.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openTestDatabase, type TestDatabase } from "../database.ts";
import { until } from "./panel-side.ts";

let db: TestDatabase;
let folder: string;
let script: string;
let agents: LocalAgents;
const said: string[] = [];

beforeEach(async () => {
  said.length = 0;
  folder = mkdtempSync(join(tmpdir(), "signalbox-local-"));
  script = join(folder, "agent.mjs");
  writeFileSync(script, "setInterval(() => {}, 1000);");
  db = await openTestDatabase("sqlite", fleetEntities);
  agents = new LocalAgents({
    ...db,
    clock: systemClock,
    directory: join(folder, "agents"),
    shared: false,
    trust: "",
    engine: "auto",
    privateTargets: "block",
    command: [process.execPath, script],
    publicPorts: () => Promise.resolve([]),
    log: (_, message) => said.push(message),
  });
});
afterEach(async () => {
  await agents.stop("stop");
  await db.dispose();
  rmSync(folder, { recursive: true });
});

const home = (id: number) => join(folder, "agents", String(id));
const listens = (id: number) => findAgent(home(id))?.listen;

async function addNode(id: number): Promise<void> {
  const texts = [
    "name",
    "remark",
    "linkAddress",
    "limitPeriod",
    "fallbackCertMode",
    "sshHost",
    "sshUser",
    "message",
    "fingerprint",
    "mstate",
  ];
  const facts = ["coreVersion", "nodeVersion", "arch", "setup", "engine", "faultMessage"];
  const numbers = [
    "limitBytes",
    "limitStartDay",
    "limitStartMonth",
    "sshPort",
    "infoSeenAt",
    "createdAt",
    "updatedAt",
    "rev",
    "mver",
  ];
  const more = ["msince", "faultCount", "multiplierMicros"];
  const row = {
    ...Object.fromEntries([...texts, ...facts].map((field) => [field, ""])),
    ...Object.fromEntries([...numbers, ...more].map((field) => [field, 0])),
    ...Object.fromEntries(
      ["routing", "templateId", "fallbackCertId", "sshKeyId", "dueAt", "faultAt"].map((field) => [field, null]),
    ),
    id,
    isLocal: true,
    enabled: true,
    sshKeyInstalled: false,
    limitDisabled: false,
    warnings: [],
    mctx: {},
    address: "127.0.0.1",
    port: 4000,
  } as unknown as NodeRow;
  await db.commits.submit({ name: "node", locks: [], decide: (draft) => draft.insert(NodeRows, row) });
}
const moveNode = (id: number, port: number) =>
  db.commits.submit({
    name: "move",
    locks: [lock(NodeRows, id)],
    decide: (draft) => draft.update(NodeRows, id, { port }),
  });

test("a folder that cannot be used ends nothing: the agent starts once it can", async () => {
  mkdirSync(join(folder, "agents"));
  writeFileSync(home(1), "in the way");
  await addNode(1);
  await agents.start();
  expect(said).toEqual(["the local agent cannot be started"]);
  rmSync(home(1));
  await until(() => listens(1));
});

test("a node that moves twice at once has one agent, at the last place", async () => {
  await agents.start();
  await addNode(1);
  await until(() => listens(1));
  await moveNode(1, 4001);
  await moveNode(1, 4002);
  await until(() => listens(1) === "127.0.0.1:4002");
  expect(said).toEqual([]);
});

// rule agents.local.1
test("an agent whose node is gone is ended at the next start", async () => {
  mkdirSync(home(7), { recursive: true });
  const stray = spawn(process.execPath, [script, "agent", "--listen", "127.0.0.1:4007", "--data", home(7)], {
    stdio: "ignore",
  });
  await until(() => listens(7));
  const ended = new Promise((resolve) => stray.once("exit", (_, signal) => resolve(signal)));
  await agents.start();
  expect(await ended).toBe("SIGTERM");
});
