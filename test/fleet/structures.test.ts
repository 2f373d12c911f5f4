// Desired structures: shared by nodes that want the same, made again when their template changes, and not kept for
// ever.
import { expect, test } from "vitest";
import type { Reader } from "../../src/db/index.ts";
import type { NodeRow } from "../../src/fleet/index.ts";
import type { TemplateContent } from "../../src/fleet/desired/structure.ts";
import { Structures } from "../../src/fleet/desired/structures.ts";

/** Nodes as the database has them, and how often a template was read. */
function fleet(inbounds: TemplateContent["inbounds"] = []) {
  const nodes = new Map<number, Partial<NodeRow>>();
  const state = { reads: 0, fails: false };
  const reads = { find: async (_: unknown, id: number) => nodes.get(id) } as unknown as Reader;
  const structures = new Structures(reads, async () => {
    state.reads++;
    if (state.fails) throw new Error("away");
    return { route: null, core: null, inbounds, outbounds: [] };
  });
  return { nodes, state, structures };
}

// rule nodes.sync.1
test("nodes of one template and routing share a structure until the template changes", async () => {
  const { nodes, state, structures } = fleet();
  for (const id of [1, 2]) nodes.set(id, { templateId: 7, routing: { final: "a" } });
  nodes.set(3, { templateId: 7, routing: null });
  const [one, two, three] = await Promise.all([1, 2, 3].map((id) => structures.of(id)));
  expect(two?.structure).toBe(one?.structure);
  expect(three?.structure.digest).not.toBe(one?.structure.digest);
  expect(state.reads).toBe(2);
  structures.forget();
  await structures.of(1);
  expect(state.reads).toBe(3);
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
  const { nodes, state, structures } = fleet();
  nodes.set(1, { templateId: 7, routing: { final: "kept" } });
  for (let turn = 0; turn < 3000; turn++) {
    await structures.of(1);
    nodes.set(2, { templateId: 7, routing: { final: String(turn) } });
    await structures.of(2);
  }
  expect(state.reads).toBe(3001);
  nodes.set(2, { templateId: 7, routing: { final: "0" } });
  await structures.of(2);
  expect(state.reads).toBe(3002);
});

test("a read that fails is not kept", async () => {
  const { nodes, state, structures } = fleet();
  nodes.set(1, { templateId: 7, routing: null });
  state.fails = true;
  await expect(structures.of(1)).rejects.toThrow("away");
  state.fails = false;
  expect((await structures.of(1)).templateId).toBe(7);
});
