// How far nodes are: what they should run and what their agents acknowledged, linked and away; on both databases.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lock, sql } from "../../src/db/index.ts";
import { nextAttemptAt } from "../../src/fleet/records/node-trouble.ts";
import { TemplateRows } from "../../src/pool/index.ts";
import { TimerRows } from "../../src/runtime/index.ts";
import { dialects } from "../database.ts";
import { PanelSide, until } from "./panel-side.ts";

describe.each(dialects)("progress on %s", (dialect) => {
  let panel: PanelSide;
  beforeAll(async () => {
    panel = await PanelSide.open(dialect);
  });
  afterAll(() => panel.dispose());

  const progress = async (id: number) => {
    const found = (await panel.fleet.progress.of([await panel.node(id)])).get(id);
    if (!found) throw new Error(`nothing is known of node ${id}`);
    return found;
  };
  const settled = (id: number) =>
    until(async () => {
      const now = await progress(id);
      return now.applied > 0 && now.applied === now.revision && now;
    });
  const stored = async (id: number) =>
    (
      await panel.db.reads.query<{ applied: number | string }>(sql`select applied from node_progress where id = ${id}`)
    ).map(({ applied }) => Number(applied))[0];
  const editTemplate = async (port: number) => {
    const template = panel.templates.get(1);
    if (!template) throw new Error("no template");
    panel.templates.set(1, {
      ...template,
      inbounds: [{ id: 1, tag: "in-1", type: "vless", config: { listen_port: port } }],
    });
    await panel.db.commits.submit({
      name: "template",
      locks: [lock(TemplateRows, 1)],
      decide: (draft) => draft.update(TemplateRows, 1, { updatedAt: port }),
    });
  };

  // rule nodes.progress.1
  test("a node that is linked has taken what it should run, and says since when", async () => {
    const id = await panel.addNode("127.0.9.1");
    const before = Math.floor(Date.now() / 1000);
    const first = await settled(id);
    expect(Math.abs(first.appliedAt - before)).toBeLessThan(600);
    await editTemplate(444);
    const second = await until(async () => {
      const now = await settled(id);
      return now.applied > first.applied && now;
    });
    const { applied } = (await panel.fleet.link(id)?.peer?.call("state.report", {})) ?? {};
    expect(applied?.revision).toBe(second.applied);
    expect((await panel.fleet.holderRequests.sync(id, 10_000)).revision).toBe(second.applied);
    await until(async () => (await stored(id)) === second.applied);
  });

  // rule nodes.progress.2
  test("changes of users move the numbers, and write no row each", async () => {
    const id = await panel.addNode("127.0.9.2");
    const first = await settled(id);
    await until(async () => (await stored(id)) !== undefined);
    const begin = performance.now();
    const seen = new Set([await stored(id)]);
    const user = await panel.addUser();
    for (let turn = 1; turn <= 20; turn++) {
      await panel.editUser(user, { speedLimit: turn });
      await settled(id);
      seen.add(await stored(id));
    }
    const last = await settled(id);
    expect(last.applied).toBeGreaterThan(first.applied + 10);
    // The first, and one every half a minute.
    expect(seen.size).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - begin) / 30_000));
  });

  // rule nodes.progress.1
  test("a node that is away lacks what changed meanwhile, and an agent that lost all begins after the last number", async () => {
    const id = await panel.addNode("127.0.9.3");
    const first = await settled(id);
    const { port } = panel.agents;
    await panel.agents.stop();
    await until(async () => (await panel.node(id)).mstate.startsWith("error."));
    expect(await progress(id)).toEqual(first);
    await editTemplate(445);
    expect(await progress(id)).toEqual({ ...first, revision: first.applied + 1 });
    await panel.startAgents(1, port);
    const next = await settled(id);
    expect(next.applied).toBeGreaterThan(first.applied);
  });

  // rule nodes.progress.5
  test("a panel that ends and starts again knows what was acknowledged, also of agents that are away by then", async () => {
    const id = await panel.addNode("127.0.9.7");
    const first = await settled(id);
    await until(async () => (await stored(id)) !== undefined);
    const user = await panel.addUser();
    await panel.editUser(user, { speedLimit: 1 });
    const last = await until(async () => {
      const now = await settled(id);
      return now.applied > first.applied && now;
    });
    const { port } = panel.agents;
    await panel.stopPanel();
    await panel.agents.stop();
    expect(await stored(id)).toBe(last.applied);
    await panel.startPanel();
    expect(await progress(id)).toEqual(last);
    await panel.startAgents(1, port);
    await until(async () => (await settled(id)).applied > last.applied);
  });

  // rule nodes.progress.3
  test("the next attempt is the chart's timer; there is none while the node is linked or off", async () => {
    const id = await panel.addNode("127.0.9.4", { port: 1 });
    // Both are read of one pause.
    const [node, timers] = await until(async () => {
      const before = await panel.reaches(id, "error.waiting");
      const found = await panel.db.reads.rows(
        TimerRows,
        sql`select * from timers where kind = 'node' and actor_id = ${id} and name like '%error.waiting%'`,
      );
      return (await panel.node(id)).rev === before.rev && ([before, found] as const);
    });
    expect(timers.map(({ dueAt }) => Math.ceil(dueAt / 1000))).toEqual([nextAttemptAt(node)]);
    await panel.editNode(id, { enabled: false }, { type: "switchOff" });
    expect(nextAttemptAt(await panel.node(id))).toBe(0);
  });

  test("a node that never answered lacks all of what it should run; one without anything to run lacks nothing", async () => {
    const id = await panel.addNode("127.0.9.5", { port: 1 });
    expect(await progress(id)).toMatchObject({ revision: 1, applied: 0, appliedAt: 0 });
    const nothing = await panel.addNode("127.0.9.6", { port: 1, templateId: null });
    expect(await progress(nothing)).toMatchObject({ revision: 0, applied: 0, appliedAt: 0 });
  });
});
