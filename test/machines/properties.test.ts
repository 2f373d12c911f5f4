// What must be true of every chart, found by walking it: nothing waits without a deadline, and nothing gets stuck.
//
// The rule: a state in which a chart can stay is of one kind exactly.
// - It awaits something: it, or a state around it, has an `after`. Whatever is awaited may never come.
// - It rests: `meta: { rest: true }`. Nothing is under way; a person, a command or a deadline of the row's columns ends
//   it, and if none ever does, that is right.
// A state that is left in the same step (an `always` without a guard) is neither. A state that takes the result of an
// effect (`onDone`, `onError`) awaits, so it never rests.
import { readdirSync } from "node:fs";
import { StateMachine, type AnyStateMachine } from "xstate";
import { describe, expect, test } from "vitest";
import { formatState, nodesOf } from "../../src/runtime/chart.ts";

const folder = new URL("../../machines/", import.meta.url);
const charts: [string, AnyStateMachine][] = [];
for (const file of readdirSync(folder).toSorted()) {
  const exported: Record<string, unknown> = await import(new URL(file, folder).href);
  for (const value of Object.values(exported))
    if (value instanceof StateMachine) charts.push([file, value as AnyStateMachine]);
}

type Node = AnyStateMachine["root"];
const nameOf = (node: Node) => node.path.join(".");
const isLeaf = (node: Node) => node.type === "atomic" || node.type === "final";

/** A state and all around it, from within. */
function around(node: Node): Node[] {
  return node.parent ? [node, ...around(node.parent)] : [node];
}

/** Where entering a state ends, before anything that is `always` so. */
function leafOf(node: Node): Node {
  if (isLeaf(node)) return node;
  const [inner] = node.initial.target ?? [];
  if (!inner) throw new Error(`${nameOf(node)} has no first state`);
  return leafOf(inner);
}

/** States that a state can be left for, by any event, deadline or `always`, whatever guards say. */
function ways(leaf: Node): Node[] {
  return around(leaf).flatMap((node) => {
    const transitions = [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
    return transitions.flatMap(({ target }) => (target ?? []).map((each) => leafOf(each)));
  });
}

function reachable(machine: AnyStateMachine): Set<Node> {
  const seen = new Set<Node>();
  const open = [leafOf(machine.root)];
  for (let node = open.pop(); node; node = open.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    open.push(...ways(node));
  }
  return seen;
}

const isPassing = (leaf: Node) =>
  around(leaf).some(({ always }) => always?.some(({ guard }) => guard === undefined) === true);
const hasDeadline = (leaf: Node) => around(leaf).some(({ after }) => after.length > 0);
const rests = (leaf: Node) => (leaf.meta as { rest?: unknown } | undefined)?.rest === true;
const awaitsEffect = (leaf: Node) =>
  around(leaf).some(({ invoke }) =>
    invoke.some(({ onDone, onError }) => onDone !== undefined || onError !== undefined),
  );

test("there are charts to look at", () => {
  expect(charts.map(([file]) => file)).toEqual(expect.arrayContaining(["node.ts", "user.ts"]));
});

describe.each(charts)("the chart in machines/%s", (_file, machine) => {
  const leaves = nodesOf(machine.root).filter(isLeaf);
  const staying = leaves.filter((leaf) => leaf.type !== "final" && !isPassing(leaf));

  // rules nodes.status.8, inspector.chart.2
  test("states that wait for something have a deadline, and all others are marked as resting", () => {
    const wrong = staying.filter((leaf) => hasDeadline(leaf) === rests(leaf));
    expect(wrong.map(nameOf)).toEqual([]);
    expect(staying.filter((leaf) => awaitsEffect(leaf) && rests(leaf)).map(nameOf)).toEqual([]);
  });

  test("only states that can be stayed in are marked", () => {
    const marked = nodesOf(machine.root).filter(rests);
    expect(marked.filter((node) => !staying.includes(node)).map(nameOf)).toEqual([]);
  });

  // rule inspector.chart.2
  test("every state that is not final can be left", () => {
    const stuck = leaves.filter((leaf) => leaf.type !== "final" && ways(leaf).every((way) => way === leaf));
    expect(stuck.map(nameOf)).toEqual([]);
  });

  test("every state can be reached, and from it a state to stay in or to end in", () => {
    const found = reachable(machine);
    expect(leaves.filter((leaf) => !found.has(leaf)).map(nameOf)).toEqual([]);
    const arrives = (leaf: Node, seen: Set<Node>): boolean => {
      if (leaf.type === "final" || staying.includes(leaf)) return true;
      if (seen.has(leaf)) return false;
      seen.add(leaf);
      return ways(leaf).some((way) => arrives(way, seen));
    };
    expect(leaves.filter((leaf) => !arrives(leaf, new Set())).map(nameOf)).toEqual([]);
  });

  test("every state in which the chart can be has a description", () => {
    expect(leaves.filter((leaf) => !leaf.description).map(nameOf)).toEqual([]);
  });

  test("delays and effects have names, and names have a meaning", () => {
    const { delays, actors } = machine.implementations;
    for (const { config, invoke } of nodesOf(machine.root)) {
      for (const delay of Object.keys(config.after ?? {})) expect(Object.keys(delays)).toContain(delay);
      for (const { src } of invoke) expect(Object.keys(actors)).toContain(src);
    }
  });

  test("states can be stored: no two things at once, no history", () => {
    expect(
      nodesOf(machine.root)
        .filter(({ type }) => type === "parallel" || type === "history")
        .map(nameOf),
    ).toEqual([]);
    for (const leaf of leaves) {
      const value = machine.resolveState({
        value: leaf.path.reduceRight<unknown>(
          (inner, key) => (inner === undefined ? key : { [key]: inner }),
          undefined,
        ) as never,
        context: {},
      }).value;
      expect(formatState(value)).toBe(nameOf(leaf));
    }
  });
});
