// One agent reached as two nodes, by two of its addresses: the first keeps it and its customers, the second is in error
// and names the first, and takes over when that one lets go. An agent that claims to be another one keeps nobody out.
// With real agents, on both databases.
import { randomUUID } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAgent, type RunningAgent } from "../../src/agent/server.ts";
import { TestEngine } from "../agent/test-engine.ts";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { HostileAgent, honest } from "./hostile-agent.ts";
import { until } from "./panel-side.ts";

describe.each(dialects)("one agent and two nodes on %s", (dialect) => {
  let panel: WholePanel;
  let directory: string;
  let certificate: string;
  let templateId: number;
  const agents: RunningAgent[] = [];
  const engine = new TestEngine();
  let serial = 0;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    directory = await mkdtemp(join(tmpdir(), "signalbox-one-agent-"));
    certificate = (await panel.call("GET", "/api/v1/nodes/install/trust")).body.certificate;
    await writeFile(join(directory, "trust.pem"), certificate);
    const inbound = await panel.call("POST", "/api/v1/inbounds", {
      tag: "in",
      type: "vless",
      config: { listen_port: 4430 },
    });
    templateId = (await panel.call("POST", "/api/v1/templates", { name: "t", inboundIds: [inbound.body.id] })).body.id;
  });
  afterAll(async () => {
    for (const agent of agents) await agent.stop();
    await panel.dispose();
    await rm(directory, { recursive: true, force: true });
  });

  /** An agent on every address of this machine. */
  async function agentIn(name: string, port = 0): Promise<RunningAgent> {
    const agent = await startAgent({
      host: "0.0.0.0",
      port,
      dataDirectory: join(directory, name),
      trustFile: join(directory, "trust.pem"),
      engine: "embedded",
      privateTargets: "block",
      factories: [engine.factory],
      log: pino({ level: "silent" }),
    });
    agents.push(agent);
    return agent;
  }
  async function addNode(address: string, port: number): Promise<number> {
    const made = await panel.call("POST", "/api/v1/nodes", { name: `n${++serial}`, address, port, templateId });
    expect(made.status, made.text).toBe(200);
    return made.body.id;
  }
  const node = async (id: number, of = panel) => (await of.call("GET", `/api/v1/nodes/${id}`)).body;
  const stands = (id: number, status: string) =>
    until(async () => {
      const found = await node(id);
      return found.status === status && found;
    });
  const journal = async (id: number) =>
    (await panel.call("GET", `/api/v1/actors/node/${id}/journal?limit=50`)).body.items;

  // rule nodes.address.5
  test("the first keeps its link, the second names it; deleting the first gives the agent to the second", async () => {
    const agent = await agentIn("shared");
    const one = await addNode("127.0.0.1", agent.port);
    const first = await stands(one, "connected");
    const two = await addNode("127.0.0.2", agent.port);
    const refused = await stands(two, "error");
    expect(refused).toMatchObject({
      cause: { code: "duplicate", values: [one, first.name, `127.0.0.1:${agent.port}`] },
      attempts: 1,
    });
    expect(refused.message).toContain(first.name);
    expect(refused.since).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
    // It was looked at more than once, and the first has not noticed.
    const again = await until(async () => {
      const found = await node(two);
      return found.attempts > 2 && found;
    });
    expect(again).toMatchObject({ since: refused.since, cause: refused.cause, message: refused.message });
    const steps = (await journal(one)).map(({ to }: { to: string }) => to);
    expect(steps.toReversed()).toEqual(["linked.connecting.dialing", "linked.connecting.syncing", "linked.connected"]);
    expect(engine.calls).not.toContain("close");
    await panel.call("DELETE", `/api/v1/nodes/${one}`);
    expect(await stands(two, "connected")).toMatchObject({ cause: null, message: "", attempts: 0 });
  });

  // rule nodes.address.5
  test("switching the first off, or moving it, gives the agent to the second; on again it is the second itself", async () => {
    const agent = await agentIn("passed on");
    const one = await addNode("127.0.0.1", agent.port);
    await stands(one, "connected");
    const two = await addNode("127.0.0.3", agent.port);
    await stands(two, "error");
    await panel.call("POST", `/api/v1/nodes/${one}/enabled`, { enabled: false });
    await stands(two, "connected");
    await panel.call("POST", `/api/v1/nodes/${one}/enabled`, { enabled: true });
    expect(await stands(one, "error")).toMatchObject({
      cause: { code: "duplicate", values: [two, expect.any(String), expect.any(String)] },
    });
    await panel.call("POST", `/api/v1/nodes/${two}/move`, { address: "127.0.0.3", port: 1 });
    await stands(one, "connected");
    expect(await stands(two, "error")).toMatchObject({
      cause: { code: "connection_refused", values: ["127.0.0.3:1"] },
    });
  });

  test("it holds over restarts of panel and agent; a copied directory is the same agent", async () => {
    const agent = await agentIn("restarted");
    const one = await addNode("127.0.0.1", agent.port);
    await stands(one, "connected");
    await agent.stop();
    await panel.restart();
    const second = await addNode("127.0.0.4", agent.port);
    await agentIn("restarted", agent.port);
    await stands(one, "connected");
    const duplicateOf = (id: number) =>
      until(async () => {
        const { status, cause } = await node(id);
        return status === "error" && cause?.code === "duplicate" && cause;
      });
    expect(await duplicateOf(second)).toMatchObject({ values: [one, expect.any(String), expect.any(String)] });
    await mkdir(join(directory, "copy"));
    for (const file of ["agent.key", "agent.id"])
      await copyFile(join(directory, "restarted", file), join(directory, "copy", file));
    const copy = await agentIn("copy");
    expect(await duplicateOf(await addNode("127.0.0.1", copy.port))).toMatchObject({
      values: [one, expect.any(String), expect.any(String)],
    });
  });

  // rule nodes.address.6
  test("who says to be another agent without its key is a third: the honest one serves on, and comes back", async () => {
    const agent = await agentIn("honest");
    const one = await addNode("127.0.0.1", agent.port);
    await stands(one, "connected");
    const agentId = (await readFile(join(directory, "honest", "agent.id"), "utf8")).trim();
    const hostile = await HostileAgent.start(certificate, join(directory, "hostile.pem"));
    let said = () => agentId;
    hostile.behaviour = () => ({
      answer: (call, link) =>
        call.method === "hello" ? { ...(link.honest(call) as object), agentId: said() } : honest,
    });
    try {
      const liar = await addNode("127.0.0.1", hostile.port);
      await stands(liar, "connected");
      await panel.call("POST", `/api/v1/nodes/${one}/reconnect`);
      await until(async () => (await journal(one))[0].to === "linked.connected");
      // It changes its mind about who it is: its own links end, nobody else's.
      said = () => randomUUID();
      await panel.call("POST", `/api/v1/nodes/${liar}/reconnect`);
      expect((await stands(liar, "error")).message).toContain("another agent");
      expect(await node(one)).toMatchObject({ status: "connected" });
    } finally {
      await hostile.stop();
    }
  });

  if (dialect === "postgresql")
    test("two panels share the rule, whichever holds which node", async () => {
      const neighbour = await panel.neighbour();
      try {
        const agent = await agentIn("two panels");
        const made = await Promise.all(
          [panel, neighbour, panel, neighbour].map((each, index) =>
            each.call("POST", "/api/v1/nodes", {
              name: `p${index}`,
              address: `127.0.1.${index + 1}`,
              port: agent.port,
              templateId,
            }),
          ),
        );
        const ids: number[] = made.map(({ body }) => body.id);
        const statuses = async () =>
          (await Promise.all(ids.map((id) => node(id, neighbour)))).map(({ status }: { status: string }) => status);
        await until(async () => (await statuses()).toSorted().join() === "connected,error,error,error", 30_000);
        for (let left = 3; left > 0; left--) {
          const holder = ids[(await statuses()).indexOf("connected")];
          await neighbour.call("POST", `/api/v1/nodes/${holder}/enabled`, { enabled: false });
          const wanted = [
            "connected",
            ...Array.from({ length: left - 1 }, () => "error"),
            ...Array.from({ length: 4 - left }, () => "disabled"),
          ];
          await until(async () => (await statuses()).toSorted().join() === wanted.toSorted().join(), 30_000);
        }
      } finally {
        await neighbour.dispose();
      }
    });
});
