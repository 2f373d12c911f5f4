// Why an actor or its work failed, and why a chart does not take an event: codes with values beside the sentence.
import { z } from "zod";

/** What belongs to each code. */
export interface ProblemValues {
  /** The chart threw an error, in its own words. */
  chart_threw: [why: string];
  /** A newer panel wrote the row: versions of the chart. */
  chart_too_new: [written: number, known: number];
  /** An attempt of an effect failed, in its own words. */
  attempt_failed: [why: string];
  no_result: [milliseconds: number];
  /** The chart could not take the result of the effect. */
  result_refused: [];
  /** Another process runs the effect from now on. */
  shard_lost: [];
  /** An errand was not done within its time. */
  errand_late: [milliseconds: number];
  /** The process that had the secrets in its memory has ended, or their time is over. */
  secret_lost: [];
  quarantined: [why: string];
  event_not_taken: [event: string, state: string];
  event_changes_nothing: [event: string, state: string];
  /** Conditions of the chart that must hold first, by name. */
  guarded: string[];
}
export type ProblemCode = keyof ProblemValues;

/** Every code; the compiler compares them with the values. */
const CODES = {
  chart_threw: true,
  chart_too_new: true,
  attempt_failed: true,
  no_result: true,
  result_refused: true,
  shard_lost: true,
  errand_late: true,
  secret_lost: true,
  quarantined: true,
  event_not_taken: true,
  event_changes_nothing: true,
  guarded: true,
} as const satisfies Readonly<Record<ProblemCode, true>>;

export const Problem = z
  .object({
    code: z.enum(Object.keys(CODES) as [ProblemCode, ...ProblemCode[]]),
    values: z.array(z.union([z.string(), z.number()])),
  })
  .meta({ id: "ActorProblem" });
export type Problem = z.output<typeof Problem>;

/** Words of a language for every code. A code without words does not compile. */
export type ProblemWords = {
  readonly [C in ProblemCode]: ProblemValues[C] extends [] ? string : (...values: ProblemValues[C]) => string;
};

/** What belongs to each code of a line that the runtime writes into the log of errands, besides problems. */
export interface LineValues {
  attempt_began: [attempt: number];
  attempt_failed: [attempt: number, why: string];
  /** Lines that came too fast to be written. */
  lines_left_out: [count: number];
  /** Lines of restores: the archive of what is there, by name; what the archive holds. */
  snapshot_begun: [name: string];
  snapshot_made: [name: string];
  archive_read: [tables: number, rows: number];
  /** A node that the archive does not know; `how`: `stopped` or `silent`. */
  unknown_node: [name: string, address: string, how: string];
  staged: [];
}

/** Words of a language for every such code. */
export type LineWords = { readonly [C in keyof LineValues]: (...values: LineValues[C]) => string };
