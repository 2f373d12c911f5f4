// Why an account cannot be used, in one answer, also for those who see neither nodes nor templates (rules
// users.verdict).
import { sql } from "../../db/index.ts";
import { idParams, notFound, route, type Route } from "../../http/index.ts";
import type { ServingFleet } from "../serving/serving-fleet.ts";
import type { SubFormatsDeps } from "../delivery/sub-formats.routes.ts";
import type { UserRow } from "../users/user.entity.ts";
import { userState } from "../users/users.queries.ts";
import { admitOwner } from "../users/users.routes.ts";
import { SubRequestRows, UserDeviceRows } from "../devices/device.entity.ts";
import { NO_DEVICE } from "../devices/admission.ts";
import type { DevicePlaces } from "../devices/places.ts";
import { verdictOf, type Clients, type Reach } from "./verdict.ts";
import { Verdict } from "./verdict.schema.ts";

export interface VerdictDeps extends SubFormatsDeps, Pick<ServingFleet, "answeringNodes"> {
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
      "What stands between the account and a connection, in order. `headline` is what failed first; a check that the panel does not see yet is `unknown`.",
    params: idParams,
    answer: Verdict,
    statuses: [404],
    admit: admitOwner(deps),
    handle: async ({ params: { id } }) => {
      const state = (await userState(deps.reads, id)) ?? notFound("user", id);
      const [reach, clients] = await Promise.all([reachOf(deps, state.row), clientsOf(deps, state.row)]);
      return verdictOf(state, reach, clients, deps.now());
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

async function reachOf({ reads, served, answeringNodes }: VerdictDeps, row: Readonly<UserRow>): Promise<Reach> {
  const [all, [counted]] = await Promise.all([
    served(),
    row.allTemplates ? reads.query<{ n: number }>(sql`select count(*) as n from templates`) : [],
  ]);
  const { placed, carried } = all.reach(row);
  const nodes = [...new Set([...placed.values()].flatMap((on) => [...on]))];
  const answering = await answeringNodes(nodes);
  const left = [...placed].flatMap(([tag, on]) =>
    [...on].map((id) => answering.get(id)).flatMap((node) => (node?.current === true ? [node.leftOut.has(tag)] : [])),
  );
  return {
    templates: row.allTemplates ? (counted?.n ?? 0) : row.templateIds.length,
    carried,
    inbounds: placed.size,
    nodes: nodes.length,
    connected: answering.size,
    behind: [...answering.values()].filter(({ current }) => !current).length,
    places: left.length,
    listening: left.filter((out) => !out).length,
  };
}
