// In which formats an account's own servers can be had: what a panel's page, a shop or a bot offers to a person. Rule
// subscriptions.format.6.
import { idParams, notFound, route, type Route } from "../../http/index.ts";
import { ENTRY_FORMAT_NAMES, omissionOf } from "../subscription/limits.ts";
import { serverEntries } from "./subscription-answer.ts";
import type { Served } from "./subscription-inbounds.ts";
import { namingOf } from "./subscription-naming.ts";
import { askedBy, subUrlOf } from "./sub-url.ts";
import { userState } from "../users/users.queries.ts";
import { admitOwner, type UserRoutesDeps } from "../users/users.routes.ts";
import { UserSubFormats } from "../users/users.schema.ts";

export interface SubFormatsDeps extends UserRoutesDeps {
  /** What subscriptions list now. */
  readonly served: () => Promise<Served>;
}

export function subFormatsRoute(deps: SubFormatsDeps): Route {
  const { reads, served, settings, now } = deps;
  return route({
    method: "GET",
    path: "/users/{id}/sub/formats",
    scope: "users:read",
    summary: "Formats of a user's subscription, with how many of its servers each carries",
    description:
      "`servers` counts what the subscription lists while the account is served: also for one that is off. A format in which none of them can be said has `servers` 0; a client that polls it gets nothing.",
    params: idParams,
    answer: UserSubFormats,
    statuses: [404],
    admit: admitOwner(deps),
    handle: async ({ params: { id }, request }) => {
      const state = (await userState(reads, id)) ?? notFound("user", id);
      const entries = serverEntries(state.row, await served(), namingOf(state, settings, now()));
      const url = subUrlOf(state.row, settings, askedBy(deps, request).publicAddress());
      const formats = ENTRY_FORMAT_NAMES.map((format) => {
        const servers = entries.filter((entry) => omissionOf(format, entry) === undefined).length;
        return { format, url: `${url}/${format}`, servers };
      });
      return { servers: entries.length, formats };
    },
  });
}
