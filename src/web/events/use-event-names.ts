// The events of the catalogue that the reader may hear, in the reader's words, family by family.
import { useApi } from "../api/queries.ts";
import { useCan, useMe } from "../session/me.ts";
import { useRaised } from "../words/use-raised.ts";
import { useWords } from "../words/words.ts";

interface Catalogue {
  readonly events: readonly { readonly name: string; readonly family: string; readonly scope: string }[];
}

interface Option {
  readonly value: string;
  readonly label: string;
}

export interface EventNames {
  readonly family: string;
  readonly group: string;
  readonly items: Option[];
}

/** What nobody but a machine's owner hears. */
const OF_THE_PANEL = ["node", "panel"];

/** `chosen` stays in the list whoever may hear it, so that it can be taken away. */
export function useEventNames(chosen: string): readonly EventNames[] {
  const families = useWords("families");
  const raisedText = useRaised();
  const can = useCan();
  const { base } = useMe();
  const { data } = useApi<Catalogue>("/events");
  const heard = data?.events.filter(
    ({ name, family, scope }) =>
      name === chosen || (can(scope) && !(base === "resale" && OF_THE_PANEL.includes(family))),
  );
  const groups = new Map<string, Option[]>();
  for (const { name, family } of heard ?? [])
    groups.set(family, [...(groups.get(family) ?? []), { value: name, label: raisedText(name) }]);
  return [...groups].map(([family, items]) => ({
    family,
    group: Object.entries(families).find(([name]) => name === family)?.[1] ?? family,
    items: unlike(items),
  }));
}

/** Events that are said alike are told apart by their names. */
function unlike(items: readonly Option[]): Option[] {
  return items.map(({ value, label }) =>
    items.some((other) => other.label === label && other.value !== value)
      ? { value, label: `${label} (${value})` }
      : { value, label },
  );
}
