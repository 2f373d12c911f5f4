// What needs a person: nodes in error and actors in quarantine, oldest first. Pure.
import type { Node } from "../nodes/node.ts";
import { standingOf, type Actor, type Standing } from "../nodes/node-standing.ts";

export type Need =
  | {
      readonly kind: "node";
      readonly key: string;
      readonly since: number;
      readonly node: Node;
      readonly standing: Standing;
    }
  | { readonly kind: "fault"; readonly key: string; readonly since: number; readonly actor: Actor };

export interface NeedSources {
  /** Nodes in error, and their actors. */
  readonly nodes: readonly Node[];
  readonly actors: readonly Actor[];
  /** Actors in quarantine, of every kind. */
  readonly faults: readonly Actor[];
}

/** A node in quarantine is told once, as a quarantine: nothing else moves it. */
export function needsOf({ nodes, actors, faults }: NeedSources): readonly Need[] {
  const quarantined = faults.filter(({ fault }) => fault);
  const told = new Set(quarantined.map(({ kind, id }) => `${kind} ${id}`));
  const byId = new Map(actors.map((actor) => [actor.id, actor]));
  const needs: Need[] = quarantined.map((actor) => ({
    kind: "fault",
    key: `fault ${actor.kind} ${actor.id}`,
    since: actor.since,
    actor,
  }));
  for (const node of nodes) {
    if (told.has(`node ${node.id}`)) continue;
    const standing = standingOf(node, byId.get(String(node.id)));
    // Between two attempts a node is being dialled for a moment: it is still the node that was in error.
    needs.push({ kind: "node", key: `node ${node.id}`, since: standing.since, node, standing });
  }
  return needs.toSorted((a, b) => a.since - b.since || a.key.localeCompare(b.key));
}
