// What a caller is told when an agent does not do what was asked.
import { StoreUnavailable } from "../db/index.ts";
import { refuse } from "../http/index.ts";
import { messageOf } from "./link-failure.ts";
import { NodeNotConnected } from "./read-links.ts";

/**
 * What the agent answered; its silence and its refusals are 502 with the reason. An absent database stays what it is.
 */
export async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof StoreUnavailable) throw cause;
    const message = cause instanceof NodeNotConnected ? cause.message : `the node did not answer: ${messageOf(cause)}`;
    return refuse("upstream", { message, cause });
  }
}
