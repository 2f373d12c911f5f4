// Why a node does not serve, for programs and pages: the codes with their values. What each is, is said by the chart's
// `CauseValues`.
import { z } from "zod";
import type { CauseCode, CauseValues } from "../../../machines/node-cause.ts";

/** Every code; the compiler compares them with the chart's. */
const CODES = {
  connection_refused: true,
  timed_out: true,
  no_route: true,
  unknown_name: true,
  connection_cut: true,
  other_program: true,
  no_agent: true,
  unreachable: true,
  no_certificate: true,
  no_greeting: true,
  late_configuration: true,
  not_taken: true,
  silent: true,
  not_connected: true,
  no_answer: true,
  unsupported: true,
  misbehaved: true,
  ended: true,
  failed: true,
  refused: true,
  duplicate: true,
  mismatched: true,
  off: true,
  limit: true,
  licence: true,
} as const satisfies Readonly<Record<CauseCode, true>>;

export const StoredCause = z.object({
  code: z.enum(Object.keys(CODES) as [CauseCode, ...CauseCode[]]),
  values: z.array(z.union([z.string(), z.number()])),
});
export type StoredCause = z.output<typeof StoredCause>;

/** As answers show it. `detail` is the sentence for people. */
export const ShownCause = StoredCause.extend({ detail: z.string() }).meta({ id: "NodeCause" });
export type ShownCause = z.output<typeof ShownCause>;

/** The cause that has no words: for `refused`, the engine's own words are shown as they are. */
type Unworded = "refused";

/** Words of a language for every cause; a cause without words does not compile. */
export type CauseWords = {
  readonly [C in Exclude<CauseCode, Unworded>]: CauseValues[C] extends []
    ? string
    : (...values: CauseValues[C]) => string;
};

/** Words for failed dials that have other causes where the agent is on the panel's own machine. */
export type HereWords = Pick<CauseWords, "connection_refused" | "timed_out" | "connection_cut">;
