// What the routes of nodes share: how a command's answer shows a node, what the audit log keeps of one, and the rights
// of a caller who chooses where the accounts' credentials go.
import type { z } from "zod";
import type { Reader } from "../../db/index.ts";
import type { Caller } from "../../http/index.ts";
import { toldRow } from "../link/disclosure.ts";
import type { Fleet } from "../live/fleet.ts";
import type { LinkIdentity } from "../link/identity.ts";
import type { NodeCommandDeps, NodeWithUsage } from "./node.commands.ts";
import { NO_PROGRESS, progressAfter } from "../records/node-progress.ts";
import { NodeRows, type NodeRow } from "../records/node.entity.ts";
import { forbiddenOf } from "./node.queries.ts";
import { nodeView, type NodeView } from "./node.schema.ts";

export interface NodeRouteDeps extends NodeCommandDeps {
  readonly reads: Reader;
  readonly fleet: Fleet;
  readonly identity: LinkIdentity;
}

/**
 * A node is sent the credentials of every account of its template. A caller who chooses the node's address or template
 * can read them there, so this needs the right to read accounts.
 */
export const SENDS_ACCOUNTS = { also: ["users:read"], sensitive: true } as const;

/**
 * How a node is shown in the answer of a command: what it said last is read before the command, whose decision awaits
 * nothing.
 */
export function viewer({ fleet, privateTargets, reads }: NodeRouteDeps) {
  return async (id: number, { scopes }: Caller): Promise<(node: NodeWithUsage) => z.input<typeof NodeView>> => {
    const before = await reads.find(NodeRows, id);
    const [said, last, progress] = await Promise.all([
      fleet.live.of([id]),
      fleet.live.lastWords([id]),
      fleet.progress.of(before ? [before] : []),
    ]);
    return ({ row, usage }) =>
      nodeView(
        toldRow(row, scopes),
        usage,
        said.get(id),
        last.get(id),
        progressAfter(progress.get(id) ?? NO_PROGRESS, before, row),
        forbiddenOf(row, privateTargets),
      );
  };
}

/** What the audit log keeps of a node: the columns that people write. */
export function auditOf(row: Readonly<NodeRow>): object {
  const {
    rev: _rev,
    mstate: _state,
    mctx: _context,
    mver: _version,
    msince: _since,
    mlast: _last,
    dueAt: _due,
    faultAt: _fault,
    faultCount: _count,
    faultMessage: _message,
    faultCause: _cause,
    troubleSince: _trouble,
    message: _why,
    updatedAt: _updated,
    ...rest
  } = row;
  return rest;
}
