// How often a node was tried in vain, as its chart remembers it: the one number behind every page.
import type { NodeRow } from "./node.entity.ts";

/** Failed attempts since the node stopped serving. */
export function failuresOf({ mctx }: Pick<NodeRow, "mctx">): number {
  return Number(mctx["failures"] ?? 0);
}
