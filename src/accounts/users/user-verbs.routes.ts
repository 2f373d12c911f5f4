// Users (rules users.renew, users.list): verbs on one account, many at once, and what integrations poll.
import { z } from "zod";
import { decidedAgainIfTaken, UniqueConflict, sql, type Lock } from "../../db/index.ts";
import {
  idParams,
  queryCount,
  Refusal,
  type Route,
  route,
  rule,
  validationRefusal,
  visibleSql,
} from "../../http/index.ts";
import { credentialLocks, holdersNow, REFUSAL_COST } from "../credentials/credential-holders.ts";
import type { Credential } from "../credentials/credential-keys.ts";
import { namesOf } from "../credentials/credential-keys.ts";
import { freshSecrets } from "../credentials/credentials.ts";
import { UserCredentialRows } from "../credentials/user-credential.entity.ts";
import { userLocks } from "./user.actor.ts";
import type { UserState } from "./user-change.ts";
import { extendUser, renewUser, resetUserUsage } from "./user-terms.commands.ts";
import { createUser, rotateUser } from "./users.commands.ts";
import { usageMoves } from "../serving/moves.queries.ts";
import { seenAfter, viewOfChange } from "./seen.queries.ts";
import { userView } from "./users.queries.ts";
import { admitOwner, editDecision, type UserRoutesDeps } from "./users.routes.ts";
import {
  UsageMoves,
  UserBatch,
  UserBatchAnswer,
  type UserBatchOutcome,
  UserCreate,
  type UserCreateBody,
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
        limit: queryCount
          .refine((limit) => limit >= 1 && limit <= MOVES.most, rule("between", 1, MOVES.most))
          .optional(),
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
      handle: async ({ params: { id }, caller, origin, commit }) => {
        const view = await viewOfChange(deps, id, { caller, origin });
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
      params: idParams,
      body: UserRenewal.optional(),
      answer: UserView,
      audit: { key: "users", action: "renew" },
      secretAnswer: true,
      statuses: [400, 402, 404, 409],
      codes: ["nothing_to_renew"],
      admit,
      handle: async ({ params: { id }, body, caller, origin, commit }) => {
        const view = await viewOfChange(deps, id, { caller, origin });
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
      handle: async ({ params: { id }, body, caller, origin, commit }) => {
        const view = await viewOfChange(deps, id, { caller, origin });
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
        "The link that was handed out stops working. With `credentials` what was fetched with it stops too, with `closeSessions` what is open is closed on the nodes.",
      params: idParams,
      body: UserRotation.optional(),
      answer: UserView,
      audit: { key: "users", action: "sub.rotate" },
      secretAnswer: true,
      statuses: [400, 404],
      admit,
      handle: async ({ params: { id }, body = {}, caller, origin, commit }) => {
        const view = await viewOfChange(deps, id, { caller, origin });
        const fresh = freshSecrets();
        // Nobody can hold what was drawn a moment ago.
        const writing = { caller, origin, unentered: new Set<string>() };
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
      description: "Each on its own: one that is refused is listed in `problems`, the others are created.",
      body: UserBatch,
      answer: UserBatchAnswer,
      audit: { key: "users", action: "batch" },
      bodyLimit: BATCH_LIMIT,
      secretAnswer: true,
      statuses: [400],
      handle: async ({ body: { users }, caller, origin, submit, commit, requireSolvent, requirePaid }) => {
        const taken = await takenNames(deps, users);
        const items = users.map((raw): UserCreateBody | string => {
          const parsed = UserCreate.safeParse(raw);
          if (!parsed.success) return validationRefusal(parsed.error, raw).message;
          // Known refusals stay out of the shared transaction, which one conflict would make run singly.
          if (taken.has(parsed.data.name)) return "name: the value is taken";
          taken.add(parsed.data.name);
          return parsed.data;
        });
        const known = items.map((item) => (typeof item === "string" ? [] : deps.credentialKeys.of(item.config)));
        if (known.some(({ length }) => length > 0)) requireSolvent(REFUSAL_COST);
        const held = await heldCredentials(deps, known.flat());
        const refused = known.map((chosen) => chosen.find((one) => namesOf(one).some((id) => held.has(id))));
        await requirePaid(REFUSAL_COST * refused.filter((each) => each !== undefined).length);
        const outcomes = await Promise.all(
          items.map(async (item, index): Promise<UserState | string> => {
            if (typeof item === "string") return item;
            const field = refused[index]?.field;
            return field === undefined
              ? createOne(item, credentialLocks(known[index] ?? []))
              : `${field}: the value is taken`;
          }),
        );
        const answer: UserBatchOutcome = { created: [], problems: [] };
        for (const [index, outcome] of outcomes.entries()) {
          if (typeof outcome === "string") answer.problems.push({ index, error: outcome });
          else answer.created.push(userView(outcome, seenAfter(undefined, outcome, { caller, origin }), deps));
        }
        const ids = answer.created.map(({ id }) => id);
        return commit({
          locks: [],
          decide: () => ({ answer, audit: { entityId: "", obj: { created: ids.length, ids } } }),
        });

        async function createOne(one: UserCreateBody, locks: readonly Lock[]): Promise<UserState | string> {
          const fresh = freshSecrets();
          // What accounts hold that are not entered yet was looked for above.
          const acting = { caller, origin, unentered: new Set<string>() };
          try {
            return await decidedAgainIfTaken(UserCredentialRows, () =>
              submit({ name: "users.batch", locks, decide: (draft) => createUser(draft, deps, acting, one, fresh) }),
            );
          } catch (error) {
            if (error instanceof Refusal && error.status < 500) return error.message;
            if (error instanceof UniqueConflict) return `${error.columns[0] ?? "name"}: the value is taken`;
            throw error;
          }
        }
      },
    }),
  ];
}

/** Ids of those that other accounts hold, entered or not yet. */
async function heldCredentials(
  { reads, credentialEntry }: UserRoutesDeps,
  chosen: readonly Credential[],
): Promise<ReadonlySet<string>> {
  if (chosen.length === 0) return new Set();
  const [entered, unentered] = await Promise.all([
    holdersNow(reads, chosen.flatMap(namesOf)),
    credentialEntry.unentered(chosen),
  ]);
  return new Set([...entered.keys(), ...unentered]);
}

/** Which of the names in a batch are taken already. */
async function takenNames({ reads }: UserRoutesDeps, users: readonly unknown[]): Promise<Set<string>> {
  const names = users.flatMap((user) => {
    const name: unknown = typeof user === "object" && user !== null && "name" in user ? user.name : undefined;
    return typeof name === "string" ? [name] : [];
  });
  if (names.length === 0) return new Set();
  const found = await reads.query<{ name: string }>(sql`select name from users where name in (${sql.join(names)})`);
  return new Set(found.map(({ name }) => name));
}
