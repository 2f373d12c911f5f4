// Where a provider may send the browser back to: the panel's own callback and nothing else, so that a code is never
// delivered elsewhere.
import { invalid, type RequestFacts, rule, ruleSaying } from "../../http/index.ts";
import type { SettingsReader } from "../../feature/index.ts";

export const CALLBACK_PATH = "/login/oidc/callback";

/** `host[:port]` of an address of the panel, as written in a URL with that scheme. */
function hostIn(scheme: string, name: string): string | undefined {
  const text = `${scheme}//${name}`;
  return URL.canParse(text) ? new URL(text).host : undefined;
}

/** `web_domain` with the port that the request came to, and with the scheme's own. */
function ownHosts(
  scheme: string,
  request: RequestFacts,
  settings: SettingsReader<"web_domain">,
): (string | undefined)[] {
  const domain = settings.text("web_domain");
  const [, port = ""] = /(:\d+)$/.exec(request.host) ?? [];
  const named = domain === "" ? [] : [domain, ...(/:\d+$/.test(domain) ? [] : [`${domain}${port}`])];
  return [request.host, ...named].map((name) => hostIn(scheme, name));
}

/**
 * Throws 400 `field: "redirectUri"` for an address that is not this panel's callback: under the host that the request
 * came to or `web_domain`, over https, or http where the request came so.
 */
export function checkRedirectUri(text: string, request: RequestFacts, settings: SettingsReader<"web_domain">): void {
  const url = URL.canParse(text)
    ? new URL(text)
    : invalid("redirectUri", ruleSaying("must be an absolute URL", "http_url"));
  const paths = ["/api", "/api/v1"].map((prefix) => `${request.basePath}${prefix}${CALLBACK_PATH}`);
  const scheme = url.protocol === "https:" || (url.protocol === "http:" && !request.tls);
  const own = scheme && ownHosts(url.protocol, request, settings).includes(url.host) && paths.includes(url.pathname);
  // Only origin and path are part of the callback, not user name, query or fragment.
  if (!own || text !== `${url.origin}${url.pathname}`) invalid("redirectUri", rule("redirect_uri", ...paths));
}
