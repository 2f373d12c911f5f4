// Devices of an account, and its last requests (rules subscriptions.device, subscriptions.fetch).
import { SubRequestRows, UserDeviceRows } from "../records/device.entity.ts";
import { UserRows } from "../records/user.entity.ts";
import { admitOwner } from "../users/users.routes.ts";
import { z } from "zod";
import { lock, sql, type Reader } from "../../db/index.ts";
import { idParams, notFound, okAnswer, route, type Route } from "../../http/index.ts";
import { ForgottenDevices, SubRequestView, UserDeviceView } from "./devices.schema.ts";
import { releaseDevice, releaseDevices } from "./device-places.ts";

const REQUESTS_SHOWN = 50;

export function deviceRoutes(deps: { readonly reads: Reader }): Route[] {
  const { reads } = deps;
  const admit = admitOwner(deps);
  return [
    route({
      method: "GET",
      path: "/users/{id}/devices",
      scope: "users:read",
      summary: "Devices that fetched a user's subscription",
      description: "Those that named themselves by `x-hwid`, the one seen last first.",
      params: idParams,
      answer: z.array(UserDeviceView),
      statuses: [404],
      admit,
      handle: async ({ params: { id } }) => {
        const { devices = [] } = (await reads.find(UserDeviceRows, id)) ?? {};
        return devices.toSorted((a, b) => b.lastSeenAt - a.lastSeenAt);
      },
    }),
    route({
      method: "DELETE",
      path: "/users/{id}/devices/{hwid}",
      scope: "users:write",
      summary: "Forget a device of a user",
      description: "Its place under `deviceLimit` is free again.",
      params: idParams.extend({ hwid: z.string().min(1).max(128) }),
      answer: okAnswer,
      audit: { key: "users", action: "device.delete" },
      statuses: [404],
      admit,
      handle: ({ params: { id, hwid }, commit }) =>
        commit({
          locks: [lock(UserRows, id, "read"), lock(UserDeviceRows, id)],
          decide(draft) {
            const before = releaseDevice(draft, id, hwid) ?? notFound("device", hwid);
            return { answer: { ok: true as const }, audit: { entityId: id, obj: { device: before } } };
          },
        }),
    }),
    route({
      method: "DELETE",
      path: "/users/{id}/devices",
      scope: "users:write",
      summary: "Forget all devices of a user",
      description: "All places under `deviceLimit` are free again.",
      params: idParams,
      answer: ForgottenDevices,
      audit: { key: "users", action: "device.delete" },
      statuses: [404],
      admit,
      handle: ({ params: { id }, commit }) =>
        commit({
          locks: [lock(UserRows, id, "read"), lock(UserDeviceRows, id)],
          decide(draft) {
            const devices = releaseDevices(draft, id);
            return { answer: { forgotten: devices.length }, audit: { entityId: id, obj: { devices } } };
          },
        }),
    }),
    route({
      method: "GET",
      path: "/users/{id}/sub/requests",
      scope: "users:read",
      summary: "The last 50 requests for a user's subscription",
      description: "The newest first; a request is listed within five seconds.",
      params: idParams,
      answer: z.array(SubRequestView),
      statuses: [404],
      admit,
      handle: async ({ params: { id } }) => {
        const rows = await reads.rows(
          SubRequestRows,
          sql`select * from sub_requests where user_id = ${id} order by id desc limit ${REQUESTS_SHOWN}`,
        );
        return rows.map(({ at, ip, userAgent, format, hwid, status }) => ({ at, ip, userAgent, format, hwid, status }));
      },
    }),
  ];
}
