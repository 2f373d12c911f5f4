// The catalogue of events, as the panel derives it from its features. What is not listed here cannot be raised (rule
// events.catalogue.1).
import type { CatalogueEvent, EventEntries } from "../feature/index.ts";

/** Families that the catalogue shows first, in this order. Any other follows in the order of the features. */
const FIRST: readonly string[] = ["user", "node", "admin", "panel"];

/** The test event that reaches one subscriber past its filter. */
export const PING = "panel.ping";

export class Catalogue {
  /** Family by family, within one in the order of the features. */
  readonly all: readonly CatalogueEvent[];
  readonly #byName: ReadonlyMap<string, CatalogueEvent>;
  readonly #families: ReadonlySet<string>;

  constructor(events: EventEntries) {
    const families = new Set([...FIRST, ...Object.values(events).map(({ family }) => family)]);
    const byFamily = Map.groupBy(Object.values(events), ({ family }) => family);
    this.all = [...families].flatMap((family) => byFamily.get(family) ?? []);
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
