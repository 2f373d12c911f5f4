// What any of two panels on one PostgreSQL can do with nodes whose links the other holds: ask, sync, stop, see what
// they said, and change what they run.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ACCOUNTS_CHANGED } from "../../src/accounts/testing.ts";
import { TemplateRows } from "../../src/pool/index.ts";
import { Facts, lock, sql } from "../../src/db/index.ts";
import { EMPTY_BUCKET } from "../../src/protocol/digest.ts";
import { dialects } from "../database.ts";
import { PanelSide, until } from "./panel-side.ts";

describe.skipIf(!dialects.includes("postgresql"))("two panels on PostgreSQL", () => {
  let one: PanelSide;
  let two: PanelSide;
  let addresses = 0;

  beforeAll(async () => {
    one = await PanelSide.openShared();
    two = await one.beside();
    await until(() =>
      [one, two].every(
        ({ shards }) => Array.from({ length: 64 }, (_, id) => id).filter((id) => shards.holds(id)).length === 32,
      ),
    );
  });
  afterAll(async () => {
    await two.dispose();
    await one.dispose();
  });

  /** A node that serves, the panel that holds it and the other one. */
  async function served() {
    const address = `127.0.2.${++addresses}`;
    const id = await one.addNode(address);
    await one.reaches(id, "linked.connected");
    const [holder, other] = one.fleet.link(id) ? [one, two] : [two, one];
    expect(other.fleet.link(id)).toBeUndefined();
    return { id, address, holder, other };
  }
  const agrees = (panel: PanelSide, id: number, template: number) =>
    until(async () => {
      const { buckets } = await panel.fleet.questions.ask(id, "state.digests", {}, 3000);
      return JSON.stringify(buckets) === JSON.stringify(panel.fleet.users.buckets(template));
    });

  test("each node is held by one of them, and both can ask it and all", async () => {
    const nodes = [await served(), await served(), await served()];
    for (const { id, holder, other } of nodes) {
      const [here, there] = await Promise.all(
        [holder, other].map((panel) => panel.fleet.questions.ask(id, "state.report", {}, 3000)),
      );
      expect(here?.applied).toEqual(there?.applied);
    }
    const ids = nodes.map(({ id }) => id);
    for (const panel of [one, two]) {
      const asked = await panel.fleet.questions.askAll("addresses.list", { userId: 1 }, 3000);
      expect(
        asked
          .filter(({ ok, nodeId }) => ok && ids.includes(nodeId))
          .map(({ nodeId }) => nodeId)
          .toSorted((a, b) => a - b),
      ).toEqual(ids);
    }
  });

  // rule nodes.live.4
  test("a node that nobody reaches is not asked, and says so at once", async () => {
    const id = await one.addNode("127.0.2.250", { enabled: false });
    for (const panel of [one, two]) {
      await expect(panel.fleet.questions.ask(id, "state.report", {}, 3000)).rejects.toThrow(
        "the node is not connected",
      );
      await expect(panel.fleet.holderRequests.sync(id, 3000)).rejects.toThrow("the node is not connected");
      expect(await panel.fleet.holderRequests.standDown(id, 3000)).toBe(false);
    }
  });

  // rule nodes.live.1
  test("what a node said last is known to both", async () => {
    const { id, holder, other } = await served();
    const figures = async (panel: PanelSide) => (await panel.fleet.live.of([id])).get(id)?.figures;
    // A heartbeat may come between the two looks; it reaches the other one a little later.
    await vi.waitFor(async () => {
      const said = await figures(holder);
      expect(said).toBeDefined();
      expect(await figures(other)).toEqual(said);
    }, 15_000);
    expect(other.fleet.live.get(id)).toBeUndefined();
    await one.editNode(id, { enabled: false }, { type: "switchOff" });
    expect((await other.fleet.live.of([id])).get(id)).toBeUndefined();
  });

  // rule nodes.progress.2
  test("both say alike how far a node is", async () => {
    const { id, holder, other } = await served();
    const progress = async (panel: PanelSide) => (await panel.fleet.progress.of([await panel.node(id)])).get(id);
    await vi.waitFor(async () => {
      const said = await progress(holder);
      expect(said?.revision).toBe(said?.applied);
      expect(said?.applied).toBeGreaterThan(0);
      expect(await progress(other)).toEqual(said);
    }, 15_000);
    const before = await progress(holder);
    const template = one.templates.get(1);
    const changed = { ...template, inbounds: [{ id: 1, tag: "in-1", type: "vless", config: { listen_port: 450 } }] };
    for (const each of [one, two]) each.templates.set(1, changed as NonNullable<typeof template>);
    await other.db.commits.submit({
      name: "template",
      locks: [lock(TemplateRows, 1)],
      decide: (draft) => draft.update(TemplateRows, 1, { updatedAt: 450 }),
    });
    // The one that changed it knows at once that the node lacks it, or has it by now.
    expect((await progress(other))?.revision).toBeGreaterThan(before?.applied ?? 0);
    await vi.waitFor(async () => {
      const said = await progress(holder);
      expect(said?.applied).toBeGreaterThan(before?.applied ?? 0);
      expect(await progress(other)).toEqual(said);
    }, 15_000);
  });

  // rules nodes.sync.3, nodes.progress.2
  test("the number that a sync answers is what the node has acknowledged, also where its link is elsewhere", async () => {
    const { id, holder, other } = await served();
    const progress = async (panel: PanelSide) => (await panel.fleet.progress.of([await panel.node(id)])).get(id);
    for (const panel of [other, holder]) {
      await panel.addUser();
      const { revision } = await panel.fleet.holderRequests.sync(id, 10_000);
      expect(await progress(panel)).toMatchObject({ revision, applied: revision });
    }
  });

  // rule nodes.sync.3
  test("a sync asked of either answers once the agent runs what is wanted, with what the template is by then", async () => {
    const { id, holder, other } = await served();
    for (const [port, panel] of [
      [444, other],
      [445, holder],
    ] as const) {
      const template = one.templates.get(1);
      const changed = { ...template, inbounds: [{ id: 1, tag: "in-1", type: "vless", config: { listen_port: port } }] };
      for (const each of [one, two]) each.templates.set(1, changed as NonNullable<typeof template>);
      await panel.db.commits.submit({
        name: "template",
        locks: [lock(TemplateRows, 1)],
        decide: (draft) => draft.update(TemplateRows, 1, { updatedAt: port }),
      });
      const { revision } = await panel.fleet.holderRequests.sync(id, 10_000);
      const { structure } = await panel.desired(id);
      const { applied } = await panel.fleet.questions.ask(id, "state.report", {}, 3000);
      expect(applied).toMatchObject({ revision, structure: structure.digest });
    }
  });

  test("accounts changed on either reach the agent, also when they are changed set by set", async () => {
    const { id, other } = await served();
    const user = await other.addUser();
    await agrees(one, id, 1);
    await agrees(two, id, 1);
    await other.editUser(user, { enable: false }, { type: "switchOff" });
    await other.db.commits.execute({
      name: "all of them",
      statements: [other.db.reads.statement("speed", sql`update users set speed_limit = 7`)],
      facts: new Facts().add(ACCOUNTS_CHANGED, { templateId: 0 }),
    });
    await other.fleet.holderRequests.sync(id, 10_000);
    await agrees(one, id, 1);
    await agrees(two, id, 1);
  });

  test("a multiplier or another template written by one is followed by the holder", async () => {
    const { id, holder, other } = await served();
    await other.editNode(id, { templateId: 2, multiplierMicros: 3_000_000 });
    await until(() => holder.fleet.link(id)?.templateId === 2);
    await agrees(other, id, 2);
  });

  test("an engine is stopped on the word of either, and stays stopped until the node is deleted", async () => {
    const { id, address, other } = await served();
    await other.addUser();
    await agrees(other, id, 1);
    expect(await other.fleet.holderRequests.standDown(id, 5000)).toBe(true);
    const empty = async () => (await one.askAgent(address)).every((bucket) => bucket === EMPTY_BUCKET);
    expect(await empty()).toBe(true);
    await other.editNode(id, { enabled: false }, { type: "switchOff" });
    await until(() => one.fleet.link(id) === undefined && two.fleet.link(id) === undefined);
    expect(await empty()).toBe(true);
  });
});
