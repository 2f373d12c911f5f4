// Translates what the panel sends in English or as a code into the reader's language. Text without a translation stays
// as the panel sent it. Components use the hooks beside this file, each of which loads only the words that it needs.
import type { Words } from "./language.ts";

/** An event in the inspector: an ordinary event, a deadline that passed, or an effect that settled. */
interface Sign {
  readonly kind: "event" | "done" | "failed" | "timer" | "due" | "created" | "deleted" | "restored";
  readonly name: string;
}

/** A cause as the panel sends it. */
export interface PanelCause {
  readonly code: string;
  readonly values: readonly (string | number)[];
}

/** What the charts' names mean. */
export interface ActorTranslator {
  /** The sentence of a state. `said`: the chart's own. */
  readonly meaning: (kind: string, state: string, said: string) => string;
  /**
   * What the event means; its name if there is no translation. `to`: the state that it led to, which explains what was
   * due.
   */
  readonly event: (kind: string, sign: Sign, to?: string) => string;
  /** Why an actor failed or does not take an event: the translated problem, or the panel's sentence. */
  readonly problem: (kind: string, problem: PanelCause | null | undefined, said: string) => string;
  /** A line of the log of errands: what a remote program said, or a code with values. */
  readonly line: (line: PanelCause & { readonly text: string }) => string;
}

export type ActorWords = Pick<Words, "actors" | "inspect" | "problems">;

/** What the names of one chart mean. A panel whose chart has another name says that one. */
type ChartWords = Readonly<
  Record<"states" | "events" | "dues" | "deadlines" | "effects" | "guards", Readonly<Record<string, string>>>
>;

export function translateActors({ actors, inspect, problems }: ActorWords): ActorTranslator {
  const wordOf = (part: keyof ChartWords, kind: string, name: string) =>
    wordsOf(wordsOf<ChartWords>(actors, kind)?.[part], name);
  return {
    meaning: (kind, state, said) => wordOf("states", kind, state) ?? said,
    event(kind, { kind: sort, name }, to = "") {
      if (sort === "due") return wordOf("dues", kind, to) ?? wordOf("events", kind, name) ?? name;
      if (sort === "created" || sort === "deleted" || sort === "restored") return inspect.events[sort];
      if (sort === "timer") return wordOf("deadlines", kind, name) ?? inspect.events.after(name);
      if (sort === "done" || sort === "failed") return inspect.events[sort](wordOf("effects", kind, name) ?? name);
      return wordOf("events", kind, name) ?? name;
    },
    problem(kind, problem, said) {
      if (problem?.code !== "guarded") return coded(problems, problem, said);
      const guards = problem.values.map((guard) => wordOf("guards", kind, String(guard)) ?? guard);
      return coded(problems, { ...problem, values: guards }, said);
    },
    line({ code, values, text }) {
      const raw = text === "" ? [code, ...values].join(" ") : text;
      return coded({ ...problems, ...inspect.log.lines }, { code, values }, raw);
    },
  };
}

/** Why a node is not served: the translated cause, or the panel's sentence. */
export type TranslateCause = (cause: PanelCause | null | undefined, said: string) => string;

export function translateCauses({ problems, messages }: Pick<Words, "problems" | "messages">): TranslateCause {
  // An actor's cause is one of its own, or one of the runtime's.
  const { here, ...everywhere } = messages;
  const table = { ...problems, ...everywhere };
  const tableHere = { ...table, ...here };
  return (cause, said) => coded(isHere(cause?.values[0]) ? tableHere : table, cause, said);
}

/** Whether a cause is about an address of the panel's own machine: `127.0.0.1:7443`. */
function isHere(at: string | number | undefined): boolean {
  return typeof at === "string" && /^(127\.|\[?::1\]?:|localhost:)/.test(at);
}

/** What a connected node does not serve: the translated notice, or the warning. */
export type TranslateNotice = (notice: PanelCause & { readonly detail: string }) => string;

export function translateNotices(notices: Words["notices"]): TranslateNotice {
  return (notice) => coded(notices, notice, notice.detail);
}

/** Why a delivery failed: the translated code, or the panel's sentence. */
export function translateFailure(
  failures: Words["webhooks"]["failures"],
  failure: PanelCause | null,
  said: string,
): string {
  return coded(failures, failure, said);
}

/**
 * An event of the catalogue. The reader sees it after the name of its subject. `reason`: the event's own; it says
 * whether the customer or their seller is to do something.
 */
export function translateRaised(
  raised: Words["raised"],
  byReason: Words["raisedFor"],
  event: string,
  reason?: unknown,
): string {
  const told =
    typeof reason === "string"
      ? wordsOf(wordsOf<Readonly<Record<string, string>>>(byReason, event), reason)
      : undefined;
  return told ?? wordsOf(raised, event) ?? event;
}

/** The dictionary's entry for a name from the API. */
function wordsOf<V>(table: Readonly<Record<string, V>> | undefined, name: string): V | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The translation of a code with its values; the panel's sentence if there is none. */
function coded(table: Readonly<Record<string, unknown>>, given: PanelCause | null | undefined, said: string): string {
  const words = given ? wordsOf(table, given.code) : undefined;
  if (typeof words === "string") return words;
  if (!given || typeof words !== "function") return said;
  // The compiler holds words and values of a code together; a panel of another version may send fewer.
  const tell = words as (...values: readonly (string | number)[]) => string;
  return given.values.length < tell.length ? said : tell(...given.values);
}
