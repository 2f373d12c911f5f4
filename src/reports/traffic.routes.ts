// Traffic over time: of the fleet, of an account, and what an account used on each node and a node carried of each
// account (rules traffic).
import { z } from "zod";
import { UserRows } from "../accounts/index.ts";
import type { Reader } from "../db/index.ts";
import { NodeRows } from "../fleet/index.ts";
import {
  MOST_SERIES,
  notKept,
  TrafficBy,
  TrafficStep,
  type SumsQuestion,
  type TrafficQuestions,
} from "../history/index.ts";
import {
  idParams,
  invalid,
  notFound,
  queryBounded,
  queryCount,
  rangeOf,
  rangeParameters,
  route,
  rule,
  visibleTo,
  type Caller,
  type Route,
} from "../http/index.ts";
import { NodeTrafficByUser, rowLimit, Traffic, UserTrafficByNode } from "./reports.schema.ts";
import { missingOf } from "./records.queries.ts";
import { ownersSeen, refuseUnseen } from "./seen.ts";
import { stepOf } from "./steps.ts";

export interface TrafficRouteDeps {
  readonly reads: Reader;
  readonly traffic: TrafficQuestions;
  /** Unix seconds. */
  readonly now: () => number;
}

const shown = {
  ...rangeParameters,
  step: TrafficStep.optional(),
  top: queryBounded(1, MOST_SERIES).default(10),
};

export function trafficRoutes({ reads, traffic, now }: TrafficRouteDeps): Route[] {
  /** The heaviest, and whether there are more. */
  async function heaviest(question: SumsQuestion, limit: number) {
    const sums = await traffic.heaviest(question, limit + 1);
    return [sums.slice(0, limit), sums.length > limit] as const;
  }
  /** The account that a caller sees; 404 else. */
  const seen = async (caller: Caller, userId: number): Promise<void> => {
    const row = await reads.find(UserRows, userId);
    if (!row || !visibleTo(caller, row.adminId)) notFound("user", userId);
  };
  const admit = (caller: Caller, { id }: { readonly id: number }) => seen(caller, id);

  return [
    route({
      method: "GET",
      path: "/stats/traffic",
      scope: "stats:read",
      or: "users:read",
      summary: "Traffic over time, by what moved it",
      description:
        "Raw bytes, without multipliers, the heaviest first. Hours are kept for 35 days. A step of which nothing is known has no point, zeros say that nothing moved. Resellers, and callers with `users:read` alone, ask by `total`, `user` and `node` over the accounts that they see.",
      query: z.object({
        by: TrafficBy.default("total"),
        ...shown,
        nodeId: queryCount.optional(),
        userId: queryCount.optional(),
        adminId: queryCount.optional(),
      }),
      answer: Traffic,
      statuses: [400, 404],
      reach: refuseUnseen,
      async handle({ caller, query }) {
        const { by, top, nodeId, userId, adminId } = query;
        const range = rangeOf(query, now());
        if (userId !== undefined && caller.base === "resale") await seen(caller, userId);
        // A question about one account gets the account's whole traffic, whoever had the account.
        const owners = userId === undefined ? ownersSeen(caller, adminId) : undefined;
        const question = {
          ...range,
          by,
          top,
          step: query.step ?? stepOf(range),
          ...(nodeId !== undefined && { nodeId }),
          ...(userId !== undefined && { userId }),
          ...(owners && { owners }),
        };
        const unkept = notKept(question);
        if (unkept) invalid(unkept, rule("not_with", `by=${by}`));
        const missing = await missingOf(reads, { nodeId, userId, adminId });
        const told = await traffic.traffic(question);
        // What is deleted keeps its traffic: only where there is none either, the id names nothing.
        if (missing && !told.series.some(({ up, down }) => up + down > 0)) notFound(...missing);
        return told;
      },
    }),
    route({
      method: "GET",
      path: "/users/{id}/traffic",
      scope: "users:read",
      summary: "An account's traffic over time, by node",
      params: idParams,
      query: z.object(shown),
      answer: Traffic,
      statuses: [400, 404],
      admit,
      handle({ params: { id: userId }, query }) {
        const range = rangeOf(query, now());
        const step = query.step ?? stepOf(range);
        return traffic.traffic({ ...range, by: "node", step, top: query.top, userId });
      },
    }),
    route({
      method: "GET",
      path: "/users/{id}/node-usage",
      scope: "users:read",
      summary: "What an account used on each node, the heaviest first",
      description:
        "Raw bytes, of the 100 heaviest unless `limit` says otherwise. A node that is deleted keeps its row with an empty name.",
      params: idParams,
      query: z.object({ ...rangeParameters, limit: rowLimit }),
      answer: UserTrafficByNode,
      statuses: [400, 404],
      admit,
      async handle({ params: { id: userId }, query }) {
        const range = rangeOf(query, now());
        const [sums, more] = await heaviest({ ...range, by: "node", userId }, query.limit);
        return { ...range, rows: sums.map(({ id: nodeId, name, up, down }) => ({ nodeId, name, up, down })), more };
      },
    }),
    route({
      method: "GET",
      path: "/nodes/{id}/stats",
      scope: "nodes:read",
      summary: "What a node carried of each account, the heaviest first",
      description:
        "Raw bytes, without the node's multiplier, of the 100 heaviest unless `limit` says otherwise: `more` says whether there are others. An account that is deleted keeps its row with an empty name; without `users:read` no names are told.",
      params: idParams,
      query: z.object({ ...rangeParameters, limit: rowLimit }),
      answer: NodeTrafficByUser,
      statuses: [400, 404],
      async handle({ caller, params, query }) {
        const { id: nodeId } = (await reads.find(NodeRows, params.id)) ?? notFound("node", params.id);
        const range = rangeOf(query, now());
        const [sums, more] = await heaviest({ ...range, by: "user", nodeId }, query.limit);
        const names = caller.scopes.has("users:read");
        return {
          ...range,
          rows: sums.map(({ id: userId, name, up, down }) => ({ userId, name: names ? name : "", up, down })),
          more,
        };
      },
    }),
  ];
}
