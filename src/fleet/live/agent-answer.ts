// The answer of an agent, or a refusal that says why there is none: a sentence, and the cause as a code with values.
import { StoreUnavailable } from "../../db/index.ts";
import { refuse, type Caller } from "../../http/index.ts";
import { toldCause } from "../link/disclosure.ts";
import { causeOf, messageOf } from "../link/link-failure.ts";
import type { NodeRow } from "../records/node.entity.ts";
import { nodeCause } from "../records/node-trouble.ts";
import { NodeNotConnected } from "./read-links.ts";

/** A node as it was before the request. If it was not connected then, its row knows the cause. */
type Known = Pick<NodeRow, "mstate" | "mctx" | "message" | "infoSeenAt" | "address">;
type Teller = Pick<Caller, "scopes">;

/** Resolves to the agent's answer. Silence and refusals become 502. A database that is down stays its own error. */
export async function reached<T>(answer: Promise<T>, caller: Teller, node?: Known): Promise<T> {
  try {
    return await answer;
  } catch (failure) {
    if (failure instanceof StoreUnavailable) throw failure;
    return refuseUnreached(failure, caller, node);
  }
}

export function refuseUnreached(failure: unknown, { scopes }: Teller, node?: Known): never {
  const apart = failure instanceof NodeNotConnected;
  const known = apart && node ? nodeCause(node) : null;
  const cause = toldCause(known ?? { ...causeOf(failure), detail: messageOf(failure) }, scopes, node);
  const message = apart ? failure.message : `the node did not answer: ${cause.detail}`;
  return refuse("upstream", { message, cause: failure, extra: { cause } });
}
