// Users (rules users.create, users.change, users.list): list, create, read, change, delete.
import { decidedAgainIfTaken, sql, type Lock } from "../../db/index.ts";
import {
  idParams,
  listRoute,
  notFound,
  okAnswer,
  type Caller,
  type ListColumns,
  type Route,
  route,
  visibleTo,
} from "../../http/index.ts";
import type { CredentialEntry } from "../credentials/credential-entry.ts";
import { credentialLocks, REFUSAL_COST } from "../credentials/credential-holders.ts";
import { freshSecrets, type CredentialsBody } from "../credentials/credentials.ts";
import { linkHolders, linkLocks, NO_LINKS, refusedIfLinkTaken, type LinkHolders } from "../links/link-holders.ts";
import { audited, auditedEdit } from "./audited.ts";
import { UserCredentialRows } from "../records/user-credential.entity.ts";
import { UserRows } from "../records/user.entity.ts";
import { userLocks } from "./user.actor.ts";
import { userFilter, UserFilters, type FilterDeps } from "./user-filters.ts";
import type { Edit, UserState, UserWriter } from "./user-change.ts";
import type { UserSummaries } from "./user-summary.ts";
import { deletionLocks } from "./keep-deleted.ts";
import { askedBy, importLinksOf } from "../links/sub-url.ts";
import { createUser, deleteUser, patchUser, replaceUser } from "./users.commands.ts";
import { seenAfter, seenOf, UNSEEN, viewOfChange } from "./seen.queries.ts";
import { userPage, userState, userView, type ViewDeps } from "./users.queries.ts";
import { UserCreate, UserPatch, UserRecord, UserReplace, UserView, type UserAnswer } from "./users.schema.ts";

export interface UserRoutesDeps extends UserWriter, ViewDeps, FilterDeps {
  readonly credentialEntry: Pick<CredentialEntry, "unentered">;
  readonly summaries: UserSummaries;
}

const used = "g.up + g.down";
/** `sort` and `q` of the list. */
export const USER_COLUMNS = {
  q: ["u.name", "u.group_label", "u.description", "u.remark", "u.sub_id", "u.external_id", "u.contact_text"],
  // Keys that people paste: the token of a link, the UUID of a configuration.
  keys: {
    form: /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i,
    by: ["u.sub_token", "u.config ->> 'uuid'"],
  },
  updatedAt: "u.updated_at",
  order: "u.id",
  id: "u.id",
  sorts: {
    id: "u.id",
    name: "u.name",
    usage: used,
    remaining: `case when u.volume = 0 then ${Number.MAX_SAFE_INTEGER} else u.volume - g.up - g.down end`,
    expiry: { by: "u.expiry", emptyWhen: "u.expiry = 0", filledWhen: "u.expiry > 0" },
    online_at: { by: "g.online_at", emptyWhen: "g.online_at = 0" },
    sub_fetched_at: { by: "u.sub_fetched_at", emptyWhen: "u.sub_fetched_at = 0" },
    sub_seen_at: { by: "u.sub_seen_at", emptyWhen: "u.sub_seen_at = 0" },
    created_at: "u.created_at",
    updated_at: "u.updated_at",
  },
} as const satisfies ListColumns;

/** A reseller reaches the accounts that it owns; the others are 404 to it. */
export function admitOwner({ reads }: Pick<FilterDeps, "reads">) {
  return async (caller: Caller, { id }: { id: number }): Promise<void> => {
    // Asked for by every route of one account, which reads it itself: the owner is all that is needed here.
    const [row] = await reads.query<{ owner: number | string }>(
      sql`select admin_id as owner from users where id = ${id}`,
    );
    if (!row || !visibleTo(caller, Number(row.owner))) notFound("user", id);
  };
}

/** The answer to a change, with its audit record; none for one that changed nothing. */
export function editDecision({ before, after, changed }: Edit, view: (state: UserState) => UserAnswer) {
  const answer = view(after);
  const audit = changed ? { entityId: before.row.id, obj: auditedEdit(view(before), answer) } : null;
  return { answer, audit };
}

interface ChosenSecrets {
  readonly config?: CredentialsBody | undefined;
  readonly subId?: string | undefined;
}

/**
 * What is known of the credentials and the link that a body names before its change is decided. A body without any, or
 * with the link that the account has, pays nothing.
 */
async function chosenSecrets(
  deps: UserRoutesDeps,
  { config, subId }: ChosenSecrets,
  requireSolvent: (requests: number) => void,
  userId?: number,
): Promise<{ readonly locks: readonly Lock[]; readonly unentered: ReadonlySet<string>; readonly links: LinkHolders }> {
  const { credentialKeys, credentialEntry, reads } = deps;
  const chosen = credentialKeys.of(config);
  const stays = subId === undefined || (userId !== undefined && (await reads.find(UserRows, userId))?.subId === subId);
  if (chosen.length > 0 || !stays) requireSolvent(REFUSAL_COST);
  const unentered = await credentialEntry.unentered(chosen, userId);
  const locks = credentialLocks(chosen);
  if (stays) return { locks, unentered, links: NO_LINKS };
  return { locks: [...locks, ...linkLocks([subId])], unentered, links: await linkHolders(deps, [subId]) };
}

