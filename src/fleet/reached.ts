// The answer of an agent, or a refusal that says why there is none: a sentence, and the cause as a code with values.
import { StoreUnavailable } from "../db/index.ts";
import { refuse } from "../http/index.ts";
import { causeOf, messageOf } from "./link-failure.ts";
import type { NodeRow } from "./node.entity.ts";
import { nodeCause } from "./node.schema.ts";
import { NodeNotConnected } from "./read-links.ts";

/** A node as it was before the request. If it was not connected then, its row knows the cause. */
type Known = Pick<NodeRow, "mstate" | "mctx" | "message">;

/** Resolves to the agent's answer. Silence and refusals become 502. A database that is down stays its own error. */
export async function reached<T>(answer: Promise<T>, node?: Known): Promise<T> {
  try {
    return await answer;
  } catch (failure) {
    if (failure instanceof StoreUnavailable) throw failure;
    return refuseUnreached(failure, node);
  }
}

export function refuseUnreached(failure: unknown, node?: Known): never {
  const apart = failure instanceof NodeNotConnected;
  const message = apart ? failure.message : `the node did not answer: ${messageOf(failure)}`;
  const known = apart && node ? nodeCause(node) : null;
  const cause = known ?? { ...causeOf(failure), detail: messageOf(failure) };
  return refuse("upstream", { message, cause: failure, extra: { cause } });
}
