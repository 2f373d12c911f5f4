// /api/oidc-providers (rule access.sso.1): main admins with `admins:write`; changes need a fresh second factor.
import { z } from "zod";
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
import { checkProvider, PROVIDER_CHECKS, PROVIDER_FINDINGS } from "./provider-check.ts";
import { linkedAccounts } from "./provider-reach.ts";
import { OidcProviderRows } from "./provider.entity.ts";
import { checkProviderAddresses, createProvider, deleteProvider, updateProvider } from "./providers.commands.ts";
import { callbackPath } from "./redirect-uri.ts";
import type { Sso } from "./sso.ts";
import { OidcProvider, OidcProviderCreate, OidcProviderUpdate, providerView } from "./providers.schema.ts";

const shared = { scope: "admins:write", tiers: ["sudo"] } as const;

const ProviderTest = z
  .object({
    ok: z.boolean(),
    checks: z.array(
      z.object({
        check: z.enum(PROVIDER_CHECKS),
        ok: z.boolean(),
        code: z.enum(PROVIDER_FINDINGS),
        values: z.array(z.string()),
        text: z.string(),
      }),
    ),
  })
  .meta({ id: "OidcProviderTest" });

export function providerRoutes({ access: { reads, settings, secretKey }, network }: Sso): Route[] {
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
      path: "/oidc-providers/{id}/test",
      summary: "Whether an identity provider could serve a sign-in now",
      description: "Changes nothing and sends no secret. Addresses obey the rules of every sign-in.",
      params: idParams,
      answer: ProviderTest,
      statuses: [404],
      idempotent: false,
      handle: async ({ params: { id }, request }) => {
        const provider = await stored(id);
        const panel = `${request.tls ? "https" : "http"}://${request.host}${request.basePath}`;
        const checks = await checkProvider(provider, network, `${panel}/api${callbackPath(provider)}`);
        return { ok: checks.every(({ ok }) => ok), checks };
      },
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
        "Absent fields keep their value, and so does an empty `clientSecret`; null removes it. Another endpoint, client, secret or subject field removes the provider's links, and the stored secret unless one comes along. `sharedCallback` can be switched off and not on; another endpoint or client switches it off. All but `name`, `icon` and `sortOrder` needs the scopes of every account that is linked.",
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
