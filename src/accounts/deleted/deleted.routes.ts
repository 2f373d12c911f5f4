// Deleted accounts (rules users.deleted): list, one, back again, forgotten.
import { decidedAgainIfTaken, UniqueConflict } from "../../db/index.ts";
import { idParams, listRoute, notFound, okAnswer, route, type Route } from "../../http/index.ts";
import { REFUSAL_COST } from "../credentials/credential-holders.ts";
import { isOthersLink, linkHolders, linkLocks } from "../links/link-holders.ts";
import { freshSecrets } from "../credentials/credentials.ts";
import { seenAfter, seenOf } from "../users/seen.queries.ts";
import { UserCredentialRows } from "../records/user-credential.entity.ts";
import { UserRows } from "../records/user.entity.ts";
import { askedBy } from "../links/sub-url.ts";
import { userView } from "../users/users.queries.ts";
import { audited } from "../users/audited.ts";
import type { UserRoutesDeps } from "../users/users.routes.ts";
import { UserView } from "../users/users.schema.ts";
import { DeletedUserRows } from "../records/deleted-user.entity.ts";
import { forgetDeleted, refuseTaken, restorationLocks, restoreDeleted } from "./deleted.commands.ts";
import { admitDeleted, DELETED_COLUMNS, deletedPage, deletedRecord, takenOf } from "./deleted.queries.ts";
import { DeletedFilters, DeletedUser, DeletedUserRecord, UserRestoration } from "./deleted.schema.ts";
import { rowsOf } from "./kept-account.ts";
import { unenteredOf } from "./held-secrets.ts";

export function deletedRoutes(deps: UserRoutesDeps): Route[] {
  const { reads } = deps;
  const admit = admitDeleted(deps);
  return [
    listRoute({
      path: "/users/deleted",
      scope: "users:read",
      summary: "Deleted users that can come back",
      description: "For `deleted_retention_days` after the deletion, the newest first.",
      query: DeletedFilters,
      item: DeletedUser,
      list: DELETED_COLUMNS,
      statuses: [400],
      handle: ({ list, query, caller }) => deletedPage(deps, list, query, caller),
    }),
    route({
      method: "GET",
      path: "/users/deleted/{id}",
      scope: "users:read",
      summary: "One deleted user",
      description: "With the fields that it could not have again as they were, since others have them by now.",
      params: idParams,
      answer: DeletedUserRecord,
      statuses: [404],
      admit,
      handle: ({ params: { id }, caller }) => deletedRecord(deps, id, caller),
    }),
    route({
      method: "POST",
      path: "/users/{id}/restore",
      scope: "users:write",
      summary: "Bring a deleted user back",
      description:
        "With its credentials, link, counters, devices and owner, in the state that its limits allow now. 409 `duplicate` with the field whose value another user has by now: the body chooses another. What its nodes told since counts for it.",
      params: idParams,
      body: UserRestoration.optional(),
      answer: UserView,
      audit: { key: "users", action: "restore" },
      secretAnswer: true,
      statuses: [400, 402, 404, 409],
      codes: ["reseller_closed"],
      admit,
      handle: async ({ params: { id }, body = {}, caller, origin, request, commit, requireSolvent }) => {
        requireSolvent(REFUSAL_COST);
        const place = askedBy(deps, request);
        const fresh = freshSecrets();
        const row = await reads.find(DeletedUserRows, id);
        const unentered = await unenteredOf(deps, row ? [row] : []);
        const state = row && rowsOf(id, row.account);
        const before = state && { row: state.row, seen: await seenOf(reads, state, caller) };
        const subId = body.subId ?? row?.subId;
        const chosen = { unentered, links: await linkHolders(deps, [subId]) };
        if (row) {
          const { name = row.name, externalId = row.externalId } = body;
          // The database would name any one of several.
          const { names, externalIds } = await takenOf(reads, [{ name, externalId }]);
          // Brought back meanwhile, it has them itself.
          if (!(await reads.find(DeletedUserRows, id))) notFound("deleted user", id);
          if (names.has(name)) refuseTaken("name");
          if (isOthersLink(chosen.links, subId ?? "", id)) refuseTaken("subId", REFUSAL_COST);
          if (externalIds.has(externalId)) refuseTaken("externalId");
        }
        try {
          return await decidedAgainIfTaken(UserCredentialRows, () =>
            commit({
              locks: [...restorationLocks(id), ...linkLocks([subId])],
              decide(draft) {
                const back = restoreDeleted(draft, deps, { caller, origin, ...chosen }, { id, body, fresh });
                const answer = userView(back, seenAfter(before, back, { caller, origin }), place);
                return { answer, audit: { entityId: id, after: audited(answer) } };
              },
            }),
          );
        } catch (error) {
          if (!(error instanceof UniqueConflict) || error.table !== UserRows.name) throw error;
          const [field = "name"] = error.columns;
          refuseTaken(field, field === "subId" ? REFUSAL_COST : undefined);
        }
      },
    }),
    route({
      method: "DELETE",
      path: "/users/deleted/{id}",
      scope: "users:write",
      summary: "Forget a deleted user for ever",
      params: idParams,
      answer: okAnswer,
      audit: { key: "users", action: "forget" },
      statuses: [404],
      admit,
      handle: ({ params: { id }, caller, origin, commit }) =>
        commit({
          locks: restorationLocks(id),
          decide(draft) {
            const { name, adminId, deletedAt } = forgetDeleted(draft, deps, { caller, origin }, id);
            return {
              answer: { ok: true as const },
              audit: { entityId: id, before: { id, name, adminId, deletedAt } },
            };
          },
        }),
    }),
  ];
}
