// A structure of two parts: what nodes share, and over it what a node has alone. An agent hears of objects only.
import { expect, test } from "vitest";
import { DesiredPlan } from "../../src/agent/desired-state.ts";
import { DesiredStructure, StructurePart, wanted } from "../../src/fleet/desired/structure-part.ts";
import { ownPart, sharedStructure, structureOf, type TemplateContent } from "../../src/fleet/desired/structure.ts";
import { planKey, type PlanObject } from "../../src/protocol/plan.ts";

const TEMPLATE: TemplateContent = {
  route: { final: "out", rules: [{ process_name: ["sshd"], outbound: "out" }] },
  core: { log: { level: "warn" } },
  inbounds: [1, 2].map((id) => ({ id, tag: `in-${id}`, type: "vless", config: { listen_port: 443 + id } })),
  outbounds: [{ tag: "out", type: "direct", config: {} }],
};

/** What an agent reports that was given this structure, whatever it had before. */
function takenBy(plan: DesiredPlan, structure: DesiredStructure): string {
  const objects = structure.difference(plan.digests().objects);
  plan.take(plan.plan({ revision: 1, objects }));
  return plan.applied().structure;
}

const partOf = (...objects: PlanObject[]) =>
  new StructurePart(new Map(objects.map((object) => [planKey(object), wanted(object)])));
const keysOf = (structure: DesiredStructure) => [...structure.objects()].map(([key]) => key);

// rule nodes.sync.1
test("the digest of both parts is the one that an agent reports over all objects", () => {
  const { part } = sharedStructure(TEMPLATE);
  const plan = new DesiredPlan();
  const inbound: PlanObject = { kind: "inbound", id: 2, tag: "in-2", type: "vless", config: { listen_port: 1 } };
  const structures = [
    new DesiredStructure(part),
    new DesiredStructure(part, ownPart({ final: "block" })),
    new DesiredStructure(part, partOf(inbound, { kind: "outbound", tag: "own", type: "direct", config: {} })),
    new DesiredStructure(part, ownPart({})),
    structureOf(undefined, { final: "out" }),
    structureOf(undefined, null),
  ];
  for (const structure of structures) expect(takenBy(plan, structure)).toBe(structure.digest);
  expect(new Set(structures.map(({ digest }) => digest)).size).toBe(structures.length);
});

test("a push takes what differs from both parts, and nothing that is equal", () => {
  const { part } = sharedStructure(TEMPLATE);
  const plan = new DesiredPlan();
  takenBy(plan, new DesiredStructure(part));
  const own = new DesiredStructure(part, ownPart({ final: "block" }));
  expect(own.difference(plan.digests().objects)).toEqual({
    put: { route: { kind: "route", route: { final: "block" } } },
    drop: [],
  });
  takenBy(plan, own);
  expect(own.difference(plan.digests().objects)).toEqual({ put: {}, drop: [] });
  const none = structureOf(undefined, null);
  expect(none.difference(plan.digests().objects).drop.toSorted()).toEqual(keysOf(own).toSorted());
});

test("an own object stands in place of the shared one with its key; its warnings do, too", () => {
  const { part } = sharedStructure(TEMPLATE);
  const shared = new DesiredStructure(part);
  expect(shared.notices).toMatchObject([{ code: "reaches_host", kind: "route" }]);
  const own = new DesiredStructure(part, ownPart({ final: "block" }));
  expect(own.notices).toEqual([]);
  expect(own.object("route")).toEqual({ kind: "route", route: { final: "block" } });
  expect(own.object("inbound:1")).toBe(shared.object("inbound:1"));
  expect(keysOf(own)).toEqual(keysOf(shared));
});

test("own routing of which nothing is left does not give way to the template's", () => {
  const { part } = sharedStructure(TEMPLATE);
  const rules = [{ process_name: ["sshd"], outbound: "out" }];
  expect(new DesiredStructure(part, ownPart({})).object("route")).toBeUndefined();
  const structure = new DesiredStructure(part, ownPart({ rules }));
  expect(structure.object("route")).toEqual({ kind: "route", route: { rules: [] } });
  expect(structure.notices).toMatchObject([
    { code: "reaches_host", kind: "route", detail: expect.stringMatching(/^routing: /) },
  ]);
});
