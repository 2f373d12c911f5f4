// /api/login/oidc (rules access.sso): the buttons of the sign-in page, the start of a sign-in, and the way back from
// the provider. All are open.
import { z } from "zod";
import { sql } from "../../db/index.ts";
import { idParams, openRoute, type Route } from "../../http/index.ts";
import { refuseAddress } from "../rights/authenticate.ts";
import { ATTEMPT_KEPT, beginAttempt, beginLocks } from "./attempts.commands.ts";
import { finishAttempt } from "./finish-attempt.ts";
import { land } from "./landings.ts";
import { OidcProviderRows } from "./provider.entity.ts";
import { CALLBACK_PATH, ownCallbackPath } from "./redirect-uri.ts";
import { prepareAttempt } from "./start-attempt.ts";
import { OIDC_COOKIE, type Sso } from "./sso.ts";

/** One button. */
const OidcButton = z.object({ id: z.int(), name: z.string(), icon: z.string() }).meta({ id: "OidcButton" });
export const OidcStarted = z
  .object({ url: z.string().describe("where the browser is sent to sign in") })
  .meta({ id: "OidcStarted" });
export const attemptBody = { provider: z.int().min(1), redirectUri: z.string().max(2048) };

/** A parameter that came twice, or is longer than any, is ignored. */
const answered = z.string().max(8192).optional().catch(undefined);
/** An issuer is not: the answer would pass for one of a provider that names none. */
const issuer = z.string().max(8192).optional().catch("");

/** What every callback declares. */
const callback = {
  method: "GET",
  description: "`Location`: `/`, `login?sso=…` or `dashboard?sso=…` under the base path.",
  query: z.object({ code: answered, state: answered, error: answered, iss: issuer }),
  answer: z.string(),
  status: 302,
  produces: "text/plain",
  audit: { key: "sessions", action: "login" },
} as const;

export function signInRoutes(sso: Sso): Route[] {
  const { reads, settings, guard } = sso.access;
  return [
    openRoute({
      method: "GET",
      path: "/login/oidc",
      summary: "The identity providers that can be signed in through",
      answer: z.array(OidcButton),
      handle: () =>
        reads.rows(OidcProviderRows, sql`select * from oidc_providers where enabled order by sort_order, id`),
    }),
    openRoute({
      method: "POST",
      path: "/login/oidc/start",
      summary: "Begin a sign-in at an identity provider",
      description:
        "Sets the cookie `panel_oidc`; the browser must be back within ten minutes. `redirectUri` is this panel's callback, `…/login/oidc/callback`, or the provider's own below it; the provider is told its own, unless it has the shared one.",
      body: z.object({ ...attemptBody, remember: z.boolean().default(false) }),
      answer: OidcStarted,
      statuses: [403, 502],
      codes: ["provider_off", "changed_meanwhile"],
      handle: async ({ body, request, commit, setCookie }) => {
        refuseAddress(settings, request.ip);
        await guard.refuseBanned(request.ip);
        const { url, row, browser } = await prepareAttempt(sso, request, body);
        const rendered = await commit({
          locks: beginLocks(row),
          decide(draft) {
            beginAttempt(draft, row);
            return { answer: { url } };
          },
        });
        setCookie(OIDC_COOKIE, browser, ATTEMPT_KEPT);
        return rendered;
      },
    }),
    openRoute({
      ...callback,
      path: CALLBACK_PATH,
      summary: "The way back from identity providers that share one callback",
      handle: async (context) => land(context.request, await finishAttempt(sso, context, CALLBACK_PATH)),
    }),
    openRoute({
      ...callback,
      path: `${CALLBACK_PATH}/{id}`,
      summary: "The way back from one identity provider into the web interface",
      params: idParams,
      handle: async (context) =>
        land(context.request, await finishAttempt(sso, context, ownCallbackPath(context.params.id))),
    }),
  ];
}
