// Identity providers on the wire (rule access.sso.2).
import { z } from "zod";
import { count, line, matching, rule, unixTime, version } from "../../http/index.ts";
import type { OidcProviderRow } from "./provider.entity.ts";

const address = line(2048);
/** Tokens of RFC 6749 separated by single spaces. */
const scopes = z
  .string()
  .max(1024)
  .check(matching(/^([\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*)?$/, rule("oauth_scopes")));
/** A member of the user endpoint's answer; dots lead into inner objects. */
const subjectField = z
  .string()
  .check(matching(/^([A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){0,7})?$/, rule("subject_field")));

const fields = {
  issuer: address,
  clientSecret: z.string().max(4096),
  scopes,
  authorizationUrl: address,
  tokenUrl: address,
  userUrl: address,
  subjectField,
  enabled: z.boolean(),
  sortOrder: count,
  icon: line(2048),
};
const name = line(128).min(1);
const clientId = line(512).min(1);
const kind = z.enum(["oidc", "oauth2"]);

/** Body of a create. */
export const OidcProviderCreate = z
  .object({ name, kind, clientId, ...z.object(fields).partial().shape })
  .meta({ id: "OidcProviderCreate" });
export type OidcProviderCreateBody = z.output<typeof OidcProviderCreate>;

/** Body of a PUT: absent fields keep their value, and so does an empty `clientSecret`; null removes it. */
export const OidcProviderUpdate = z
  .object({
    name,
    kind,
    clientId,
    ...fields,
    clientSecret: fields.clientSecret.nullable(),
    sharedCallback: z.boolean(),
    version,
  })
  .partial()
  .meta({ id: "OidcProviderUpdate" });
export type OidcProviderUpdateBody = z.output<typeof OidcProviderUpdate>;

/** A provider as it is answered; its secret never is. */
export const OidcProvider = z
  .object({
    id: z.int(),
    name: z.string(),
    kind,
    issuer: z.string(),
    clientId: z.string(),
    clientSecretSet: z.boolean(),
    scopes: z.string(),
    authorizationUrl: z.string(),
    tokenUrl: z.string(),
    userUrl: z.string(),
    subjectField: z.string(),
    enabled: z.boolean(),
    sortOrder: z.int(),
    icon: z.string(),
    sharedCallback: z.boolean(),
    createdAt: unixTime,
    updatedAt: unixTime,
  })
  .meta({ id: "OidcProvider" });

export function providerView({
  clientSecret,
  reach: _reach,
  linkings: _linkings,
  ...shown
}: Readonly<OidcProviderRow>): z.input<typeof OidcProvider> {
  return { ...shown, clientSecretSet: clientSecret !== "" };
}
