// Addresses of the inspector's pages, below the base path.

export const FLEET = "/inspect";

/** The actors of a kind; of one state, or with `error.*` of all within an outer one. */
export function listPath(kind: string, filter: { readonly state?: string; readonly fault?: boolean } = {}): string {
  const search = new URLSearchParams();
  if (filter.state !== undefined) search.set("state", filter.state);
  if (filter.fault) search.set("fault", "true");
  const query = search.toString();
  return `${FLEET}/${encodeURIComponent(kind)}${query === "" ? "" : `?${query}`}`;
}

/** `at`: looking back at a step of its journal. */
export function actorPath(kind: string, id: string, at?: number): string {
  return `${FLEET}/${encodeURIComponent(kind)}/${encodeURIComponent(id)}${at === undefined ? "" : `?at=${at}`}`;
}

const RECORDS: Readonly<Record<string, string>> = { node: "/nodes", reseller: "/resellers", user: "/users" };

/** The page of the record that an actor belongs to, for kinds that have one. */
export function recordPath(kind: string, id: string): string | undefined {
  const pages = RECORDS[kind];
  return pages === undefined ? undefined : `${pages}/${encodeURIComponent(id)}`;
}

/** For links that the browser itself follows: relative to `<base href>`. */
export function hrefOf(path: string): string {
  return path.replace(/^\//, "");
}
