// What actors and charts look like on the wire. Times are Unix seconds, those ending in `Ms` Unix milliseconds.
import { z } from "zod";
import { count, queryCount, refuse } from "../../http/index.ts";
import { Problem } from "../../runtime/index.ts";

/** No record has this id. */
const NOBODY = 0;

/** An actor in a path. Its id is a text; one that is no record's number is nobody's (404), as a number that is none. */
export const actorParams = z.object({
  kind: z.string().max(64),
  id: z
    .string()
    .max(64)
    .transform((id) => (/^\d{1,15}$/.test(id) ? Number(id) : NOBODY)),
});

export type ActorParams = z.output<typeof actorParams>;

/** The 404 of a record that there is not. */
export function refuseNobody(kind: string, id: number): never {
  return refuse("not_found", { message: id === NOBODY ? `no ${kind} of that id` : `no ${kind} ${id}` });
}

/** A chart. */
export const Machine = z
  .object({
    kind: z.string(),
    version: count,
    description: z.string(),
    definition: z.unknown(),
    digest: z.string(),
    delays: z.record(z.string(), z.number().nullable()),
    safe: z.array(z.string()),
  })
  .meta({ id: "Machine" });

const actorFields = {
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  state: z.string(),
  since: count,
  /** Version of the chart that wrote the state. */
  version: count,
  /** Transitions so far; the `seq` of the newest journal entry. */
  rev: count,
  wakeAt: count.nullable(),
  running: z.array(z.string()),
  attempts: count,
  /**
   * Since when it is in trouble, and how often it failed since: what was tried in between ends neither. Null while it
   * is not.
   */
  trouble: z.object({ since: count, failures: count }).nullable(),
};

/** An actor as a row of the list. */
export const Actor = z
  .object({
    ...actorFields,
    /** It is in quarantine. */
    fault: z.boolean(),
    /** The last error, in the words of the code that met it; empty while nothing is wrong. */
    error: z.string(),
    /** The same for programs, where it has a code; its values belong to the code. */
    cause: z.object({ code: z.string(), values: z.array(z.union([z.string(), z.number()])) }).nullable(),
  })
  .meta({ id: "Actor" });

const Effect = z.object({
  id: z.string(),
  src: z.string(),
  attempt: count,
  maxAttempts: count,
  startedAt: count.nullable(),
  nextAttemptAt: count.nullable(),
  lastError: z.string(),
  /** The same for programs. */
  lastCause: Problem.nullable(),
});

/** One actor, with everything that its page shows. */
export const ActorDetail = z
  .object({
    ...actorFields,
    /** The sentence of the state. */
    meaning: z.string(),
    context: z.record(z.string(), z.unknown()),
    /** Figures of now that the chart looks at and the journal does not keep. */
    measured: z.record(z.string(), z.number()),
    next: z.array(z.string()),
    why: z.object({ event: z.string(), at: count, atMs: count, actor: z.string(), text: z.string() }).nullable(),
    /** The transition that brought it into its state; null where it is too many steps ago. */
    entered: z
      .object({ seq: count, event: z.string(), at: count, atMs: count, actor: z.string(), from: z.string().nullable() })
      .nullable(),
    timers: z.array(z.object({ name: z.string(), event: z.string(), dueAt: count })),
    effects: z.array(Effect),
    fault: z.object({ at: count, count, message: z.string(), cause: Problem.nullable() }).nullable(),
  })
  .meta({ id: "ActorDetail" });

/** A transition in an actor's journal. */
export const JournalEntry = z
  .object({
    seq: count,
    at: count,
    atMs: count,
    event: z.string(),
    from: z.string().nullable(),
    to: z.string(),
    actor: z.string(),
    effects: z.array(z.string()),
    /** Milliseconds that the actor had been in `from`. */
    took: count,
    changed: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  })
  .meta({ id: "JournalEntry" });

/**
 * Which entries of a journal: all that the parameters have in common. Moments are Unix seconds and belong to the span.
 */
export const journalFilter = z.object({
  since: queryCount.optional(),
  until: queryCount.optional(),
  event: z.string().max(128).optional(),
  /** A state, or everything within one (`error.*`): steps that came into it from outside. */
  entered: z.string().max(256).optional(),
});
export type JournalFilter = z.output<typeof journalFilter>;

/** What an actor would do with an event. */
export const ActorPreview = z
  .object({
    from: z.string(),
    to: z.string(),
    actions: z.array(z.object({ type: z.string(), name: z.string() })),
    taken: z.boolean(),
    /** Why it would not be taken; empty when it would. */
    refused: z.string(),
    /** The same for programs; null when it would. */
    cause: Problem.nullable(),
  })
  .meta({ id: "ActorPreview" });
