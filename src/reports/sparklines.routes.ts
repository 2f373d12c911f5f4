// The traffic of the rows of a list: of many records in one question, for the small lines in the lists (rule
// traffic.sparklines).
import { z } from "zod";
import { sql } from "../db/index.ts";
import { listOf } from "../history/index.ts";
import { queryIds, rangeOf, rangeParameters, route, visibleSql, type Route, type TimeRange } from "../http/index.ts";
import { Sparklines } from "./reports.schema.ts";
import { stepOf } from "./steps.ts";
import type { TrafficRouteDeps } from "./traffic.routes.ts";

/** Records of one question. */
export const MOST_IDS = 200;

const DESCRIPTION =
  "Raw bytes of each step: hours for ranges of up to three days, days for longer ones. `at` has the steps, `up` and `down` of each row a value for each of them, null where nothing is known. Ids that the caller does not see, or that there are not, have no row.";

export function sparklineRoutes({ reads, traffic, now }: TrafficRouteDeps): Route[] {
  const shared = {
    method: "GET",
    query: z.object({ ids: queryIds(MOST_IDS), ...rangeParameters }),
    answer: Sparklines,
    statuses: [400],
    description: DESCRIPTION,
  } as const;

  async function answer(kind: "node" | "user", ids: readonly number[], range: TimeRange) {
    const step = stepOf(range);
    const { start, end, at, points } = await traffic.sparklines(kind, ids, { ...range, step });
    const rows = [...points].map(([id, steps]) => ({
      id,
      up: steps.map((point) => point?.up ?? null),
      down: steps.map((point) => point?.down ?? null),
    }));
    return { start, end, step, zone: traffic.zone(), at: [...at], rows };
  }

  return [
    route({
      ...shared,
      path: "/users/sparklines",
      scope: "users:read",
      summary: "The traffic of several accounts, for the lines in a list",
      async handle({ caller, query }) {
        const range = rangeOf(query, now());
        const mine = visibleSql(caller, sql`admin_id`);
        const found = await reads.query<{ id: number }>(
          sql`select id from users where id in (${listOf(reads, query.ids)}) ${mine ? sql`and ${mine}` : sql``}`,
        );
        return answer("user", inOrder(query.ids, found), range);
      },
    }),
    route({
      ...shared,
      path: "/nodes/sparklines",
      scope: "nodes:read",
      summary: "The traffic of several nodes, for the lines in a list",
      async handle({ query }) {
        const range = rangeOf(query, now());
        const found = await reads.query<{ id: number }>(
          sql`select id from nodes where id in (${listOf(reads, query.ids)})`,
        );
        return answer("node", inOrder(query.ids, found), range);
      },
    }),
  ];
}

function inOrder(ids: readonly number[], found: readonly { readonly id: number }[]): number[] {
  const there = new Set(found.map(({ id }) => id));
  return ids.filter((id) => there.has(id));
}
