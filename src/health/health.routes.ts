// GET /api/nodes/{id}/health: a node's readings over a range, with an uptime bar (rules nodes.health).
import { z } from "zod";
import type { Reader } from "../db/index.ts";
import { NodeRows } from "../fleet/index.ts";
import { idParams, notFound, rangeOf, rangeParameters, route, type Route } from "../http/index.ts";
import { nodeHealth } from "./health.queries.ts";
import { NodeHealth } from "./health.schema.ts";
import type { TakenReading } from "./node-watch.ts";

export interface HealthRouteDeps {
  readonly reads: Reader;
  /** Unix seconds. */
  readonly now: () => number;
  /** What this process saw of a node and did not write yet. */
  readonly current: (nodeId: number) => TakenReading | undefined;
}

export function healthRoutes({ reads, now, current }: HealthRouteDeps): Route[] {
  return [
    route({
      method: "GET",
      path: "/nodes/{id}/health",
      scope: "nodes:read",
      summary: "A node's load, memory, disk and uptime over a range",
      description:
        "`bar` covers the range up to now without a hole. `unknown`: no panel watched the node, because it was away itself, or the node was switched off or not there yet; that time is no part of `uptimePercent`, which is null where nothing is known. A step of which nothing is known has no point; a figure that the node did not say is null.",
      params: idParams,
      query: z.object(rangeParameters),
      answer: NodeHealth,
      statuses: [400, 404],
      async handle({ params, query }) {
        const { id: nodeId } = (await reads.find(NodeRows, params.id)) ?? notFound("node", params.id);
        const time = now();
        return nodeHealth(reads, { nodeId, ...rangeOf(query, time), now: time, current: current(nodeId) });
      },
    }),
  ];
}
