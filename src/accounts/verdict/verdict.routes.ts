// Why an account cannot be used, in one answer, also for those who see neither nodes nor templates (rules
// users.verdict).
import { sql } from "../../db/index.ts";
import { idParams, notFound, route, type Route } from "../../http/index.ts";
import type { ServingFleet } from "../serving/serving-fleet.ts";
import type { SubFormatsDeps } from "../delivery/sub-formats.routes.ts";
import type { UserRow } from "../users/user.entity.ts";
import { userState } from "../users/users.queries.ts";
import { admitOwner } from "../users/users.routes.ts";
import { verdictOf, type Reach } from "./verdict.ts";
import { Verdict } from "./verdict.schema.ts";

export interface VerdictDeps extends SubFormatsDeps, Pick<ServingFleet, "connectedNodes"> {}

export function verdictRoute(deps: VerdictDeps): Route {
  return route({
    method: "GET",
    path: "/users/{id}/verdict",
    scope: "users:read",
    summary: "Why a user cannot connect",
    description:
      "What stands between the account and a connection, in order. `headline` is what failed first; a check that the panel does not see yet is `unknown`.",
    params: idParams,
    answer: Verdict,
    statuses: [404],
    admit: admitOwner(deps),
    handle: async ({ params: { id } }) => {
      const state = (await userState(deps.reads, id)) ?? notFound("user", id);
      return verdictOf(state, await reachOf(deps, state.row), deps.now());
    },
  });
}

async function reachOf({ reads, served, connectedNodes }: VerdictDeps, row: Readonly<UserRow>): Promise<Reach> {
  const [all, connected, [counted]] = await Promise.all([
    served(),
    connectedNodes(),
    row.allTemplates ? reads.query<{ n: number }>(sql`select count(*) as n from templates`) : [],
  ]);
  const { inbounds, carried, nodes } = all.reach(row);
  return {
    templates: row.allTemplates ? (counted?.n ?? 0) : row.templateIds.length,
    carried,
    inbounds,
    nodes: nodes.length,
    connected: nodes.filter((id) => connected.has(id)).length,
  };
}
