// What an attempt of an effect came to, and what its chart hears of it.
import { EffectRefused } from "./definition.ts";
import type { EffectWork } from "./effect-work.ts";
import { SecretLost } from "./errand-secrets.ts";
import { attemptProblem, messageOf, type ToldProblem } from "./problems.ts";
import type { Problem } from "./problems.schema.ts";

export type EffectOutcome =
  | { readonly ok: true; readonly output: unknown }
  | {
      readonly ok: false;
      readonly error: string;
      readonly cause?: Problem;
      /** The work of an errand, or that of an earlier run, may not have ended. */
      readonly goesOn?: boolean;
    };

type AttemptOutcome =
  | { readonly ok: true; readonly output: unknown }
  | (Extract<EffectOutcome, { ok: false }> & { readonly told: ToldProblem })
  | { readonly again: ToldProblem };

/**
 * What an attempt came to; `again`: it failed in a way that another one may not. `goesOn`: see `EffectOutcome`. `last`:
 * none follows, and why where that is not what it failed with.
 */
export async function outcomeOf(
  work: EffectWork,
  goesOn: () => boolean,
  last: () => ToldProblem | boolean,
): Promise<AttemptOutcome> {
  try {
    return { ok: true, output: await work.result };
  } catch (error) {
    const isLast = last();
    const met = attemptProblem(error);
    if (isLast === false && !(error instanceof EffectRefused || error instanceof SecretLost)) return { again: met };
    const told = typeof isLast === "object" ? isLast : met;
    const message = told === met ? messageOf(error) : told.message;
    return { ok: false, error: message, cause: told.cause, goesOn: goesOn(), told };
  }
}
