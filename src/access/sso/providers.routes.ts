// /api/oidc-providers (rule access.sso.1): main admins with `admins:write`; changes need a fresh second factor.
import { lock } from "../../db/index.ts";
import {
  changedFields,
  idParams,
  listRoute,
  notFound,
  okAnswer,
  pageOf,
  route,
  type Caller,
  type Route,
} from "../../http/index.ts";
import type { Access } from "../access.ts";
import { linkedAccounts } from "./provider-reach.ts";
import { OidcProviderRows } from "./provider.entity.ts";
import { checkProviderAddresses, createProvider, deleteProvider, updateProvider } from "./providers.commands.ts";
import { OidcProvider, OidcProviderCreate, OidcProviderUpdate, providerView } from "./providers.schema.ts";

const shared = { scope: "admins:write", tiers: ["sudo"] } as const;

export function providerRoutes({ reads, settings, secretKey }: Access): Route[] {
  const allowPrivate = () => settings.flag("webhook_allow_private");
  const stored = async (id: number) => (await reads.find(OidcProviderRows, id)) ?? notFound("provider", id);
  const admit = async (_caller: Caller, { id }: { id: number }): Promise<void> => {
    await stored(id);
  };

  return [
    listRoute({
      ...shared,
      path: "/oidc-providers",
      summary: "Identity providers",
      item: OidcProvider,
      list: {
        q: ["name", "issuer", "client_id"],
        updatedAt: "updated_at",
        order: "sort_order, id",
        sorts: { id: "id", name: "name", sort_order: "sort_order", created_at: "created_at", updated_at: "updated_at" },
      },
      handle: async ({ list }) => {
        const page = await pageOf(reads, OidcProviderRows, list);
        return { rows: page.rows.map(providerView), total: page.total };
      },
    }),
    route({
      ...shared,
      method: "GET",
      path: "/oidc-providers/{id}",
      summary: "One identity provider, without its secret",
      params: idParams,
      answer: OidcProvider,
      statuses: [404],
      handle: async ({ params: { id } }) => providerView(await stored(id)),
    }),
    route({
      ...shared,
      method: "POST",
      path: "/oidc-providers",
      sensitive: true,
      summary: "Add an identity provider",
      description:
        "`oidc` needs `issuer`; `oauth2` needs `authorizationUrl`, `tokenUrl` and `userUrl`. Without `clientSecret` it is a public client.",
      body: OidcProviderCreate,
      answer: OidcProvider,
      audit: { key: "oidc-providers", action: "create" },
      handle: async ({ caller, body, commit }) => {
        await checkProviderAddresses(body, allowPrivate());
        return commit({
          locks: [],
          decide(draft) {
            const answer = providerView(createProvider(draft, caller, secretKey, body));
            return { answer, audit: { entityId: answer.id, after: answer } };
          },
        });
      },
    }),
    route({
      ...shared,
      method: "PUT",
      path: "/oidc-providers/{id}",
      sensitive: true,
      summary: "Change an identity provider",
      description:
        "Absent fields keep their value, and so does an empty `clientSecret`; null removes it. Another endpoint, client, secret or subject field removes the provider's links, and the stored secret unless one comes along. All but `name`, `icon` and `sortOrder` needs the scopes of every account that is linked.",
      params: idParams,
      body: OidcProviderUpdate,
      answer: OidcProvider,
      audit: { key: "oidc-providers", action: "update" },
      statuses: [404],
      codes: ["changed_meanwhile"],
      admit,
      handle: async ({ caller, params: { id }, body, commit }) => {
        await checkProviderAddresses(body, allowPrivate(), await stored(id));
        const linked = await linkedAccounts(reads, id);
        return commit({
          locks: [lock(OidcProviderRows, id)],
          decide(draft) {
            const { before, after } = updateProvider(draft, { caller, linked, key: secretKey }, id, body);
            const answer = providerView(after);
            // That the secret changed is told, neither secret is.
            const renewed =
              before.clientSecret === after.clientSecret ? {} : { clientSecret: ["[redacted]", "[redacted]"] };
            return {
              answer,
              audit: { entityId: id, obj: { ...changedFields(providerView(before), answer), ...renewed } },
            };
          },
        });
      },
    }),
    route({
      ...shared,
      method: "DELETE",
      path: "/oidc-providers/{id}",
      sensitive: true,
      summary: "Delete an identity provider with its links; sessions that came from it stay",
      params: idParams,
      answer: okAnswer,
      audit: { key: "oidc-providers", action: "delete" },
      statuses: [404],
      codes: ["changed_meanwhile"],
      admit,
      handle: async ({ caller, params: { id }, commit }) => {
        const linked = await linkedAccounts(reads, id);
        return commit({
          locks: [lock(OidcProviderRows, id)],
          decide(draft) {
            const row = deleteProvider(draft, { caller, linked }, id);
            return { answer: { ok: true }, audit: { entityId: id, before: providerView(row) } };
          },
        });
      },
    }),
  ];
}
