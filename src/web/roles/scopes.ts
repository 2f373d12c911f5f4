// Scopes as a table: an area in each row, what may be done in it in the columns. Pure.

export interface ScopeArea {
  readonly area: string;
  readonly read: string | undefined;
  readonly write: string | undefined;
  /** Deeds of that area alone. */
  readonly more: readonly string[];
}

/** In the order of the catalogue. */
export function scopeAreas(scopes: readonly string[]): readonly ScopeArea[] {
  const areas = new Map<string, string[]>();
  for (const scope of scopes) {
    const [area = ""] = scope.split(":");
    areas.set(area, [...(areas.get(area) ?? []), scope]);
  }
  return [...areas].map(([area, own]) => ({
    area,
    read: own.find((scope) => scope === `${area}:read`),
    write: own.find((scope) => scope === `${area}:write`),
    more: own.filter((scope) => scope !== `${area}:read` && scope !== `${area}:write`),
  }));
}

/** Whether a grant holds a scope: writing holds reading. */
export function holds(granted: readonly string[], scope: string): boolean {
  return granted.includes(scope) || (scope.endsWith(":read") && granted.includes(scope.replace(/:read$/, ":write")));
}

/** A grant with a scope added or taken away. What writing holds anyway is not named beside it. */
export function withScope(granted: readonly string[], scope: string, on: boolean): readonly string[] {
  const others = granted.filter((each) => each !== scope && !(on && each === scope.replace(/:write$/, ":read")));
  return on ? [...others, scope] : others;
}
