// Users (rules users.renew, users.list): verbs on one account, many at once, and what integrations poll.
import { z } from "zod";
import { sql } from "../../db/index.ts";
import { idParams, queryBounded, queryCount, type Route, route, visibleSql } from "../../http/index.ts";
import { freshSecrets } from "../credentials/credentials.ts";
import { userLocks } from "./user.actor.ts";
import { NONE_CHOSEN } from "./user-change.ts";
import { batchOf } from "./user-batch.ts";
import { extendUser, renewUser, resetUserUsage } from "./user-terms.commands.ts";
import { rotateUser } from "./users.commands.ts";
import { usageMoves } from "./moves.queries.ts";
import { askedBy } from "../links/sub-url.ts";
import { viewOfChange } from "./seen.queries.ts";
import { admitOwner, editDecision, type UserRoutesDeps } from "./users.routes.ts";
import {
  UsageMoves,
  UserBatch,
  UserBatchAnswer,
  UserExtension,
  UserRenewal,
  UserRotation,
  UserSummary,
  UserView,
} from "./users.schema.ts";

const BATCH_LIMIT = 8 * 1024 * 1024;
const OWNER = sql`u.admin_id`;
const MOVES = { usual: 1000, most: 10_000 };

export function userVerbRoutes(deps: UserRoutesDeps): Route[] {
  const { reads } = deps;
  const admit = admitOwner(deps);

  return [
    route({
      method: "GET",
      path: "/users/summary",
      scope: "users:read",
      summary: "Users counted by status and group",
      query: z.object({ by: z.enum(["reason"]).optional() }),
      answer: UserSummary,
      handle: ({ caller, query: { by } }) => deps.summaries.of(deps.now(), visibleSql(caller, OWNER), by === "reason"),
    }),
    route({
      method: "GET",
      path: "/users/usage",
      scope: "users:read",
      summary: "Users whose counters moved since a cursor",
      query: z.object({
        since: queryCount.optional(),
        limit: queryBounded(1, MOVES.most).optional(),
      }),
      answer: UsageMoves,
      handle: ({ query: { since = 0, limit = MOVES.usual }, caller }) =>
        usageMoves(reads, deps.now() * 1000, since, limit, visibleSql(caller, OWNER)),
    }),
    route({
      method: "POST",
      path: "/users/{id}/reset-usage",
      scope: "users:write",
      summary: "Set a user's counters to zero; totals stay",
      params: idParams,
      answer: UserView,
      audit: { key: "users", action: "reset-usage" },
      secretAnswer: true,
      statuses: [402, 404],
      admit,
      handle: async ({ params: { id }, caller, origin, request, commit }) => {
        const view = await viewOfChange(askedBy(deps, request), id, { caller, origin });
        return commit({
          locks: userLocks(id),
          decide: (draft) => editDecision(resetUserUsage(draft, deps, { caller, origin }, id), view),
        });
      },
    }),
    route({
      method: "POST",
      path: "/users/{id}/renew",
      scope: "users:write",
      summary: "Give a user a new term",
      description:
        "A whole term is added to the later of now and `expiry`: a plan's, `days`, or with neither the `term` that was sold with the account; 409 `no_term` where none is known. An account without any end gets its volume again. Counters go to zero, and a rolling reset cycle starts again. The answer says with `disabledReason` why an account stays off.",
      params: idParams,
      body: UserRenewal.optional(),
      answer: UserView,
      audit: { key: "users", action: "renew" },
      secretAnswer: true,
      statuses: [400, 402, 404, 409],
      codes: ["nothing_to_renew", "no_term"],
      admit,
      handle: async ({ params: { id }, body, caller, origin, request, commit }) => {
        const view = await viewOfChange(askedBy(deps, request), id, { caller, origin });
        return commit({
          locks: userLocks(id),
          decide: (draft) => editDecision(renewUser(draft, deps, { caller, origin }, id, body), view),
        });
      },
    }),
    route({
      method: "POST",
      path: "/users/{id}/extend",
      scope: "users:write",
      summary: "Add volume or time to what a user has",
      description:
        "Counters stay, no version is needed, and a user that the panel switched off comes back where what is added is enough. 409 `nothing_to_extend` for `seconds` where there is no end.",
      params: idParams,
      body: UserExtension,
      answer: UserView,
      audit: { key: "users", action: "extend" },
      secretAnswer: true,
      statuses: [400, 402, 404, 409],
      codes: ["nothing_to_extend"],
      admit,
      handle: async ({ params: { id }, body, caller, origin, request, commit }) => {
        const view = await viewOfChange(askedBy(deps, request), id, { caller, origin });
        return commit({
          locks: userLocks(id),
          decide: (draft) => editDecision(extendUser(draft, deps, { caller, origin }, id, body), view),
        });
      },
    }),
    route({
      method: "POST",
      path: "/users/{id}/sub/rotate",
      scope: "users:write",
      summary: "Give a user a new subscription link",
      description:
        "The link that was handed out stops working, and is nobody else's for `deleted_retention_days`. With `credentials` what was fetched with it stops too, with `closeSessions` what is open is closed on the nodes.",
      params: idParams,
      body: UserRotation.optional(),
      answer: UserView,
      audit: { key: "users", action: "sub.rotate" },
      secretAnswer: true,
      statuses: [400, 404],
      admit,
      handle: async ({ params: { id }, body = {}, caller, origin, request, commit }) => {
        const view = await viewOfChange(askedBy(deps, request), id, { caller, origin });
        const fresh = freshSecrets();
        // Nobody can hold what was drawn a moment ago.
        const writing = { caller, origin, ...NONE_CHOSEN };
        return commit({
          locks: userLocks(id),
          decide: (draft) => editDecision(rotateUser(draft, deps, writing, id, body, fresh), view),
        });
      },
    }),
    route({
      method: "POST",
      path: "/users/batch",
      scope: "users:write",
      summary: "Create up to 1000 users",
      description:
        "Each on its own: one that is refused is listed in `problems`, the others are created. All are one transaction with the answer, so a repeat under the same `Idempotency-Key` makes nobody twice.",
      body: UserBatch,
      answer: UserBatchAnswer,
      audit: { key: "users", action: "batch" },
      bodyLimit: BATCH_LIMIT,
      secretAnswer: true,
      statuses: [400],
      handle: (context) => batchOf(deps, context),
    }),
  ];
}
