// A configuration that an engine refuses: the node is in error with the engine's words first, its agent stays linked
// and can be asked, and what is counted of it is one number everywhere. With a real agent and an engine of the test's
// own, on both databases; then with each engine that is installed, and a port that the test holds.
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engineFactories } from "../../src/agent/engines/all.ts";
import { startAgent, type RunningAgent } from "../../src/agent/server.ts";
import { enginesHere } from "../agent/engines-here.ts";
import { TestEngine } from "../agent/test-engine.ts";
import { dialects } from "../database.ts";
import { quietPorts } from "../quiet-ports.ts";
import { WholePanel } from "../whole-panel.ts";
import { until } from "./panel-side.ts";

const REASON = "inbound in: port 4430 is used by another program";

describe.each(dialects)("a refused configuration on %s", (dialect) => {
  let panel: WholePanel;
  let directory: string;
  let inboundId: number;
  let id: number;
  let agent: RunningAgent;
  const engine = new TestEngine();
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    directory = await mkdtemp(join(tmpdir(), "signalbox-refused-"));
    await writeFile(
      join(directory, "trust.pem"),
      (await panel.call("GET", "/api/v1/nodes/install/trust")).body.certificate,
    );
    const inbound = await panel.call("POST", "/api/v1/inbounds", {
      tag: "in",
      type: "vless",
      config: { listen_port: 4430 },
    });
    inboundId = inbound.body.id;
    await begin();
    const template = await panel.call("POST", "/api/v1/templates", { name: "t", inboundIds: [inboundId] });
    engine.refuses = REASON;
    id = (
      await panel.call("POST", "/api/v1/nodes", {
        name: "n",
        address: "127.0.0.1",
        port: agent.port,
        templateId: template.body.id,
      })
    ).body.id;
  });
  afterAll(async () => {
    await agent.stop();
    await panel.dispose();
    await rm(directory, { recursive: true, force: true });
  });
  const begin = async (port = 0) => {
    agent = await startAgent({
      host: "127.0.0.1",
      port,
      dataDirectory: join(directory, "agent"),
      trustFile: join(directory, "trust.pem"),
      engine: "embedded",
      privateTargets: "block",
      factories: [engine.factory],
      log: pino({ level: "silent" }),
      heartbeatMs: 100,
    });
  };
  const node = async () => (await panel.call("GET", `/api/v1/nodes/${id}`)).body;
  const actor = async () => (await panel.call("GET", `/api/v1/actors/node/${id}`)).body;
  const when = (is: (found: Awaited<ReturnType<typeof node>>) => boolean) =>
    until(async () => {
      const found = await node();
      return is(found) && found;
    }, 30_000);
  const isRefused = ({ status, cause }: { status: string; cause: { code: string } | null }) =>
    status === "error" && cause?.code === "refused";

  // rule nodes.status.6
  test("is an error of its own in the engine's words; the agent stays linked", async () => {
    expect(await when(isRefused)).toMatchObject({
      message: REASON,
      cause: { code: "refused", values: [], detail: REASON },
    });
    expect((await actor()).state).toMatch(/^linked\.refused\./);
    // It says how its host is, as any node that is linked.
    expect((await when(({ live }) => live !== undefined)).live.at).toBeGreaterThan(0);
    const sync = await panel.call("POST", `/api/v1/nodes/${id}/sync`);
    expect(sync).toMatchObject({ status: 502 });
    expect(sync.body.error).toContain(REASON);
    expect((await panel.call("GET", "/api/v1/nodes?status=error")).body.items).toMatchObject([{ id }]);
    expect((await panel.call("GET", "/api/v1/nodes?status=connecting")).body.total).toBe(0);
  });

  // rule nodes.status.7
  test("an attempt that fails like the one before resets nothing, and record, actor and lists say the same numbers", async () => {
    const first = await when(isRefused);
    const later = await when((found) => isRefused(found) && found.attempts >= first.attempts + 2);
    expect(later.since).toBe(first.since);
    const [record, seen] = await until(async () => {
      const [before, during, after] = [await node(), await actor(), await node()];
      return before.attempts === after.attempts && ([after, during] as const);
    });
    expect(seen).toMatchObject({
      attempts: record.attempts,
      trouble: { since: record.since, failures: record.attempts },
    });
    const page = "limit=10&sort=trouble_since";
    expect((await panel.call("GET", `/api/v1/nodes?troubled=true&${page}`)).body.items).toMatchObject([
      { id, since: record.since },
    ]);
    expect((await panel.call("GET", `/api/v1/nodes?troubled=false&${page}`)).body.total).toBe(0);
    const actors = await panel.call(
      "GET",
      "/api/v1/actors?kind=node&state=error.*,linked.refused.*,linked.connecting.*",
    );
    expect(actors.body.items).toMatchObject([{ id: String(id), trouble: { since: record.since } }]);
  });

  // rule nodes.status.6
  test("a changed configuration is tried at once, and a panel's restart goes on counting", async () => {
    const before = await when(isRefused);
    await panel.restart();
    expect((await when((found) => isRefused(found) && found.attempts > before.attempts)).since).toBe(before.since);
    engine.refuses = "";
    await panel.call("PUT", `/api/v1/inbounds/${inboundId}`, { config: { listen_port: 4431 } });
    expect(await when(({ status }) => status === "connected")).toMatchObject({ message: "", cause: null, attempts: 0 });
    expect((await actor()).trouble).toBeNull();
  });

  // rules nodes.progress.1, nodes.progress.5, nodes.sync.3
  test("keeps the number that the agent acknowledged before, also over a panel's restart", async () => {
    engine.refuses = "";
    await panel.call("POST", `/api/v1/nodes/${id}/reconnect`);
    await when(({ status }) => status === "connected");
    const sync = () => panel.call("POST", `/api/v1/nodes/${id}/sync`);
    const { body: synced } = await sync();
    const taken = await node();
    expect(taken).toMatchObject({ revision: synced.revision, applied: synced.revision, nextAttemptAt: 0 });
    engine.refuses = REASON;
    await panel.call("PUT", `/api/v1/inbounds/${inboundId}`, { config: { listen_port: 4434 } });
    const { applied, appliedAt } = taken;
    const lacks = { revision: applied + 1, applied, appliedAt };
    expect(await when(isRefused)).toMatchObject(lacks);
    await panel.restart();
    expect(await when(isRefused)).toMatchObject(lacks);
    engine.refuses = "";
    await panel.call("PUT", `/api/v1/inbounds/${inboundId}`, { config: { listen_port: 4435 } });
    const again = await when(({ status, revision, ...now }) => status === "connected" && now.applied === revision);
    expect(again.applied).toBeGreaterThan(applied);
    expect((await sync()).body.revision).toBe((await node()).applied);
  });

  // rule nodes.status.11
  test("an engine that refuses what its agent has stored, at its start, is refused too, and well again without a person", async () => {
    const { port } = agent;
    const heard = await when(({ live }) => live !== undefined);
    expect(heard).toMatchObject({ serves: "yes" });
    expect(heard.heardAt).toBeGreaterThanOrEqual(heard.live.at);
    await agent.stop();
    // Its last word stays the last one, and what became of its engine nobody says.
    const gone = await when(({ status }) => status === "error");
    expect(gone).toMatchObject({ serves: "unknown" });
    expect(gone.heardAt).toBeGreaterThanOrEqual(heard.heardAt);
    expect(gone.live).toBeUndefined();
    engine.refuses = REASON;
    await begin(port);
    // What failed before is not waited for.
    await panel.call("POST", `/api/v1/nodes/${id}/reconnect`);
    expect(await when(isRefused)).toMatchObject({ message: REASON });
    engine.refuses = "";
    await when(({ status }) => status === "connected");
  });

  // rule users.verdict.1
  test("an inbound that it leaves out, and serves again, is told to an account that has no other", async () => {
    const user = await panel.call("POST", "/api/v1/users", { name: "someone" });
    const listening = async () => {
      const { body } = await panel.call("GET", `/api/v1/users/${user.body.id}/verdict`);
      return body.checks.find(({ check }: { check: string }) => check === "listening");
    };
    const sync = async () => (await panel.call("POST", `/api/v1/nodes/${id}/sync`)).body;
    await expect.poll(listening, { timeout: 30_000 }).toMatchObject({ state: "ok", values: [1, 1] });
    engine.leavesOut = ["in"];
    await panel.call("PUT", `/api/v1/inbounds/${inboundId}`, { config: { listen_port: 4432 } });
    await when(({ notices }) => notices.length > 0);
    await expect.poll(listening, { timeout: 30_000 }).toMatchObject({
      state: "failed",
      code: "not_listening",
      text: "its nodes serve none of its inbounds: in (n)",
      values: [0, 1, "in (n)"],
    });
    expect(await sync()).toMatchObject({
      applied: false,
      notices: [{ code: "port_taken", kind: "inbound", tag: "in" }],
    });
    engine.leavesOut = [];
    await panel.call("PUT", `/api/v1/inbounds/${inboundId}`, { config: { listen_port: 4433 } });
    expect(await sync()).toMatchObject({ applied: true, notices: [] });
    await when(({ notices }) => notices.length === 0);
    await expect.poll(listening, { timeout: 30_000 }).toMatchObject({ state: "ok", values: [1, 1] });
  });
});

