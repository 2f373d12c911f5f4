// Leaves out of a structure what an agent does not understand: that is not sent, and the node says so
// (`protocol/abilities.ts`).
import type { Understanding } from "../../protocol/abilities.ts";
import { notice } from "../records/notices.ts";
import type { DesiredNode } from "./structures.ts";
import { DesiredStructure, StructurePart, wanted } from "./structure-part.ts";

type Understands = Pick<Understanding, "object">;

/** The same where the agent understands all of it. */
export function understoodBy(understands: Understands, node: DesiredNode): DesiredNode {
  const { structure } = node;
  const shared = understoodPart(understands, structure.shared);
  const own = understoodPart(understands, structure.own);
  if (shared === structure.shared && own === structure.own) return node;
  return { ...node, structure: new DesiredStructure(shared, own, structure.told) };
}

/** By part and the kinds that are left out: old agents of a template share one, too. */
const UNDERSTOOD = new WeakMap<StructurePart, Map<string, StructurePart>>();

function understoodPart(understands: Understands, part: StructurePart): StructurePart {
  const foreign = part.kinds.filter((kind) => !understands.object(kind));
  if (foreign.length === 0) return part;
  const known = UNDERSTOOD.get(part) ?? new Map<string, StructurePart>();
  UNDERSTOOD.set(part, known);
  const key = foreign.toSorted().join();
  const kept = known.get(key) ?? withoutKinds(part, new Set(foreign));
  known.set(key, kept);
  return kept;
}

function withoutKinds({ entries }: StructurePart, kinds: ReadonlySet<string>): StructurePart {
  return new StructurePart(
    new Map(
      [...entries].map(([key, entry]) => {
        if (!entry.object || !kinds.has(entry.object.kind)) return [key, entry];
        const detail = `${key} is left out: the node's agent is too old for it, update the agent`;
        return [key, wanted(undefined, [...entry.notices, notice("agent_too_old", [key], detail)])];
      }),
    ),
  );
}