/** A change that may meet credentials or a link that another account got since they were looked for. */
function decided<T>(change: () => Promise<T>): Promise<T> {
  return refusedIfLinkTaken(() => decidedAgainIfTaken(UserCredentialRows, change));
}

export function userRoutes(deps: UserRoutesDeps): Route[] {
  const { reads } = deps;
  const admit = admitOwner(deps);
  return [
    listRoute({
      path: "/users",
      scope: "users:read",
      summary: "Users",
      query: UserFilters,
      item: UserView,
      list: USER_COLUMNS,
      statuses: [400, 404],
      handle: async ({ list, query, caller, request }) =>
        userPage(reads, list, await userFilter(deps, caller, query), caller, askedBy(deps, request)),
    }),
    route({
      method: "POST",
      path: "/users",
      scope: "users:write",
      summary: "Create a user",
      body: UserCreate,
      answer: UserView,
      audit: { key: "users", action: "create" },
      secretAnswer: true,
      statuses: [400, 402],
      codes: ["reseller_closed", "plan_needed"],
      handle: async ({ body, caller, origin, request, commit, requireSolvent }) => {
        const place = askedBy(deps, request);
        const fresh = freshSecrets();
        const { locks, ...chosen } = await chosenSecrets(deps, body, requireSolvent);
        return decided(() =>
          commit({
            locks,
            decide(draft) {
              const created = createUser(draft, deps, { caller, origin, ...chosen }, body, fresh);
              const answer = userView(created, seenAfter(undefined, created, { caller, origin }), place);
              return { answer, audit: { entityId: answer.id, after: audited(answer) } };
            },
          }),
        );
      },
    }),
    route({
      method: "GET",
      path: "/users/{id}",
      scope: "users:read",
      summary: "One user",
      params: idParams,
      answer: UserRecord,
      statuses: [404],
      admit: async (caller, { id }) => {
        const state = await userState(reads, id);
        return state && visibleTo(caller, state.row.adminId) ? state : notFound("user", id);
      },
      handle: async ({ admitted: state, caller, request }) => {
        const place = askedBy(deps, request);
        const importLinks = importLinksOf(state.row, place.settings, place.publicAddress());
        return {
          ...userView(state, await seenOf(reads, state, caller), place),
          ...(importLinks.happ === "" && importLinks.incy === "" ? {} : { importLinks }),
        };
      },
    }),
    route({
      method: "PUT",
      path: "/users/{id}",
      scope: "users:write",
      summary: "Replace a user's fields",
      description:
        "Absent fields take their default (`enable`: off), except for credentials, `subId`, `externalId` and `adminId`, which are kept.",
      params: idParams,
      body: UserReplace,
      answer: UserView,
      audit: { key: "users", action: "update" },
      secretAnswer: true,
      statuses: [400, 402, 404],
      codes: ["reseller_closed"],
      admit,
      handle: async ({ params: { id }, body, caller, origin, request, commit, requireSolvent }) => {
        const view = await viewOfChange(askedBy(deps, request), id, { caller, origin });
        const { locks: _, ...chosen } = await chosenSecrets(deps, body, requireSolvent, id);
        return decided(() =>
          commit({
            locks: userLocks(id),
            decide: (draft) => editDecision(replaceUser(draft, deps, { caller, origin, ...chosen }, id, body), view),
          }),
        );
      },
    }),
    route({
      method: "PATCH",
      path: "/users/{id}",
      scope: "users:write",
      summary: "Change exactly the fields sent",
      description:
        "409 with the account as `current` when `version` is not its `updatedAt`. A field sent with its current value is no change.",
      params: idParams,
      body: UserPatch,
      answer: UserView,
      audit: { key: "users", action: "update" },
      secretAnswer: true,
      statuses: [400, 402, 404, 409],
      codes: ["reseller_closed"],
      admit,
      handle: async ({ params: { id }, body, caller, origin, request, commit, requireSolvent }) => {
        const view = await viewOfChange(askedBy(deps, request), id, { caller, origin });
        const { locks: _, ...chosen } = await chosenSecrets(deps, body, requireSolvent, id);
        return decided(() =>
          commit({
            locks: userLocks(id),
            decide: (draft) =>
              editDecision(patchUser(draft, deps, { caller, origin, ...chosen }, id, body, view), view),
          }),
        );
      },
    }),
    route({
      method: "DELETE",
      path: "/users/{id}",
      scope: "users:write",
      summary: "Delete a user",
      description: "It can come back for `deleted_retention_days`: `POST /users/{id}/restore`.",
      params: idParams,
      answer: okAnswer,
      audit: { key: "users", action: "delete" },
      statuses: [404],
      admit,
      handle: ({ params: { id }, caller, origin, commit }) =>
        commit({
          locks: [...userLocks(id), ...deletionLocks(id)],
          decide(draft) {
            const before = deleteUser(draft, deps, { caller, origin }, id);
            return {
              answer: { ok: true as const },
              audit: { entityId: id, before: audited(userView(before, UNSEEN, deps)) },
            };
          },
        }),
    }),
  ];
}
