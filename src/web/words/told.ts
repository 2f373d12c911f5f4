// What the panel says in English or by a name of the wire, in the words of the language in use. What has no words here stays as it was said.
import type { Words } from "./language.ts";
import { useLanguage } from "./words.ts";

/** An event as the inspector reads it: an ordinary one, a deadline that passed, an effect that settled. */
interface Sign {
  readonly kind: "event" | "done" | "failed" | "timer" | "due" | "created" | "deleted";
  readonly name: string;
}

export interface Told {
  /** The sentence of a state. `said`: the chart's own. */
  readonly meaning: (kind: string, state: string, said: string) => string;
  /** What happened with an event; its name where there are no words. `to`: the state that it led to, which says what came due. */
  readonly event: (kind: string, sign: Sign, to?: string) => string;
  /** An event of the catalogue, to be read after the name of what it is about. */
  readonly raised: (event: string) => string;
  /** Why a node is not served. */
  readonly message: (said: string) => string;
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

function readWith({ meanings, raised, messages, inspect }: Words): Told {
  return {
    meaning: (kind, state, said) => wordsOf(wordsOf(meanings.states, kind), state) ?? said,
    event(kind, { kind: sort, name }, to = "") {
      if (sort === "due") return wordsOf(wordsOf(meanings.dues, kind), to) ?? wordsOf(wordsOf(meanings.events, kind), name) ?? name;
      if (sort === "created" || sort === "deleted") return inspect.events[sort];
      if (sort === "timer") return wordsOf(wordsOf(meanings.deadlines, kind), name) ?? inspect.events.after(name);
      if (sort === "done" || sort === "failed") return inspect.events[sort](wordsOf(wordsOf(meanings.effects, kind), name) ?? name);
      return wordsOf(wordsOf(meanings.events, kind), name) ?? name;
    },
    raised: (event) => wordsOf(raised, event) ?? event,
    message: (said) => messageIn(messages, said),
  };
}

/** What a dictionary has under a name of the wire. */
function wordsOf<V>(table: Readonly<Record<string, V>> | undefined, name: string): V | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

type Reading = readonly [RegExp, (messages: Words["messages"], ...parts: string[]) => string];

/** The reasons that charts and links note, the particular before the general. A group is what they name. */
const READINGS: readonly Reading[] = [
  [/^(\S+) cannot be reached: connect ECONNREFUSED/, (words, address = "") => words.refused(address)],
  [
    /^(\S+) (?:cannot be reached: (?:connect ETIMEDOUT|Opening handshake has timed out)|does not answer$)/,
    (words, at = "") => words.silent(at),
  ],
  [/^(\S+) cannot be reached: connect E(?:HOST|NET)UNREACH/, (words, address = "") => words.noRoute(address)],
  [/^\S+ cannot be reached: getaddrinfo E\w+ (\S+)$/, (words, host = "") => words.unknownName(host)],
  [
    /^(\S+) cannot be reached: (?:read ECONNRESET|write EPIPE|socket hang up|Client network socket disconnected)/,
    (words, address = "") => words.cut(address),
  ],
  [
    /^(\S+) cannot be reached: Unexpected server response: (\d+)$/,
    (words, address = "", status = "") => words.otherProgram(address, status),
  ],
  [/^(\S+) cannot be reached: (.+)$/s, (words, address = "", cause = "") => words.unreachable(address, cause)],
  [/^the agent did not greet within (\d+) s$/, (words, seconds = "") => words.noGreeting(seconds)],
  [/^the agent did not take the configuration in time$/, (words) => words.lateConfiguration],
  [/^the configuration was not taken: (.+)$/s, (words, cause = "") => words.notTaken(cause)],
  [/^(\d+) heartbeats were missed$/, (words, count = "") => words.heartbeats(count)],
  [/^the agent sent (\d+) wrong messages, the last: (.+)$/s, (words, count = "", last = "") => words.wrongMessages(count, last)],
  [/^the connection ended$/, (words) => words.ended],
  [/^the connection ended \((.+)\)$/, (words, reason = "") => words.endedWith(reason)],
  [/^the agent presented no certificate$/, (words) => words.noCertificate],
  [/^this agent serves node "(.+)" \((\S+)\) already: /s, (words, name = "", address = "") => words.duplicate(name, address)],
  [/^switched off$/, (words) => words.off],
  [/^the usage limit of the period is reached$/, (words) => words.limit],
  [/^outside the licence's node cap$/, (words) => words.licence],
];

/** A reason in the words of a language; what is not known stays as it was said. */
function messageIn(messages: Words["messages"], said: string): string {
  for (const [pattern, tell] of READINGS) {
    const match = pattern.exec(said);
    if (match) return tell(messages, ...match.slice(1));
  }
  return said;
}
