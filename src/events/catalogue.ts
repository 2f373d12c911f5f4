// The catalogue of events, as the panel derives it from its features. What is not listed here cannot be raised (rule
// events.catalogue.1).
import type { CatalogueEvent, EventEntries, Family } from "../feature/index.ts";

/** Families in the order in which the catalogue shows them. */
const FAMILIES: readonly Family[] = ["user", "node", "admin", "panel"];

/** The test event that reaches one subscriber past its filter. */
export const PING = "panel.ping";

export class Catalogue {
  /** Family by family, within one in the order of the features. */
  readonly all: readonly CatalogueEvent[];
  readonly #byName: ReadonlyMap<string, CatalogueEvent>;
  readonly #families: ReadonlySet<string>;

  constructor(events: EventEntries) {
    this.all = Object.values(events).toSorted((a, b) => FAMILIES.indexOf(a.family) - FAMILIES.indexOf(b.family));
    this.#byName = new Map(this.all.map((event) => [event.name, event]));
    this.#families = new Set(this.all.map(({ family }) => family));
  }

  /** The entry of a name, or undefined. */
  get(name: string): CatalogueEvent | undefined {
    return this.#byName.get(name);
  }

  /** Whether a filter entry names an event (`user.created`) or a family (`user.*`). */
  isFilterEntry(entry: string): boolean {
    return this.#byName.has(entry) || (entry.endsWith(".*") && this.#families.has(entry.slice(0, -2)));
  }
}
