// The configurations of one protocol's own programs for an account (rules subscriptions.app).
import { admitOwner, userState } from "../../accounts/index.ts";
import { z } from "zod";
import { idParams, notFound, route, type Route } from "../../http/index.ts";
import { isServed, subscriptionUser } from "../delivery/answers.ts";
import type { SubFormatsDeps } from "../delivery/formats.routes.ts";
import { placedEntries } from "../documents/entries.ts";
import { appConfigs } from "./app-config.ts";
import { UserAppConfig } from "./app-configs.schema.ts";

export function appConfigsRoute(deps: SubFormatsDeps): Route {
  const { reads, served, now } = deps;
  return route({
    method: "GET",
    path: "/users/{id}/app-configs",
    scope: "users:read",
    summary: "Configurations of a user for programs of one protocol",
    description:
      "Hysteria's and TUIC's own clients take them as a file: one for each node and inbound, by the node's primary address. An account that is not served has none.",
    params: idParams,
    answer: z.array(UserAppConfig),
    statuses: [404],
    admit: admitOwner(deps),
    handle: async ({ params: { id } }) => {
      const state = (await userState(reads, id)) ?? notFound("user", id);
      if (!isServed(state, now())) return [];
      const inbounds = (await served()).of(state.row);
      const nodes = new Map(inbounds.flatMap((inbound) => inbound.nodes.map((node) => [node.id, node.name] as const)));
      return appConfigs(placedEntries(subscriptionUser(state.row), inbounds)).map(
        ({ nodeId, inbound, protocol, name, config }) => {
          return { nodeId, node: nodes.get(nodeId) ?? "", inbound, protocol, name, config: { ...config } };
        },
      );
    },
  });
}
