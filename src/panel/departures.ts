// Writes down in each commit what it takes away of who is served where: accounts switched off, moved or deleted, nodes that change templates, templates that lose inbounds.
// Usage that comes in later is held against it (`fleet/usage-judge.ts`). Whatever changes those rows, by whichever route, goes through here.
import { isDeepStrictEqual } from "node:util";
import { UserRows } from "../accounts/index.ts";
import type { Draft, Entity, Key } from "../db/index.ts";
import { NodeRows } from "../fleet/index.ts";
import { type DepartureKind, type Place, recordDeparture, TemplateRows } from "../pool/index.ts";

interface Rule {
  readonly table: string;
  readonly kind: DepartureKind;
  /** Where the row stood before the change and stands after it; undefined for a new row, which took nothing away. */
  places(draft: Draft, id: Key): { readonly was: Place; readonly is: Place } | undefined;
}

function rule<R extends object>(entity: Entity<R>, kind: DepartureKind, placeOf: (row: Readonly<R>) => Place): Rule {
  return {
    table: entity.name,
    kind,
    places(draft, id) {
      const before = draft.before(entity, id);
      if (!before) return undefined;
      const after = draft.find(entity, id);
      return { was: placeOf(before), is: after ? placeOf(after) : [] };
    },
  };
}

const RULES: ReadonlyMap<string, Rule> = new Map(
  [
    rule(UserRows, "account", ({ enable, allTemplates, templateIds }) => {
      if (!enable) return [];
      return allTemplates ? null : templateIds;
    }),
    rule(NodeRows, "node", ({ templateId }) => (templateId === null ? [] : [templateId])),
    rule(TemplateRows, "template", ({ inboundIds }) => inboundIds),
  ].map((each) => [each.table, each]),
);

/** Part of every unit: `CommitterOptions.consequences`. */
export function recordDepartures(draft: Draft): void {
  const seen = new Set<string>();
  // A copy: what is inserted here is no change of its own.
  for (const { table, id, key } of Array.from(draft.writes)) {
    const found = RULES.get(table.name);
    if (!found || seen.has(key)) continue;
    seen.add(key);
    const places = found.places(draft, id);
    if (!places || isDeepStrictEqual(places.was, places.is)) continue;
    recordDeparture(draft, found.kind, Number(id), places.was);
  }
}
