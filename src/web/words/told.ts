// What the panel says in English or by a name of the wire, in the words of the language in use. What has no words here
// stays as it was said.
import type { Words } from "./language.ts";
import { useLanguage } from "./words.ts";

/** An event as the inspector reads it: an ordinary one, a deadline that passed, an effect that settled. */
interface Sign {
  readonly kind: "event" | "done" | "failed" | "timer" | "due" | "created" | "deleted";
  readonly name: string;
}

/** A cause as the panel sends it. */
export interface SaidCause {
  readonly code: string;
  readonly values: readonly (string | number)[];
}

export interface Told {
  /** The sentence of a state. `said`: the chart's own. */
  readonly meaning: (kind: string, state: string, said: string) => string;
  /**
   * What happened with an event; its name where there are no words. `to`: the state that it led to, which says what
   * came due.
   */
  readonly event: (kind: string, sign: Sign, to?: string) => string;
  /** An event of the catalogue, to be read after the name of what it is about. */
  readonly raised: (event: string) => string;
  /** Why a node is not served: words for the cause, else what was said. */
  readonly cause: (cause: SaidCause | null | undefined, said: string) => string;
  /** What a connected node does not serve: words for the notice, else the warning. */
  readonly notice: (notice: SaidCause & { readonly detail: string }) => string;
}

export function useTold(): Told {
  return toldIn(useLanguage().words);
}

const known = new WeakMap<Words, Told>();

/** One for each dictionary, so that what is made from it can be kept. */
export function toldIn(words: Words): Told {
  const told = known.get(words) ?? readWith(words);
  known.set(words, told);
  return told;
}

function readWith({ meanings, raised, messages, notices, inspect }: Words): Told {
  return {
    meaning: (kind, state, said) => wordsOf(wordsOf(meanings.states, kind), state) ?? said,
    event(kind, { kind: sort, name }, to = "") {
      if (sort === "due")
        return wordsOf(wordsOf(meanings.dues, kind), to) ?? wordsOf(wordsOf(meanings.events, kind), name) ?? name;
      if (sort === "created" || sort === "deleted") return inspect.events[sort];
      if (sort === "timer") return wordsOf(wordsOf(meanings.deadlines, kind), name) ?? inspect.events.after(name);
      if (sort === "done" || sort === "failed")
        return inspect.events[sort](wordsOf(wordsOf(meanings.effects, kind), name) ?? name);
      return wordsOf(wordsOf(meanings.events, kind), name) ?? name;
    },
    raised: (event) => wordsOf(raised, event) ?? event,
    cause: (cause, said) => coded(messages, cause, said),
    notice: (notice) => coded(notices, notice, notice.detail),
  };
}

/** What a dictionary has under a name of the wire. */
function wordsOf<V>(table: Readonly<Record<string, V>> | undefined, name: string): V | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Words for a code with its values; what was said where there are none. */
function coded(table: Readonly<Record<string, unknown>>, given: SaidCause | null | undefined, said: string): string {
  const words = given ? wordsOf(table, given.code) : undefined;
  if (typeof words === "string") return words;
  if (!given || typeof words !== "function") return said;
  // The compiler holds words and values of a code together; a panel of another version may send fewer.
  const tell = words as (...values: readonly (string | number)[]) => string;
  return given.values.length < tell.length ? said : tell(...given.values);
}
