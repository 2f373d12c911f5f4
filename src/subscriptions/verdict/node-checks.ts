// What the nodes of an account say of it. One that serves the account is enough: what the others lack is a note beside
// `ok`, which counts them, and names them for readers who may see nodes.
import { failed, FINE, UNKNOWN, type Finding } from "./finding.ts";
import type { NodeStanding } from "../serving-fleet.ts";

/** A node as it serves an account. */
export interface NodeReach extends Omit<NodeStanding, "listens"> {
  /** The account's inbounds there, and whether each is served. */
  readonly places: readonly { readonly tag: string; readonly listens: boolean }[];
}

type Nodes = readonly NodeReach[];

/** Nodes that a note or a failure names. */
const MOST_NAMED = 10;

/**
 * Says how many nodes (or inbounds) something is true of, and names them: "1 of 2 nodes … : a, b". `one` and `several`:
 * the texts for one and for more.
 */
function about(
  count: number,
  of: number,
  [one, several]: readonly [string, string],
  labels: readonly string[],
): Pick<Finding, "text" | "values"> {
  const named = labels.slice(0, MOST_NAMED);
  return {
    text: `${count} of ${of} ${count === 1 ? one : several}${named.length > 0 ? `: ${named.join(", ")}` : ""}`,
    values: [count, of, ...named],
  };
}

const DOWN = ["nodes does not serve it now", "nodes do not serve it now"] as const;
const OLDER = [
  "nodes runs an older configuration, since its engine refuses the new one",
  "nodes run an older configuration, since their engines refuse the new one",
] as const;
const UNACKNOWLEDGED = [
  "nodes has not acknowledged its latest state",
  "nodes have not acknowledged its latest state",
] as const;
const LEFT_OUT = ["inbounds is not served", "inbounds are not served"] as const;

const namesOf = (nodes: Nodes, names: boolean): string[] => (names ? nodes.map(({ name }) => name) : []);

/** Whether a node with its inbounds answers and runs something. A silent one is heard of in `applied`. */
export function reached(nodes: Nodes, names: boolean): Finding {
  if (nodes.length === 0) return failed("no_node", "no node that is switched on has its inbounds");
  const linked = nodes.filter(({ state }) => state !== "away");
  const up = nodes.filter(isUp);
  const values = [nodes.length, ...namesOf(nodes, names).slice(0, MOST_NAMED)];
  if (linked.length === 0) return failed("not_connected", "none of the nodes that serve it is connected", { values });
  if (up.length === 0) return failed("not_running", "the engines of the nodes that serve it run nothing", { values });
  const down = nodes.filter((node) => !isUp(node));
  if (down.length === 0) return { ...FINE, values: [up.length, nodes.length] };
  return { ...FINE, code: "some_nodes", ...about(down.length, nodes.length, DOWN, namesOf(down, names)) };
}

const isUp = ({ state }: NodeReach): boolean => state === "serving" || state === "silent";

/** Whether the nodes that run have acknowledged the account's latest state. */
export function applied(nodes: Nodes, names: boolean): Finding {
  const up = nodes.filter(isUp);
  if (up.length === 0) return UNKNOWN;
  const told = (which: Nodes, text: readonly [string, string]) => ({
    ...about(which.length, up.length, text, namesOf(which, names)),
    since: oldest(which),
  });
  const refusing = told(
    up.filter(({ refused }) => refused),
    OLDER,
  );
  const missing = up.filter(({ latest }) => !latest);
  const pending = missing.filter(({ refused }) => !refused);
  const waiting = told(pending, UNACKNOWLEDGED);
  if (missing.length === up.length)
    return pending.length > 0
      ? failed("unacknowledged", waiting.text, waiting)
      : failed("behind", refusing.text, refusing);
  if (pending.length > 0) return { ...UNKNOWN, code: "unacknowledged", ...waiting };
  return up.some(({ refused }) => refused) ? { ...FINE, code: "behind", ...refusing } : FINE;
}

/** Since when one of them runs what it runs; 0: one has acknowledged nothing yet. */
const oldest = (nodes: Nodes): number =>
  nodes.length === 0 ? 0 : Math.min(...nodes.map(({ appliedAt }) => appliedAt));

/** Whether one of its inbounds is served, where its latest state is. What an idle node has is served nowhere there. */
export function listening(nodes: Nodes, names: boolean): Finding {
  const some = nodes.some(({ latest }) => latest);
  const heard = nodes.filter(({ state, latest }) => state === "idle" || (state === "serving" && (latest || !some)));
  const places = heard.flatMap((node) => node.places.map((place) => ({ ...place, name: node.name })));
  if (places.length === 0) return UNKNOWN;
  const out = places.filter(({ listens }) => !listens);
  const labels = out.map(({ tag, name }) => (names ? `${tag} (${name})` : tag));
  if (out.length === 0) return { ...FINE, values: [places.length, places.length] };
  const left = about(out.length, places.length, LEFT_OUT, labels);
  if (out.length < places.length) return { ...FINE, code: "some_left_out", ...left };
  const text = `its nodes serve none of its inbounds: ${labels.slice(0, MOST_NAMED).join(", ")}`;
  return failed("not_listening", text, { values: [0, places.length, ...labels.slice(0, MOST_NAMED)] });
}
