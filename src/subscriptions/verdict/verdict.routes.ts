// Why an account cannot be used, in one answer, also for those who see neither nodes nor templates (rules
// users.verdict).
import {
  NO_DEVICE,
  SubRequestRows,
  UserDeviceRows,
  admitOwner,
  userState,
  type DevicePlaces,
  type UserRow,
} from "../../accounts/index.ts";
import { sql } from "../../db/index.ts";
import { idParams, notFound, route, type Route } from "../../http/index.ts";
import type { ServingFleet } from "../serving-fleet.ts";
import type { SubFormatsDeps } from "../delivery/formats.routes.ts";
import { verdictOf, type Clients, type Reach } from "./verdict.ts";
import { Verdict } from "./verdict.schema.ts";

export interface VerdictDeps extends SubFormatsDeps, Pick<ServingFleet, "nodeStandings"> {
  readonly places: Pick<DevicePlaces, "admit">;
}

/** A device that was refused longer ago says nothing of today. */
const REFUSED_SECONDS = 86_400;

export function verdictRoute(deps: VerdictDeps): Route {
  return route({
    method: "GET",
    path: "/users/{id}/verdict",
    scope: "users:read",
    summary: "Why a user cannot connect",
    description:
      "What stands between the account and a connection, in order. `headline` is what failed first; a check that the panel does not see yet is `unknown`. Nodes that do not serve the account, while another one does, fail nothing: the check counts them, and names them for callers who may read nodes.",
    params: idParams,
    answer: Verdict,
    statuses: [404],
    admit: admitOwner(deps),
    handle: async ({ params: { id }, caller }) => {
      const state = (await userState(deps.reads, id)) ?? notFound("user", id);
      const [reach, clients] = await Promise.all([reachOf(deps, state.row), clientsOf(deps, state.row)]);
      // Which nodes there are is told to whoever may see nodes.
      return verdictOf(state, reach, clients, deps.now(), caller.scopes.has("nodes:read"));
    },
  });
}

async function clientsOf({ reads, places, now }: VerdictDeps, row: Readonly<UserRow>): Promise<Clients> {
  const [devices, [last]] = await Promise.all([
    reads.find(UserDeviceRows, row.id),
    reads.rows(SubRequestRows, sql`select * from sub_requests where user_id = ${row.id} order by id desc limit 1`),
  ]);
  const refused = (devices?.refused ?? []).map(({ at }) => at).filter((at) => at > now() - REFUSED_SECONDS);
  return {
    devices: devices?.devices.length ?? 0,
    refusedAt: Math.max(0, ...refused),
    last,
    unidentified:
      last !== undefined &&
      last.status === 403 &&
      last.hwid === "" &&
      (await places.admit(row, NO_DEVICE, false)) === "unidentified",
  };
}

async function reachOf({ reads, served, nodeStandings }: VerdictDeps, row: Readonly<UserRow>): Promise<Reach> {
  const [all, [counted]] = await Promise.all([
    served(),
    row.allTemplates ? reads.query<{ n: number }>(sql`select count(*) as n from templates`) : [],
  ]);
  const { placed, beyond, carried } = all.reach(row);
  const ids = [...new Set([...placed.values()].flatMap((on) => [...on]))].toSorted((a, b) => a - b);
  const standings = await nodeStandings(ids, row.id);
  return {
    templates: row.allTemplates ? (counted?.n ?? 0) : row.templateIds.length,
    carried,
    inbounds: placed.size,
    beyond,
    nodes: ids.flatMap((id) => {
      const standing = standings.get(id);
      if (!standing) return [];
      const tags = [...placed].flatMap(([tag, on]) => (on.has(id) ? [tag] : []));
      const { listens, ...node } = standing;
      return [{ ...node, places: tags.map((tag) => ({ tag, listens: listens.has(tag) })) }];
    }),
  };
}
