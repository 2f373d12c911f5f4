// Whether a write or a socket comes from the panel's own pages. A browser sends cookies with what a page of another
// site makes it send, and signs in where that page wants; it says itself where the request comes from.
import type { Caller } from "../caller.ts";
import type { RequestFacts } from "../context.ts";
import { Refusal } from "../refusals/errors.ts";

/** Characters of an origin that its sender is shown at most. */
const MOST = 200;

/**
 * Refuses what a page that is not the panel's own may have caused (rule access.session.8): with a session's cookie, or
 * without a credential, which is a sign-in. A token is sent by programs alone.
 *
 * `Sec-Fetch-Site` is the browser's own judgement, which no page can write: `same-site` (another port or name of this
 * host) and `cross-site` are others. `Origin` must name the `Host` that was asked; with `same-origin` their ports may
 * differ, since a proxy may drop the port from `Host`. Browsers send no `Sec-Fetch-Site` over plain http, and Chromium
 * none with WebSockets; tools send neither header.
 */
export function refuseForeignPage(facts: RequestFacts, caller: Caller | undefined): void {
  if (caller?.via === "token") return;
  const origin = facts.header("origin");
  const site = facts.header("sec-fetch-site");
  const theirs = origin === undefined ? undefined : URL.parse(origin);
  const scheme = theirs?.protocol === "https:" || (theirs === undefined && facts.tls) ? "https" : "http";
  const ours = URL.parse(`${scheme}://${facts.host}`);
  const other = site === "same-site" || site === "cross-site";
  if (!other && (origin === undefined || isSamePlace(theirs, ours, site === "same-origin"))) return;
  const [told, expected] = [(origin ?? "").slice(0, MOST), (ours?.origin ?? "").slice(0, MOST)];
  throw new Refusal("cross_site", {
    message: sentence(told, expected),
    extra: { origin: told, expected },
  });
}

function isSamePlace(theirs: URL | null | undefined, ours: URL | null, anyPort: boolean): boolean {
  if (!theirs || !ours) return false;
  return theirs.host === ours.host || (anyPort && theirs.hostname === ours.hostname);
}

function sentence(origin: string, expected: string): string {
  if (origin === "") return "the request comes from a page of another site";
  return `the request comes from a page of ${JSON.stringify(origin)}, and the panel was asked as ${JSON.stringify(expected)}`;
}
