// Where a sign-in leads: the page that was asked for, never another site.

/** The path below the base path that `?next=` names; the overview where it names none of ours. */
export function destination(search: string): string {
  const next = new URLSearchParams(search).get("next") ?? "";
  return /^\/(?![/\\])/.test(next) && !next.startsWith("/login") ? next : "/";
}

/** The sign-in page that leads back to `path` (below the base path, with its query). */
export function signInPath(path: string): string {
  return path === "/" ? "/login" : `/login?next=${encodeURIComponent(path)}`;
}
