// What can be done to one account: each is one call, whose durable answer takes the old record's place everywhere.
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { ApiError, call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { refusalText } from "../parts/refusal.ts";
import { sayDone, sayFailed } from "../shell/toasts.tsx";
import { useWords } from "../words/words.ts";
import { endOf } from "./renewal.ts";
import { formatsPath, type User } from "./user.ts";

/** Puts a record that was just written where pages read it, and has lists and counts asked again. */
export function keepUser(queries: QueryClient, user: User): void {
  queries.setQueryData([`/users/${user.id}`, {}], user);
  refreshUsers(queries);
  void queries.invalidateQueries({ queryKey: [formatsPath(user)] });
  void queries.invalidateQueries({ queryKey: [`/actors/user/${user.id}`] });
  void queries.invalidateQueries({ queryKey: [`/actors/user/${user.id}/journal`] });
}

export function refreshUsers(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: ["/users"] });
  void queries.invalidateQueries({ queryKey: ["/users/summary"] });
}

export interface UserVerbs {
  /** The account as it is then: one that is over a limit is not on. Undefined where it was refused. */
  readonly switchTo: (user: User, enable: boolean) => Promise<User | undefined>;
  /** `until`: a chosen end, in place of one more term. */
  readonly renew: (user: User, until?: number) => Promise<void>;
  /** Bytes and seconds, each left out where it is 0. */
  readonly extend: (user: User, bytes: number, seconds: number) => Promise<void>;
  /** A new link; `credentials`: and new credentials, `closeSessions`: and what is open is closed. */
  readonly rotate: (
    user: User,
    how: { readonly credentials: boolean; readonly closeSessions: boolean },
  ) => Promise<void>;
  readonly resetUsage: (user: User) => Promise<void>;
  readonly remove: (user: User) => Promise<void>;
}

/** Each rejects with the refusal, except `switchTo`, which says it. */
export function useUserVerbs(): UserVerbs {
  const queries = useQueryClient();
  const words = useWords("users");
  const parts = useWords("parts");
  const format = useFormat();
  return {
    async switchTo(user, enable) {
      try {
        const switched = await call<User>("PATCH", `/users/${user.id}`, { body: { enable } });
        keepUser(queries, switched);
        if (switched.enable === enable) sayDone(enable ? words.switchedOn(user.name) : words.switchedOff(user.name));
        return switched;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { title, cause } = refusalText(error, parts);
        sayFailed(words.failed(user.name), cause === "" ? title : cause);
        return undefined;
      }
    },
    async renew(user, until) {
      const renewed = await call<User>("POST", `/users/${user.id}/renew`, {
        body: until === undefined ? {} : { expiry: until },
      });
      keepUser(queries, renewed);
      const end = endOf(renewed);
      sayDone(end === undefined ? words.renewed(user.name) : words.renewedUntil(user.name, format.date(end)));
    },
    async extend(user, bytes, seconds) {
      const body = { ...(bytes > 0 ? { bytes } : {}), ...(seconds > 0 ? { seconds } : {}) };
      keepUser(queries, await call<User>("POST", `/users/${user.id}/extend`, { body }));
      sayDone(words.extended(user.name));
    },
    async rotate(user, how) {
      keepUser(queries, await call<User>("POST", `/users/${user.id}/sub/rotate`, { body: how }));
      sayDone(words.rotated(user.name));
    },
    async resetUsage(user) {
      keepUser(queries, await call<User>("POST", `/users/${user.id}/reset-usage`));
      sayDone(words.reset(user.name));
    },
    async remove(user) {
      await call("DELETE", `/users/${user.id}`);
      queries.removeQueries({ queryKey: [`/users/${user.id}`] });
      refreshUsers(queries);
      sayDone(words.removed(user.name));
    },
  };
}