// rules nodes.status.6, nodes.sync.7, nodes.sync.8, users.verdict.4
describe.each(await enginesHere())("%s: a port that another program holds", (engine) => {
  let panel: WholePanel;
  let directory: string;
  let agent: RunningAgent;
  let nodeId: number;
  let userId: number;
  let ports: readonly number[];
  const holders = new Set<Server>();
  beforeAll(async () => {
    panel = await WholePanel.open("sqlite");
    directory = await mkdtemp(join(tmpdir(), "signalbox-refused-"));
    ports = await quietPorts(2);
    const trustFile = join(directory, "trust.pem");
    await writeFile(trustFile, (await panel.call("GET", "/api/v1/nodes/install/trust")).body.certificate);
    agent = await startAgent({
      host: "127.0.0.1",
      port: 0,
      dataDirectory: join(directory, "agent"),
      trustFile,
      engine,
      privateTargets: "block",
      factories: engineFactories,
      log: pino({ level: "silent" }),
    });
    const inboundIds: number[] = [];
    for (const [index, port] of ports.entries()) {
      // A protocol of which v2ray has more to say than that.
      const config = { listen: "127.0.0.1", listen_port: port };
      const body = { tag: index === 0 ? "held" : "free", type: "socks", config };
      inboundIds.push((await panel.call("POST", "/api/v1/inbounds", body)).body.id);
    }
    const create = async (path: string, body: object) => (await panel.call("POST", `/api/v1${path}`, body)).body.id;
    const only = await create("/templates", { name: "only", inboundIds: inboundIds.slice(0, 1) });
    both = await create("/templates", { name: "both", inboundIds });
    userId = await create("/users", { name: "someone", templateIds: [only, both] });
    await hold();
    nodeId = await create("/nodes", { name: "n", address: "127.0.0.1", port: agent.port, templateId: only });
  });
  afterAll(async () => {
    for (const holder of holders) holder.close();
    await agent.stop();
    await panel.dispose();
    await rm(directory, { recursive: true, force: true });
  });

  let both: number;
  const hold = async () => {
    const holder = createServer().listen(ports[0], "127.0.0.1");
    holders.add(holder);
    await once(holder, "listening");
  };
  const release = async () => {
    for (const holder of holders) {
      holder.close();
      await once(holder, "close");
      holders.delete(holder);
    }
  };
  const node = async () => (await panel.call("GET", `/api/v1/nodes/${nodeId}`)).body;
  const sync = () => panel.call("POST", `/api/v1/nodes/${nodeId}/sync`);
  const verdict = async () => {
    const { ok, headline, checks } = (await panel.call("GET", `/api/v1/users/${userId}/verdict`)).body;
    const of = (name: string) => checks.find(({ check }: { check: string }) => check === name);
    return { ok, headline, served: of("served"), applied: of("applied"), listening: of("listening") };
  };
  const isOpen = (port = 0) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("close", () => socket.destroy());
      socket.once("connect", () => socket.destroy());
    });

  test("of its only inbound: the item, the port and the holder are named, nobody is told of an older configuration", async () => {
    await until(async () => (await node()).cause?.code === "refused", 60_000);
    const { message, status } = await node();
    expect(status).toBe("error");
    // The cause comes first, whatever else the engine has to say of the inbound.
    expect(message).toMatch(/^\S+ can serve none of the inbounds: inbound held: port /);
    expect(message).toContain(`port ${ports[0]}`);
    expect(message).toContain(`(process ${process.pid})`);
    await expect.poll(verdict, { timeout: 30_000 }).toMatchObject({
      ok: false,
      served: { state: "failed", code: "not_running" },
      applied: { state: "unknown" },
      listening: { state: "failed", code: "not_listening", values: [0, 1, "held (n)"] },
    });
    const refused = await sync();
    expect([refused.status, refused.body.error]).toEqual([502, expect.stringContaining(`port ${ports[0]}`)]);
  });

  test("it serves by itself once the port is free, however long the panel's own pauses are by then", async () => {
    await release();
    await until(async () => (await node()).status === "connected", 30_000);
    await expect
      .poll(verdict, { timeout: 30_000 })
      .toMatchObject({ ok: true, applied: { state: "ok" }, listening: { state: "ok" } });
  });

  test("of one of two: the other is served, sync does not say that all is applied, and it is back without a person", async () => {
    await panel.call("PUT", `/api/v1/nodes/${nodeId}/template`, { templateId: 0 });
    await until(async () => !(await isOpen(ports[0])), 30_000);
    await hold();
    await panel.call("PUT", `/api/v1/nodes/${nodeId}/template`, { templateId: both });
    await until(async () => (await node()).notices.some(({ code }: { code: string }) => code === "port_taken"), 30_000);
    const left = { code: "port_taken", kind: "inbound", tag: "held" };
    expect((await sync()).body).toMatchObject({
      applied: false,
      notices: expect.arrayContaining([expect.objectContaining(left)]),
    });
    await expect.poll(verdict, { timeout: 30_000 }).toMatchObject({
      ok: true,
      listening: { state: "ok", code: "some_left_out", values: [1, 2, "held (n)"] },
    });
    await release();
    await until(async () => isOpen(ports[0]), 30_000);
    await until(
      async () => (await node()).notices.every(({ code }: { code: string }) => code !== "port_taken"),
      30_000,
    );
    await expect
      .poll(verdict, { timeout: 30_000 })
      .toMatchObject({ ok: true, listening: { code: "ok", values: [2, 2] } });
  });

  test.each([
    ["sync", async () => expect((await sync()).body).toMatchObject({ applied: true })],
    ["reconnect", async () => expect((await panel.call("POST", `/api/v1/nodes/${nodeId}/reconnect`)).status).toBe(200)],
  ] as const)("%s tries it at once", async (_, ask) => {
    await panel.call("PUT", `/api/v1/nodes/${nodeId}/template`, { templateId: 0 });
    await until(async () => !(await isOpen(ports[0])), 30_000);
    await hold();
    await panel.call("PUT", `/api/v1/nodes/${nodeId}/template`, { templateId: both });
    await until(async () => isOpen(ports[1]), 30_000);
    await release();
    await ask();
    await until(async () => isOpen(ports[0]));
  });
});
