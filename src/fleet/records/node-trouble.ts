// Why a node does not serve, and how often it has failed: read from the chart's state, so every page shows the same.
import { StoredCause, type ShownCause } from "./cause.schema.ts";
import type { NodeRow } from "./node.entity.ts";

/** Failed attempts since the node stopped serving. */
export function failuresOf({ mctx }: Pick<NodeRow, "mctx">): number {
  return Number(mctx["failures"] ?? 0);
}

/** States that end with the next attempt. */
const PAUSES: ReadonlySet<string> = new Set(["error.waiting", "error.duplicate", "linked.refused.waiting"]);

/** Unix seconds of when the chart tries the node again by itself; 0: it waits for nothing of that kind. */
export function nextAttemptAt({ mstate, mctx, msince }: Pick<NodeRow, "mstate" | "mctx" | "msince">): number {
  return PAUSES.has(mstate) ? Math.ceil((msince + Number(mctx["retryIn"] ?? 0)) / 1000) : 0;
}

/** What keeps a node from serving. Between two attempts it is the cause of the last failure. */
export function nodeCause({ mstate, mctx, message }: Pick<NodeRow, "mstate" | "mctx" | "message">): ShownCause | null {
  if (mstate === "disabled.manual") return null;
  const stored = StoredCause.safeParse(mctx["cause"]).data ?? causeBefore(mstate, mctx);
  return stored ? { ...stored, detail: message } : null;
}

/** The cause of a row that was written before charts knew causes. */
function causeBefore(mstate: string, mctx: Readonly<Record<string, unknown>>): StoredCause | undefined {
  if (mstate === "disabled.limit") return { code: "limit", values: [] };
  if (mstate === "disabled.licence") return { code: "licence", values: [] };
  const { data } = StoredCause.shape.code.safeParse(mctx["failed"]);
  return data && { code: data, values: data === "duplicate" ? [Number(mctx["holder"] ?? 0)] : [] };
}
