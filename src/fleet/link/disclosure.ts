// What is told of a dial that failed (rules nodes.address). A node's address is typed by operators, and the panel dials
// it, on its own networks too: "refused", "another program" and "timed out" would make it a scanner of ports. Whoever
// may install agents on machines may know. Everybody else is told one sentence, until an agent has answered at the
// address: then it is an agent's, and what becomes of it is the operator's business. A name can lead elsewhere
// tomorrow, so behind a name that is never known.
import { isIP } from "node:net";
import type { CauseCode } from "../../../machines/node-cause.ts";
import type { Caller, Scope } from "../../http/index.ts";
import type { StoredCause } from "../records/cause.schema.ts";
import type { NodeRow } from "../records/node.entity.ts";

const NEEDED: Scope = "nodes:install";

/** Causes that tell what is at an address that is no agent's. The others need an agent that answered. */
const OF_DIALS: ReadonlySet<CauseCode> = new Set([
  "connection_refused",
  "timed_out",
  "no_route",
  "unknown_name",
  "connection_cut",
  "other_program",
  "unreachable",
  "no_certificate",
  "no_greeting",
  "ended",
  "failed",
]);

const NO_AGENT: StoredCause = { code: "no_agent", values: [] };
export const NO_AGENT_TEXT = "nothing at the node's address answers as an agent of this panel";

type Scopes = Caller["scopes"] | ReadonlySet<string>;
type Dialled = Pick<NodeRow, "infoSeenAt" | "address">;

/** Whether somebody with these scopes may know what answers on any port. */
export function mayKnowPorts(scopes: Scopes): boolean {
  return (scopes as ReadonlySet<string>).has(NEEDED);
}

/** Whether a reader with these scopes is told less of this node; without a node, of any. */
function isClosed(scopes: Scopes, node: Dialled | undefined): boolean {
  if (mayKnowPorts(scopes)) return false;
  return node === undefined || node.infoSeenAt === 0 || isIP(node.address) === 0;
}

/** A failure as a reader with these scopes is told of it. */
export function toldCause(
  why: StoredCause & { readonly detail: string },
  scopes: Scopes,
  node?: Dialled,
): StoredCause & { readonly detail: string } {
  return isClosed(scopes, node) && OF_DIALS.has(why.code) ? { ...NO_AGENT, detail: NO_AGENT_TEXT } : why;
}

/** The row as a reader with these scopes sees it: everything that is shown of a node is made of this. */
export function toldRow<R extends Dialled & Pick<NodeRow, "message" | "mctx">>(row: R, scopes: Scopes): R {
  const cause = row.mctx["cause"];
  if (!isClosed(scopes, row) || typeof cause !== "object" || cause === null || !("code" in cause)) return row;
  if (!(OF_DIALS as ReadonlySet<unknown>).has(cause.code)) return row;
  return { ...row, message: NO_AGENT_TEXT, mctx: { ...row.mctx, cause: NO_AGENT } };
}

/**
 * The fields of a node's past that a reader with these scopes does not see: the node's journal outlives its addresses.
 */
export function untoldFields(scopes: Scopes): readonly string[] {
  return isClosed(scopes, undefined) ? ["message", "cause"] : [];
}
