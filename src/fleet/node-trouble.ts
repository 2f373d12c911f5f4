// The number of failed attempts of a node, from its chart: every page shows this number.
import type { NodeRow } from "./node.entity.ts";

/** Failed attempts since the node stopped serving. */
export function failuresOf({ mctx }: Pick<NodeRow, "mctx">): number {
  return Number(mctx["failures"] ?? 0);
}
