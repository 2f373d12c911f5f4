// Where a provider sends the browser back to: a callback of the panel and nothing else, so that a code is never
// delivered elsewhere. Each provider has one of its own, so that the answer of one is never taken for another's.
import { invalid, type RequestFacts, rule, ruleSaying } from "../../http/index.ts";
import type { SettingsReader } from "../../feature/index.ts";
import type { OidcProviderRow } from "./provider.entity.ts";

export const CALLBACK_PATH = "/login/oidc/callback";

/** The callback of a provider, below `/api`. */
export function callbackPath({ id, sharedCallback }: Pick<OidcProviderRow, "id" | "sharedCallback">): string {
  return sharedCallback ? CALLBACK_PATH : ownCallbackPath(id);
}

/** The callback that only this provider has; its id is given to no other. */
export function ownCallbackPath(providerId: number): string {
  return `${CALLBACK_PATH}/${providerId}`;
}

/** `host[:port]` of an address of the panel, as written in a URL with that scheme. */
function hostIn(scheme: string, name: string): string | undefined {
  const text = `${scheme}//${name}`;
  return URL.canParse(text) ? new URL(text).host : undefined;
}

/** `web_domain` with the port that the request came to, and with the scheme's own; and the place of `web_url`. */
function ownHosts(
  scheme: string,
  request: RequestFacts,
  settings: SettingsReader<"web_domain" | "web_url">,
): (string | undefined)[] {
  const domain = settings.text("web_domain");
  const [, port = ""] = /(:\d+)$/.exec(request.host) ?? [];
  const named = domain === "" ? [] : [domain, ...(/:\d+$/.test(domain) ? [] : [`${domain}${port}`])];
  const web = URL.parse(settings.text("web_url"));
  const published = web?.protocol === scheme ? [web.host] : [];
  return [request.host, ...named].map((name) => hostIn(scheme, name)).concat(published);
}

/**
 * The address that a provider is told to send the browser back to. `text` says under which of the panel's names and
 * prefixes; that it is the callback of this provider is not the client's to say. Throws 400 `field: "redirectUri"` for
 * what is neither the callback of all nor that of this provider: under the host that the request came to, `web_domain`
 * or `web_url`, over https, or http where the request came so.
 */
export function redirectUriOf(
  provider: Pick<OidcProviderRow, "id" | "sharedCallback">,
  text: string,
  request: RequestFacts,
  settings: SettingsReader<"web_domain" | "web_url">,
): string {
  const url = URL.canParse(text)
    ? new URL(text)
    : invalid("redirectUri", ruleSaying("must be an absolute URL", "http_url"));
  const prefixes = ["/api", "/api/v1"].map((prefix) => `${request.basePath}${prefix}`);
  const prefix = prefixes.find((each) =>
    [CALLBACK_PATH, ownCallbackPath(provider.id)].some((path) => url.pathname === `${each}${path}`),
  );
  const scheme = url.protocol === "https:" || (url.protocol === "http:" && !request.tls);
  const own = scheme && ownHosts(url.protocol, request, settings).includes(url.host);
  const paths = prefixes.map((each) => `${each}${callbackPath(provider)}`);
  // Only origin and path are part of the callback, not user name, query or fragment.
  if (prefix === undefined || !own || text !== `${url.origin}${url.pathname}`)
    return invalid("redirectUri", rule("redirect_uri", ...paths));
  return `${url.origin}${prefix}${callbackPath(provider)}`;
}

/** Whether a request came to the path of the address that its attempt was begun with. `path`: below `/api`. */
export function cameTo(redirectUri: string, { basePath, prefix }: RequestFacts, path: string): boolean {
  return new URL(redirectUri).pathname === `${basePath}${prefix}${path}`;
}
