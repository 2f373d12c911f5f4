// POST /api/admins/{id}/owner: the panel is handed to another main admin, by the owner's own login only (rule
// admins.owner.1).
import { lock } from "../../db/index.ts";
import { idParams, notFound, Refusal, route, type Route } from "../../http/index.ts";
import type { Access } from "../access.ts";
import { AdminRows, RoleRows } from "../records/admin.entity.ts";
import { Admin, adminView } from "./admins.schema.ts";
import { holdingsOf } from "../rights/holdings.ts";

export function ownerRoutes({ reads, outbox, ports }: Access): Route[] {
  return [
    route({
      method: "POST",
      path: "/admins/{id}/owner",
      scope: "-",
      tiers: ["sudo"],
      sensitive: true,
      summary: "Hand the panel to another main admin",
      params: idParams,
      answer: Admin,
      audit: { key: "admins", action: "owner" },
      statuses: [400, 404],
      admit: async (caller, { id }) => {
        if (!caller.owner) throw new Refusal("forbidden", { message: "only the owner hands the panel over" });
        if (!(await reads.find(AdminRows, id))) notFound("admin", id);
      },
      handle: async ({ caller, params: { id }, commit }) => {
        const target = (await reads.find(AdminRows, id)) ?? notFound("admin", id);
        const holdings = await holdingsOf({ ports }, [id]);
        return commit({
          locks: [lock(AdminRows, caller.adminId), lock(AdminRows, id), lock(RoleRows, target.roleId, "read")],
          decide(draft) {
            const previous = draft.find(AdminRows, caller.adminId);
            const next = draft.find(AdminRows, id) ?? notFound("admin", id);
            const role = draft.find(RoleRows, next.roleId, "read");
            if (!previous?.owner) throw new Refusal("forbidden", { message: "only the owner hands the panel over" });
            if (role?.base !== "sudo") throw new Refusal("bad_request", { message: "the owner must be a main admin" });
            const { username } = next;
            if (previous.id !== next.id) {
              draft.touch(AdminRows, previous.id, { owner: false });
              draft.touch(AdminRows, id, { owner: true });
              const data = { adminId: id, username, previous: previous.username };
              outbox.raise(draft, { event: "admin.owner_changed", data, subject: `admin:${id}` });
            }
            const row = draft.find(AdminRows, id) ?? next;
            return {
              answer: adminView({ ...row }, { ...role }, holdings(id)),
              audit: { entityId: id, obj: { owner: [previous.username, username] } },
            };
          },
        });
      },
    }),
  ];
}
