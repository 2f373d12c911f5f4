// Identity providers that operators may sign in through (rule access.sso.1).
import { defineEntity, p } from "@mikro-orm/core";
import { entity, sealedText, type RowOf } from "../../db/index.ts";

/** `oidc`: OpenID Connect, found by its issuer. `oauth2`: plain OAuth 2.0, whose user endpoint says who signed in. */
export type ProviderKind = "oidc" | "oauth2";

export const OidcProviderRows = entity(
  defineEntity({
    name: "OidcProvider",
    tableName: "oidc_providers",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text(),
      kind: p.text().$type<ProviderKind>(),
      issuer: p.text(),
      clientId: p.text(),
      /** Sealed to this row; empty: a public client. */
      clientSecret: sealedText(),
      /** Separated by single spaces. */
      scopes: p.text(),
      /** The next four are of `oauth2`, empty for `oidc`. */
      authorizationUrl: p.text(),
      tokenUrl: p.text(),
      userUrl: p.text(),
      subjectField: p.text(),
      enabled: p.boolean(),
      sortOrder: p.bigint("number"),
      icon: p.text(),
      /**
       * The provider knows the callback that all providers had once, not one of its own. Only providers from that time
       * have it, until somebody moves them.
       */
      sharedCallback: p.boolean().default(false),
      /**
       * Scopes of the caller who last set the provider's address; null: all scopes. The operator of that address could
       * sign in as any linked account, so the provider serves no account with more rights.
       */
      reach: p.json<string[]>().nullable(),
      /** Moves with every link that is made, so that a change decided on fewer of them is noticed. */
      linkings: p.bigint("number").default(0),
      createdAt: p.bigint("number"),
      /** Moves with every write: a sign-in that began under another version does not complete. */
      updatedAt: p.bigint("number"),
    },
  }),
);
export type OidcProviderRow = RowOf<typeof OidcProviderRows>;
