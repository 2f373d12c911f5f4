// Leaves out of a structure what an agent does not understand: that is not sent, and the node says so
// (`protocol/abilities.ts`).
import { digestStructure } from "../../protocol/digest.ts";
import type { Understanding } from "../../protocol/abilities.ts";
import type { Structure } from "../../protocol/plan.ts";
import { notice } from "../records/notices.ts";
import type { DesiredNode } from "./structures.ts";

/** Kinds of the objects of a structure. It is asked for at every push, and nodes of a template share one. */
const kinds = new WeakMap<Structure, readonly string[]>();

function kindsIn(objects: Structure): readonly string[] {
  const known = kinds.get(objects) ?? [...new Set(Object.values(objects).map(({ kind }) => kind))];
  kinds.set(objects, known);
  return known;
}

/** The same where the agent understands all of it, which nodes of a template then share. */
export function understoodBy(understands: Pick<Understanding, "object">, wanted: DesiredNode): DesiredNode {
  const { structure } = wanted;
  if (kindsIn(structure.objects).every((kind) => understands.object(kind))) return wanted;
  const foreign = new Set(
    Object.entries(structure.objects).flatMap(([key, { kind }]) => (understands.object(kind) ? [] : [key])),
  );
  const digests = withoutKeys(structure.digests, foreign);
  const left = [...foreign].map((key) =>
    notice("agent_too_old", [key], `${key} is left out: the node's agent is too old for it, update the agent`),
  );
  return {
    ...wanted,
    structure: {
      ...structure,
      objects: withoutKeys(structure.objects, foreign),
      digests,
      digest: digestStructure(digests),
      notices: [...structure.notices, ...left],
    },
  };
}

function withoutKeys<V>(all: Readonly<Record<string, V>>, keys: ReadonlySet<string>): Record<string, V> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => !keys.has(key)));
}
