// In which formats an account's own servers can be had: what a panel's page, a shop or a bot offers to a person. Rule
// subscriptions.format.6.
import { admitOwner, askedBy, subUrlOf, userState, type LinkPlace } from "../../accounts/index.ts";
import type { Reader } from "../../db/index.ts";
import type { SubscriptionSettings } from "../subscriptions.settings.ts";
import { idParams, notFound, route, type Route } from "../../http/index.ts";
import { ENTRY_FORMAT_NAMES, omissionOf } from "../documents/limits.ts";
import { serverEntries } from "./answers.ts";
import type { Served } from "./served-inbounds.ts";
import { namingOf } from "./naming.ts";
import { UserSubFormats } from "./formats.schema.ts";

export interface SubFormatsDeps extends LinkPlace {
  readonly reads: Reader;
  readonly settings: SubscriptionSettings;
  /** Unix seconds. */
  readonly now: () => number;
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
