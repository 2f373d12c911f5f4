// Single sign-on, as the rest of access uses it.
import type { Route } from "../../http/index.ts";
import type { Access } from "../access.ts";
import { OidcAttemptRows, OidcCodeRows, OidcWaitingRows } from "./attempt.entity.ts";
import { OidcLinkRows } from "./link.entity.ts";
import { OidcProviderRows } from "./provider.entity.ts";
import { linkRoutes } from "./links.routes.ts";
import { providerRoutes } from "./providers.routes.ts";
import { signInRoutes } from "./sign-in.routes.ts";
import { createSso } from "./sso.ts";

/** Tables of single sign-on. */
export const ssoEntities = [OidcProviderRows, OidcLinkRows, OidcAttemptRows, OidcWaitingRows, OidcCodeRows] as const;

/** Every route of single sign-on. */
export function ssoRoutes(access: Access): Route[] {
  const sso = createSso(access);
  return [...signInRoutes(sso), ...linkRoutes(sso), ...providerRoutes(sso)];
}
