// A node's agent sends whatever it likes to a whole panel: what of it is believed, stored, shown and answered, and how
// soon it is dialled again.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { LEDGERS_A_DAY } from "../../src/fleet/link/ledgers.ts";
import { MAX_USAGE_ROWS } from "../../src/protocol/messages.ts";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { engine, honest, HostileAgent, type Behaviour } from "./hostile-agent.ts";
import { until } from "./panel-side.ts";

describe.each(dialects)("a hostile agent on %s", (dialect) => {
  let panel: WholePanel;
  let agent: HostileAgent;
  let templateId: number;
  let inbound: number;
  let mine: number;
  let foreign: number;
  let last = 0;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    const trust = (await panel.call("GET", "/api/v1/nodes/install/trust")).body.certificate;
    agent = await HostileAgent.start(trust, join(panel.directory, "trust.pem"));
    const make = async (path: string, body: unknown): Promise<number> => {
      const made = await panel.call("POST", `/api/v1/${path}`, body);
      expect([made.status, made.text]).toEqual([200, made.text]);
      return made.body.id;
    };
    inbound = await make("inbounds", { tag: "in", type: "vless", config: { listen_port: 4430 } });
    templateId = await make("templates", { name: "t", inboundIds: [inbound] });
    const other = await make("templates", { name: "other", inboundIds: [inbound] });
    mine = await make("users", { name: "mine", templateIds: [templateId] });
    foreign = await make("users", { name: "foreign", templateIds: [other] });
  });
  const nodes: number[] = [];
  afterEach(async () => {
    agent.behaviour = () => ({});
    for (const id of nodes.splice(0)) await panel.call("DELETE", `/api/v1/nodes/${id}`);
  });
  afterAll(async () => {
    await agent.stop();
    await panel.dispose();
  });

  /** A node whose agent behaves like this. */
  const add = async (behaviour: Behaviour): Promise<{ id: number; address: string }> => {
    const address = `127.0.7.${++last}`;
    const before = agent.behaviour;
    agent.behaviour = (asked) => (asked === address ? behaviour : before(asked));
    const made = await panel.call("POST", "/api/v1/nodes", { name: address, address, port: agent.port, templateId });
    nodes.push(made.body.id);
    return { id: made.body.id, address };
  };
  const shown = async (id: number) => (await panel.call("GET", `/api/v1/nodes/${id}`)).body;
  const reaches = (id: number, status: string) =>
    until(async () => {
      const node = await shown(id);
      return node.status === status && node;
    });
  const used = async (): Promise<number> => {
    const { up, down } = (await panel.call("GET", `/api/v1/users/${mine}`)).body;
    return up + down;
  };
  const linkOf = (address: string) => until(() => agent.links.findLast((link) => link.address === address));

  // rule agents.message.3
  test("a greeting of megabytes is not taken, and what fits is stored short, in plain lines", async () => {
    const big = "x".repeat(4_000_000);
    const giant = await add({
      answer: (call, link) => (call.method === "hello" ? { ...(link.honest(call) as object), arch: big } : honest),
    });
    expect((await reaches(giant.id, "error")).message.length).toBeLessThan(400);
    const sly = await add({
      answer: (call, link) => {
        const { method } = call;
        const text = `a\u0000b\u202e\ud800${"y".repeat(1500)}`;
        const said = { ...(link.honest(call) as object), warnings: Array.from({ length: 4 }, () => text) };
        if (method === "hello")
          return {
            ...said,
            warnings: [],
            arch: text,
            setup: text,
            agentVersion: text,
            engine: { ...engine, version: "1" },
          };
        return method === "state.report" || method === "state.apply"
          ? { ...said, warnings: Array.from({ length: 100 }, () => text) }
          : honest;
      },
    });
    const node = await reaches(sly.id, "connected");
    expect(node.arch).toMatch(/^a b {1,2}y+…$/);
    for (const text of [node.arch, node.setup, node.nodeVersion])
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(200);
    expect(Buffer.byteLength(JSON.stringify(node.warnings))).toBeLessThan(10_000);
    expect(Buffer.byteLength((await panel.call("GET", "/api/v1/nodes")).text)).toBeLessThan(50_000);
  });

  // rule agents.message.1
  test("three wrong messages are an error that says so, and each dial comes later, however well it answers in between", async () => {
    const { id, address } = await add({
      synced: (link) => {
        for (let n = 0; n < 9; n++) link.notify("heartbeat", { rows: Array.from({ length: 1000 }, () => -1) });
      },
    });
    const node = await reaches(id, "error");
    expect(node.message).toMatch(/^the agent sent 3 wrong messages, the last: heartbeat: at: /);
    const times = await until(() => {
      const own = agent.dials.filter((dial) => dial.address === address);
      return own.length >= 4 && own.map(({ at }) => at);
    }, 30_000);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    // From the second on at least half of 2 s, 4 s …
    expect(pauses[1]).toBeGreaterThan(1000);
    expect(pauses[2]).toBeGreaterThan(2000);
  });

  // rule nodes.live.2
  test("sessions and addresses of accounts that it does not serve are nobody's", async () => {
    const at = 4_000_000_000;
    const rowsOf = (ids: number[]) =>
      ids.map((userId) => ({
        userId,
        inboundId: 1,
        inbound: "in",
        outbound: "direct",
        network: "tcp",
        source: "198.51.100.7:1",
        destination: "x:1",
      }));
    const { id } = await add({
      answer: ({ method }) => {
        const ids = [mine, foreign, mine, 999];
        if (method === "addresses.list")
          return { rows: ids.map((userId) => ({ userId, inboundId: 1, address: "203.0.113.66", lastSeenAt: at })) };
        if (method === "sessions.list") {
          const rows = rowsOf(ids).map((row, n) => ({ ...row, id: `${n}`, up: 0, down: 0, startedAt: at }));
          return { supported: true, total: 1e15, truncated: true, rows };
        }
        return method === "sessions.close" ? { supported: true, closed: 1e15 } : honest;
      },
    });
    await reaches(id, "connected");
    const get = async (userId: number, what: string) =>
      (await panel.call("GET", `/api/v1/users/${userId}/${what}`)).body;
    expect(await get(foreign, "addresses")).toEqual([]);
    expect(await get(foreign, "connections")).toEqual([]);
    expect(await get(foreign, `connections/${id}`)).toMatchObject({ rows: [], total: 0 });
    expect(
      (await panel.call("POST", `/api/v1/users/${foreign}/connections/close`, { nodeId: id })).body.results,
    ).toMatchObject([{ closed: 0 }]);
    const own = await get(mine, "addresses");
    expect(own).toHaveLength(2);
    expect(own[0].lastSeenAt).toBeLessThanOrEqual(Date.now() / 1000 + 1);
    const listed = await get(mine, `connections/${id}`);
    expect(listed.rows).toHaveLength(2);
    expect(listed.total).toBeLessThanOrEqual(1_000_000);
  });

  // rule usage.count.2
  test("of 300 fresh ledgers a handful is taken, and it is said", async () => {
    const { id, address } = await add({});
    await reaches(id, "connected");
    const link = await linkOf(address);
    const answers = [];
    for (let n = 0; n < 300; n++) answers.push(await link.usage([[mine, 1, 1, 1, 1]], 1, randomUUID()));
    expect(answers.filter((answer) => "result" in answer)).toHaveLength(LEDGERS_A_DAY);
    expect(JSON.stringify(answers.at(-1))).toContain("ledgers within a day");
    await until(async () =>
      (await shown(id)).warnings.some((warning: string) => warning.includes("ledgers within a day")),
    );
  });

  test("a batch of 200,000 rows, as agents of older versions send it, is counted whole, whatever comes with it", async () => {
    const { id, address } = await add({});
    await reaches(id, "connected");
    const link = await linkOf(address);
    const before = await used();
    const rows = Array.from({ length: MAX_USAGE_ROWS }, (_, n) => [mine, inbound, 1 + (n % 7), 2, 1]);
    const sum = rows.reduce((all, row) => all + (row[2] ?? 0) + 2, 0);
    const answers = await Promise.all([
      link.usage(rows, 1),
      link.usage([[mine, inbound, 5, 0, 1]], 2),
      link.usage(rows, 3),
    ]);
    expect(answers.map(({ result }) => result)).toEqual([1, 2, 3].map((acknowledged) => ({ acknowledged })));
    expect((await used()) - before).toBe(2 * sum + 5);
  });

  // rule usage.refused.1
  test("of 150,000 rows of nobody's, the largest thousand are kept, the rest is one sum, and what is lawful among them counts", async () => {
    const { id, address } = await add({});
    await reaches(id, "connected");
    const link = await linkOf(address);
    const rows = Array.from({ length: 150_000 }, (_, n) => [n === 77_000 ? mine : 1_000_000 + n, inbound, 1 + n, 0, 1]);
    const before = await used();
    expect(await link.usage(rows, 1)).toMatchObject({ result: { acknowledged: 1 } });
    expect((await used()) - before).toBe(77_001);
    const refused = async (offset: number) =>
      (await panel.call("GET", `/api/v1/nodes/${id}/usage-refusals?limit=1000&offset=${offset}`)).body;
    const all = [...(await refused(0)).items, ...(await refused(1000)).items] as { userId: number; up: number }[];
    expect(all).toHaveLength(1001);
    expect(Math.min(...all.map(({ userId, up }) => (userId === 0 ? Infinity : up)))).toBe(149_001);
    expect(all.reduce((sum, { up }) => sum + up, 0)).toBe((150_000 * 150_001) / 2 - 77_001);
  });

  // rule nodes.live.1
  test("figures beyond what a host can have, and users beyond those it serves, are not shown", async () => {
    const { id, address } = await add({});
    await reaches(id, "connected");
    const rejected = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`tag ${n}\u0000\ud800`, n]));
    (await linkOf(address)).notify(
      "heartbeat",
      (await linkOf(address)).heartbeat({ online: 1e12, live: { cpuPercent: 1e9, uptime: 1e15, rejected } }),
    );
    const node = await until(async () => {
      const { live, online } = await shown(id);
      return live?.uptime !== undefined && { live, online };
    });
    expect(node).toMatchObject({ online: 1, live: { cpuPercent: 100, uptime: 2 ** 32 } });
    expect(Object.keys(node.live.rejected)).toHaveLength(50);
  });

  test("an agent that takes the configuration back with every heartbeat is not pushed to with every one", async () => {
    let pushes = 0;
    const { id, address } = await add({
      answer: ({ method }) => {
        if (method === "state.digests") pushes++;
        return honest;
      },
    });
    await reaches(id, "connected");
    const link = await linkOf(address);
    const before = pushes;
    const beat = setInterval(() => {
      link.notify("heartbeat", link.heartbeat({ applied: { ...link.plan.applied(), structure: "0".repeat(32) } }));
    }, 100);
    await until(
      async () => (await shown(id)).warnings.some((warning: string) => warning.includes("growing pauses")),
      30_000,
    );
    clearInterval(beat);
    // At once, after 2 s, after 4 s: not ten times a second.
    expect(pushes - before).toBeLessThanOrEqual(4);
  });
});
