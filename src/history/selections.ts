// Which stored sums answer a question.
import type { Selection } from "./adding-up.ts";
import { bucketOf, KINDS, type Kind } from "./sum-rows.ts";
import type { SumsQuestion, TrafficQuestion } from "./traffic-questions.ts";
import { EVERY, type Buckets } from "./stored.queries.ts";

export type Asked = Pick<TrafficQuestion, "by"> & Pick<SumsQuestion, "nodeId" | "userId" | "owners">;

const only = (id: number | undefined) => (id === undefined ? undefined : [id]);

/**
 * Chooses the smallest sums that answer the question. For one account on one node it reads that account's own sums,
 * whoever owned it.
 */
export function selectionOf({ by, nodeId, userId, owners }: Asked): Selection {
  const nodes = only(nodeId);
  if (by === "inbound")
    return nodes ? { kind: "nodeInbounds", key: "member", groups: nodes } : { kind: "inbounds", key: "member" };
  if (userId !== undefined) {
    if (by === "admin") return { kind: "ownerAccounts", key: "group", members: [userId] };
    const key = by === "node" ? "member" : by === "user" ? "group" : "total";
    return { kind: "accountNodes", key, groups: [userId], members: nodes };
  }
  if (by === "user")
    return nodes
      ? { kind: "accountNodes", key: "group", members: nodes }
      : { kind: "ownerAccounts", key: "member", groups: owners };
  if (by === "admin")
    return nodes
      ? { kind: "ownerNodes", key: "group", groups: owners, members: nodes }
      : { kind: "owners", key: "member", members: owners };
  if (owners && (nodes || by === "node"))
    return { kind: "ownerNodes", key: by === "node" ? "member" : "total", groups: owners, members: nodes };
  if (by === "node") return { kind: "nodes", key: "member", members: nodes };
  if (owners) return { kind: "owners", key: "total", members: owners };
  return nodes ? { kind: "nodes", key: "total", members: nodes } : { kind: "inbounds", key: "total" };
}

/** The buckets that a selection needs. */
export function bucketsOf({ kind: name, groups, members }: Selection): Buckets {
  const kind: Kind = KINDS[name];
  const ids = kind.by === "group" ? groups : members;
  if (!ids) return { kind: name, buckets: EVERY };
  return { kind: name, buckets: [...new Set(ids.map((id) => bucketOf(kind, id)))] };
}
