// What a request asks for, and of which host, before anything else reads it: one path and one host, or no request that
// is answered (rule http.path.13).
import type { IncomingMessage } from "node:http";

/** `http://host/path`, as clients ask a proxy. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)([^]*)$/i;
/** A name, an IPv4 address or an IPv6 one in brackets, and perhaps a port. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s,/?#@\\:<>"[\]]*)(?::\d{0,5})?$/i;

/** A request as far as its target goes. */
type Asked = Pick<IncomingMessage, "url" | "headers" | "rawHeaders">;

/** Found once: the address is read only as it was written. */
const faults = new WeakMap<Asked, string>();

/**
 * Why a request is refused whatever it asks for; undefined: nothing. Its address becomes a path where it was written in
 * full, so that nobody else reads another one.
 */
export function faultOf(request: Asked): string | undefined {
  const fault = faults.get(request) ?? readTarget(request);
  if (fault !== undefined) faults.set(request, fault);
  return fault;
}

function readTarget(request: Asked): string | undefined {
  const { headers, url = "" } = request;
  const [, authority, rest = ""] = ABSOLUTE.exec(url) ?? [];
  if (authority !== undefined) request.url = rest.startsWith("/") ? rest : `/${rest}`;
  if (hostLines(request) > 1) return "a request names one host";
  const host = headers.host ?? "";
  if (!HOST.test(host)) return "Host is no host name";
  const isOther = authority !== undefined && authority.toLowerCase() !== host.toLowerCase();
  return isOther ? "the address names another host than Host" : undefined;
}

/** Parameters of a query. Nobody has more to say, and each is looked at by name. */
const MOST_PARAMETERS = 256;

/** Whether a query has more parameters than are read. */
export function hasEndlessQuery({ url = "" }: Pick<Asked, "url">): boolean {
  let parameters = 0;
  for (let at = url.indexOf("?"); at >= 0 && parameters <= MOST_PARAMETERS; at = url.indexOf("&", at + 1)) parameters++;
  return parameters > MOST_PARAMETERS;
}

/** The path of a request's target, without its query. */
export function targetPath({ url = "" }: Pick<Asked, "url">): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

/** Number of `Host` lines. Node keeps the first of several and says nothing. */
function hostLines({ rawHeaders }: Asked): number {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") lines++;
  }
  return lines;
}
