// The session as the panel tells it: the caller's own record, or nobody; and its end, in this tab and in the others.
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, call } from "../api/call.ts";
import { answerTabs, tellTabs } from "./tabs.ts";
import type { Me } from "./me.ts";

const ME = ["/me", {}] as const;

export type Session =
  | { readonly status: "in"; readonly me: Me }
  | { readonly status: "asking" }
  | { readonly status: "out" }
  | { readonly status: "failed"; readonly error: ApiError; readonly retry: () => void };

/**
 * The signed-in person. Asks the panel at the start, and again when a person comes back to the window after a while.
 */
export function useSession(): Session {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery<Me, ApiError>({
    queryKey: ME,
    // If a person was signed in, the end of the session shows the sign-in over the page.
    queryFn: ({ signal }) =>
      call<Me>("GET", "/me", { signal, ...(queries.getQueryData(ME) ? {} : { hurdles: false }) }),
    staleTime: 60_000,
  });
  useEffect(() => answerTabs("ended", () => void queries.invalidateQueries({ queryKey: ME })), [queries]);
  if (data) return { status: "in", me: data };
  if (!error) return { status: "asking" };
  return error.status === 401 ? { status: "out" } : { status: "failed", error, retry: () => void refetch() };
}

/** Notes who has just signed in, here and in the other tabs. */
export function signedIn(queries: QueryClient, me: Me): void {
  queries.setQueryData(ME, me);
  tellTabs("begun");
}

/** Ends the session and leaves for the sign-in page; nothing of what was read stays in memory. */
export async function signOut(): Promise<void> {
  await call("POST", "/logout", { hurdles: false });
  tellTabs("ended");
  location.assign(new URL("login", document.baseURI));
}
