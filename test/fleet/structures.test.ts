// Desired structures: shared by nodes that want the same, made again when their template changes, and not kept for
// ever.
import { expect, test } from "vitest";
import type { Reader } from "../../src/db/index.ts";
import type { NodeRow } from "../../src/fleet/index.ts";
import type { TemplateContent } from "../../src/fleet/desired/structure.ts";
import { Structures } from "../../src/fleet/desired/structures.ts";

/** Nodes as the database has them, and how often a template was read. */
function fleet(inbounds: TemplateContent["inbounds"] = [], links = 0) {
  const nodes = new Map<number, Partial<NodeRow>>();
  const state = { reads: 0, fails: false };
  const reads = { find: async (_: unknown, id: number) => nodes.get(id) } as unknown as Reader;
  const template = async () => {
    state.reads++;
    if (state.fails) throw new Error("away");
    return { route: null, core: null, inbounds, outbounds: [] };
  };
  const structures = new Structures(reads, template, () => links);
  return { nodes, state, structures };
}

// rule nodes.sync.1
test("nodes of one template share its part until the template changes, those with routing of their own too", async () => {
  const { nodes, state, structures } = fleet();
  for (const id of [1, 2]) nodes.set(id, { templateId: 7, routing: { final: "a" } });
  nodes.set(3, { templateId: 7, routing: null });
  const [one, two, three] = await Promise.all([1, 2, 3].map(async (id) => (await structures.of(id)).structure));
  expect(two?.shared).toBe(one?.shared);
  expect(three?.shared).toBe(one?.shared);
  expect(two?.own).toBe(one?.own);
  expect(three?.digest).not.toBe(one?.digest);
  expect(state.reads).toBe(1);
  structures.forget();
  await structures.of(1);
  expect(state.reads).toBe(2);
});

test("no part is made again for one of many nodes, however many templates they have", async () => {
  const { nodes, state, structures } = fleet([], 5000);
  for (let id = 1; id <= 5000; id++) nodes.set(id, { templateId: id, routing: { final: String(id) } });
  const parts = async () => {
    const all = [];
    for (const id of nodes.keys()) all.push((await structures.of(id)).structure.own);
    return all;
  };
  const first = await parts();
  const again = await parts();
  expect(state.reads).toBe(5000);
  expect(again.every((part, index) => part === first[index])).toBe(true);
});

// rule subscriptions.entry.13
test("a node whose clients are elsewhere says which inbounds are on loopback; the structure is the others' too", async () => {
  const { nodes, structures } = fleet([{ id: 1, tag: "inside", type: "vless", config: {}, apart: true }]);
  const at = (address: string, linkAddress = "") => ({ templateId: 7, routing: null, address, linkAddress });
  nodes.set(1, at("127.0.0.1"));
  nodes.set(2, at("de.test"));
  nodes.set(3, at("127.0.0.1", "home|127.0.0.1, away|192.0.2.1"));
  nodes.set(4, at("de.test", "[::1]"));
  const [here, there, named, onItself] = await Promise.all([1, 2, 3, 4].map((id) => structures.of(id)));
  const told = [{ code: "on_loopback", kind: "inbound", tag: "inside" }];
  expect([here, onItself].map((one) => one?.structure.notices)).toEqual([[], []]);
  expect(there?.structure.notices).toMatchObject(told);
  expect(named?.structure.notices).toMatchObject(told);
  expect(there?.structure.digest).toBe(here?.structure.digest);
});

test("routings that were replaced do not stay in memory, those that are wanted do", async () => {
  const { nodes, structures } = fleet();
  const own = async (id: number, final: string) => {
    nodes.set(id, { templateId: 7, routing: { final } });
    return (await structures.of(id)).structure.own;
  };
  const kept = await own(1, "kept");
  const replaced = await own(2, "0");
  for (let turn = 1; turn < 3000; turn++) {
    expect(await own(1, "kept")).toBe(kept);
    await own(2, String(turn));
  }
  expect(await own(2, "0")).not.toBe(replaced);
  expect(await own(1, "kept")).toBe(kept);
});

test("a read that fails is not kept", async () => {
  const { nodes, state, structures } = fleet();
  nodes.set(1, { templateId: 7, routing: null });
  state.fails = true;
  await expect(structures.of(1)).rejects.toThrow("away");
  state.fails = false;
  expect((await structures.of(1)).templateId).toBe(7);
});
