// What a node's answer is believed: sessions and addresses of accounts that it serves, of those that were asked for, no
// more than were asked for, and of no time to come.
import { sql, type Reader } from "../../db/index.ts";
import type { PanelResult, SessionRow, SessionSelection } from "../../protocol/messages.ts";
import type { UserSets } from "../desired/user-sets.ts";

type Addresses = PanelResult<"addresses.list">["rows"];
type Sessions = PanelResult<"sessions.list">;

/** Addresses of one account on one node: those seen last. */
const ADDRESSES = 500;
/** Sessions that a node may say there are beyond those it tells. */
const MOST_SESSIONS = 1_000_000;

/** A node that answered, as the panel knows it. */
export interface KnownNode {
  readonly name: string;
  /** Whether it serves an account now. */
  serves(userId: number): boolean;
}

/** The nodes of some ids, from one look at the database. */
export async function knownNodes(
  reads: Reader,
  users: UserSets,
  ids: readonly number[],
): Promise<ReadonlyMap<number, KnownNode>> {
  if (ids.length === 0) return new Map();
  const [rows] = await Promise.all([
    reads.query<{ id: number; name: string; templateId: number | null }>(
      sql`select id, name, template_id as "templateId" from nodes where id in (${sql.join([...ids])})`,
    ),
    users.known(),
  ]);
  return new Map(
    rows.map(({ id, name, templateId }) => [
      id,
      { name, serves: (userId) => templateId !== null && templateId !== 0 && users.serves(templateId, userId) },
    ]),
  );
}

/** `now` in Unix seconds. */
export function believedAddresses(
  node: KnownNode | undefined,
  userId: number,
  rows: Addresses,
  now: number,
): Addresses {
  if (!node?.serves(userId)) return [];
  return rows
    .filter((row) => row.userId === userId)
    .map((row) => ({ ...row, lastSeenAt: Math.min(row.lastSeenAt, now) }))
    .toSorted((a, b) => b.lastSeenAt - a.lastSeenAt)
    .slice(0, ADDRESSES);
}

/** The sessions of the account that was asked for. `total` is what the node says where it has more than it tells. */
export function believedSessions(
  node: KnownNode | undefined,
  { userId, limit }: SessionSelection & { readonly userId: number; readonly limit: number },
  said: Sessions,
  now: number,
): Sessions {
  if (!node?.serves(userId)) return { supported: said.supported, total: 0, truncated: false, rows: [] };
  const rows: SessionRow[] = said.rows
    .filter((row) => row.userId === userId)
    .slice(0, limit)
    .map((row) => ({ ...row, startedAt: Math.min(row.startedAt, now) }));
  const truncated = said.truncated || rows.length < said.rows.length;
  const total = truncated ? Math.max(rows.length, Math.min(said.total, MOST_SESSIONS)) : rows.length;
  return { supported: said.supported, total, truncated, rows };
}

/** Sessions that a node says it closed. */
export function believedClosed(node: KnownNode | undefined, userId: number, closed: number): number {
  return node?.serves(userId) ? Math.min(closed, MOST_SESSIONS) : 0;
}
