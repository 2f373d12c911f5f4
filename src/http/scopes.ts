// The catalogue of scopes and what they imply (rule admins.role.7).

export const SCOPES = [
  "users:read",
  "users:write",
  "nodes:read",
  "nodes:write",
  "nodes:install",
  "tunnels:read",
  "tunnels:write",
  "templates:read",
  "templates:write",
  "pool:read",
  "pool:write",
  "certificates:read",
  "certificates:write",
  "settings:read",
  "settings:write",
  "stats:read",
  "tools:write",
  "admins:write",
  "tokens:write",
  "license:write",
  "backup:read",
  "backup:write",
  "backup:deliver",
  "security:read",
  "security:write",
  "webhooks:read",
  "webhooks:write",
  "services:read",
  "services:write",
] as const;

export type Scope = (typeof SCOPES)[number];

const known: ReadonlySet<string> = new Set(SCOPES);

export function isScope(text: string): text is Scope {
  return known.has(text);
}

/** The scopes a grant amounts to: unknown ones dropped, and with every `:write` its `:read`. */
export function scopeClosure(granted: Iterable<string>): ReadonlySet<Scope> {
  const closure = new Set<Scope>();
  for (const scope of granted) {
    if (!isScope(scope)) continue;
    closure.add(scope);
    const read = scope.replace(/:write$/, ":read");
    if (isScope(read)) closure.add(read);
  }
  return closure;
}

/** Whether everything that `granted` amounts to is held. */
export function coversScopes(held: ReadonlySet<Scope>, granted: Iterable<string>): boolean {
  return [...scopeClosure(granted)].every((scope) => held.has(scope));
}
