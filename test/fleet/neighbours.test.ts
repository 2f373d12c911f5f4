// Nodes over HTTP on two panels of one PostgreSQL: whichever is asked answers the same, does the same, and leaves the
// other's local agents alone.
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAgent, type RunningAgent } from "../../src/agent/server.ts";
import { findAgent } from "../../src/fleet/local/agent-process.ts";
import { TestEngine } from "../agent/test-engine.ts";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { until } from "./panel-side.ts";

describe.skipIf(!dialects.includes("postgresql"))("two panels over HTTP", () => {
  let panels: [WholePanel, WholePanel];
  let directory: string;
  let agent: RunningAgent;
  const engine = new TestEngine();
  let userId: number;
  let templateId: number;
  let nodeId: number;

  beforeAll(async () => {
    const one = await WholePanel.open("postgresql");
    panels = [one, await one.neighbour()];
    directory = await mkdtemp(join(tmpdir(), "signalbox-neighbours-"));
    const trustFile = join(directory, "trust.pem");
    await writeFile(trustFile, (await one.call("GET", "/api/v1/nodes/install/trust")).body.certificate);
    agent = await startAgent({
      host: "127.0.0.1",
      port: 0,
      dataDirectory: join(directory, "agent"),
      trustFile,
      engine: "embedded",
      privateTargets: "block",
      factories: [engine.factory],
      log: pino({ level: "silent" }),
      readIntervalMs: 20,
    });
    const inbound = await one.call("POST", "/api/v1/inbounds", {
      tag: "in",
      type: "vless",
      config: { listen_port: 4430 },
    });
    templateId = (await one.call("POST", "/api/v1/templates", { name: "t", inboundIds: [inbound.body.id] })).body.id;
    userId = (await one.call("POST", "/api/v1/users", { name: "someone", templateIds: [templateId] })).body.id;
    nodeId = (
      await one.call("POST", "/api/v1/nodes", { name: "n", address: "127.0.0.1", port: agent.port, templateId })
    ).body.id;
    await until(async () => (await one.call("GET", `/api/v1/nodes/${nodeId}`)).body.status === "connected");
  });
  afterAll(async () => {
    await agent.stop();
    await panels[1].dispose();
    await panels[0].dispose();
    await rm(directory, { recursive: true, force: true });
  });
  const onBoth = (method: string, path: string, body?: unknown) =>
    Promise.all(panels.map((panel) => panel.call(method, path, body)));

  // rule nodes.live.5
  test("sessions, addresses and closing are the same on both", async () => {
    const about = { nodeId, node: "n" };
    for (const { status, body } of await onBoth("GET", `/api/v1/users/${userId}/connections`)) {
      expect([status, body]).toEqual([200, [{ ...about, inbound: "in", sessions: 2 }]]);
    }
    for (const { body } of await onBoth("GET", `/api/v1/users/${userId}/addresses`))
      expect(body).toMatchObject([{ ...about, address: "192.0.2.1" }]);
    for (const { body } of await onBoth("GET", `/api/v1/users/${userId}/connections/${nodeId}`))
      expect(body).toMatchObject({ supported: true, total: 2 });
    const all = { nodeId: 0, inbound: "", outbound: "" };
    for (const named of [{}, all, { nodeId }]) {
      const before = engine.calls.length;
      for (const { body } of await onBoth("POST", `/api/v1/users/${userId}/connections/close`, named)) {
        expect(body).toEqual({ results: [{ ...about, closed: 2 }] });
      }
      expect(engine.calls.slice(before)).toEqual([`close user:${userId}`, `close user:${userId}`]);
    }
    const log = await panels[0].call("GET", `/api/v1/changes?key=users&entityId=${userId}&action=connections.close`);
    const told: { readonly nodeId?: number }[] = log.body.items.map(({ obj }: { obj: object }) => obj);
    // Two processes write records of one second: either record may come first.
    expect(told.toSorted((one, other) => (one.nodeId ?? 0) - (other.nodeId ?? 0))).toEqual([
      ...Array.from({ length: 4 }, () => ({ userId, closed: 2 })),
      ...Array.from({ length: 2 }, () => ({ userId, nodeId, closed: 2 })),
    ]);
  });

  // rule resellers.follow.4
  test("a reseller that is closed on either is served by no node, whichever of the two holds the link", async () => {
    const account = { username: "mina", role: "resale" };
    const { body } = await panels[0].call("POST", "/api/v1/admins", { ...account, password: "correct horse" });
    await panels[0].call("PATCH", `/api/v1/users/${userId}`, { adminId: body.id });
    for (const [index, panel] of panels.entries()) {
      const ends = async (expiry: number) =>
        expect((await panel.call("PUT", `/api/v1/admins/${body.id}`, { ...account, expiry })).status).toBe(200);
      const stands = async () => (await panels[1 - index]?.call("GET", `/api/v1/users/${userId}`))?.body.disabledReason;
      await ends(1);
      await until(() => !engine.served.includes(userId));
      await until(async () => (await stands()) === "resale-expiry");
      await ends(0);
      await until(() => engine.served.includes(userId));
      await until(async () => (await stands()) === "");
    }
    await panels[1].call("PATCH", `/api/v1/users/${userId}`, { adminId: 0 });
  });

  // rule users.rotate.3
  test("what a rotated account has open ends after its new credentials, asked of either", async () => {
    for (const panel of panels) {
      const before = engine.calls.length;
      const path = `/api/v1/users/${userId}/sub/rotate`;
      expect((await panel.call("POST", path, { credentials: true, closeSessions: true })).status).toBe(200);
      const calls = await until(() => {
        const since = engine.calls.slice(before);
        return since.includes(`close user:${userId}`) && since;
      });
      expect(calls).toHaveLength(2);
      expect(calls[1]).toBe(`close user:${userId}`);
    }
  });

  test("both show what the node said last, in lists and alone", async () => {
    for (const panel of panels) {
      const shown = await until(async () => {
        const { body } = await panel.call("GET", `/api/v1/nodes/${nodeId}`);
        return body.live && body;
      });
      expect(shown).toMatchObject({ online: 0, live: { uptime: expect.any(Number) } });
      const listed = await panel.call("GET", "/api/v1/nodes");
      expect(listed.body.items.find(({ id }: { id: number }) => id === nodeId).live).toBeDefined();
      expect((await panel.call("PUT", `/api/v1/nodes/${nodeId}`, { remark: panel.directory })).body.live).toBeDefined();
    }
  });

  // rule nodes.sync.3
  test("a sync asked of either answers when the agent runs what was written before, on either", async () => {
    for (const [index, panel] of panels.entries()) {
      const tag = `in-${index}`;
      const other = panels[1 - index];
      const inbound = await other?.call("POST", "/api/v1/inbounds", {
        tag,
        type: "vless",
        config: { listen_port: 5000 + index },
      });
      await other?.call("PUT", `/api/v1/templates/${templateId}`, { inboundIds: [inbound?.body.id] });
      const { status, body } = await panel.call("POST", `/api/v1/nodes/${nodeId}/sync`);
      expect([status, body]).toMatchObject([200, { applied: true, warnings: [] }]);
      expect(engine.calls.at(-1)).toBe(`apply inbound:${inbound?.body.id}`);
    }
  });

  test("an agent that refuses what is wanted is 502 on both", async () => {
    engine.refuses = "no room";
    expect(
      (await panels[0].call("PUT", `/api/v1/templates/${templateId}`, { core: { log: { level: "warn" } } })).status,
    ).toBe(200);
    const [one, two] = await onBoth("POST", `/api/v1/nodes/${nodeId}/sync`);
    expect([one?.status, two?.status]).toEqual([502, 502]);
    // Whichever holds the link, its engine's own words.
    expect(one?.body.cause).toMatchObject({ code: "refused", detail: expect.stringContaining("no room") });
    expect(two?.body.cause).toEqual(one?.body.cause);
    engine.refuses = "";
    await until(async () => (await panels[1].call("POST", `/api/v1/nodes/${nodeId}/sync`)).status === 200);
  });

  test("a local agent runs beside the panel that made it, and ends when the other one deletes the node", async () => {
    const port = await freePort();
    const [one, two] = panels;
    const made = await two.call("POST", "/api/v1/nodes", { name: "local", address: "127.0.0.1", port, isLocal: true });
    const home = (panel: WholePanel) => join(panel.directory, "agents", String(made.body.id));
    await until(
      async () => (await one.call("GET", `/api/v1/nodes/${made.body.id}`)).body.status === "connected",
      30_000,
    );
    expect([one, two].map((panel) => existsSync(home(panel)))).toEqual([false, true]);
    await one.restart();
    expect([one, two].map((panel) => existsSync(home(panel)))).toEqual([false, true]);
    const moved = await freePort();
    await one.call("POST", `/api/v1/nodes/${made.body.id}/move`, { address: "127.0.0.1", port: moved });
    await until(() => findAgent(home(two))?.listen === `127.0.0.1:${moved}`, 30_000);
    await one.call("DELETE", `/api/v1/nodes/${made.body.id}`);
    await until(() => findAgent(home(two)) === undefined && !existsSync(home(two)));
  });

  // rule nodes.switch.4
  test("a node is deleted on either with its engine stopped", async () => {
    const { id: another } = (
      await panels[0].call("POST", "/api/v1/nodes", { name: "gone", address: "127.0.0.1", port: 1, enabled: false })
    ).body;
    for (const panel of panels) expect((await panel.call("POST", `/api/v1/nodes/${another}/sync`)).status).toBe(409);
    expect((await panels[1].call("DELETE", `/api/v1/nodes/${another}`)).body).toEqual({ ok: true, stopped: false });
    engine.closed = "";
    // Whichever of the two does not hold it has it stopped by the other.
    const asked = await Promise.all(panels.map((panel) => panel.call("DELETE", `/api/v1/nodes/${nodeId}`)));
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200, 404]));
    expect(asked.find(({ status }) => status === 200)?.body).toEqual({ ok: true, stopped: true });
    expect(engine.closed).toBe("stop");
  });
});

/** A port that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
