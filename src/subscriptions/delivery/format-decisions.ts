// What a request asks for, looked up: the programs that fetch are few, and each asks in the same words all day.
import { choose, ruleTable, type Choice } from "../documents/formats.ts";
import type { SubscriptionSettings } from "../subscriptions.settings.ts";
import { AVAILABLE, formOf, type Asked } from "./answers.ts";

/** The parts of a request that decide what it asks for. */
interface Words {
  /** The format in the path, and in the query; empty without one. */
  readonly path: string;
  readonly query: string;
  readonly userAgent: string;
  readonly accept: string;
}

/** What is kept at most, and the longest that is. Whoever asks in words of their own each time gains nothing by it. */
const KEPT = 1000;
const LONGEST = 700;

export class Decisions {
  readonly #settings: SubscriptionSettings;
  readonly #rules = ruleTable();
  #table: ReturnType<ReturnType<typeof ruleTable>> | undefined;
  readonly #kept = new Map<string, Asked | undefined>();

  constructor(settings: SubscriptionSettings) {
    this.#settings = settings;
  }

  /** What is answered to a request; undefined: its path names a format that there is not. */
  of(words: Words): Asked | undefined {
    const table = this.#rules(this.#settings.get("sub_rules"));
    if (table !== this.#table) {
      this.#kept.clear();
      this.#table = table;
    }
    // No header holds a line break.
    const { path, query, userAgent, accept } = words;
    const key = `${userAgent}\n${accept}\n${path}\n${query}`;
    const known = this.#kept.get(key);
    if (known) return known;
    const choice = choose(words, AVAILABLE, table);
    const asked = choice && decided(choice, userAgent);
    if (key.length <= LONGEST) {
      if (this.#kept.size >= KEPT) this.#kept.clear();
      this.#kept.set(key, asked);
    }
    return asked;
  }
}

function decided({ format, rule, previews }: Choice, userAgent: string): Asked {
  return { format, userAgent, further: rule?.headers, form: formOf(format, userAgent), ...(previews && { previews }) };
}
