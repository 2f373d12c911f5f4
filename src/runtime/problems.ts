// Makes problems of what charts and effects throw: a sentence for people, and its code with values.
import { ChartTooNew } from "./errors.ts";
import type { Problem, ProblemCode, ProblemValues } from "./problems.schema.ts";

/** Maximum characters of each text: a row keeps it. */
const TEXT_LENGTH = 500;

/** A problem with its sentence. */
export interface ToldProblem {
  readonly message: string;
  readonly cause: Problem;
}

export function problem<C extends ProblemCode>(message: string, code: C, ...values: ProblemValues[C]): ToldProblem {
  const kept = values.map((value) => (typeof value === "string" ? value.slice(0, TEXT_LENGTH) : value));
  return { message: message.slice(0, TEXT_LENGTH), cause: { code, values: kept } };
}

/** What stepping a chart threw. */
export function chartProblem(error: unknown): ToldProblem {
  const message = messageOf(error);
  if (error instanceof ChartTooNew) return problem(message, "chart_too_new", error.written, error.known);
  return problem(message, "chart_threw", message);
}

/** An error of the runtime that has a code of its own. */
export class EffectFailure extends Error {
  override readonly name: string = "EffectFailure";
  readonly problem: ToldProblem;

  constructor(told: ToldProblem) {
    super(told.message);
    this.problem = told;
  }
}

/** Why an attempt of an effect failed. */
export function attemptProblem(error: unknown): ToldProblem {
  if (error instanceof EffectFailure) return error.problem;
  const message = messageOf(error);
  return problem(message, "attempt_failed", message);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
