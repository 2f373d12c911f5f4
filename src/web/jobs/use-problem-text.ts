// Why a record was refused, in the person's language as far as the code says it.
import { useWords } from "../words/words.ts";
import type { JobProblem } from "./job.ts";

/** The panel's sentence names the field; words for the code would say less. */
const SENTENCES: readonly string[] = ["validation", "duplicate", "bad_request", "forbidden"];

export function useProblemText(): (problem: Pick<JobProblem, "code" | "error">) => string {
  const words = useWords("jobs");
  const { refusals } = useWords("parts");
  return ({ code, error }) => {
    if (code === "stays_off") return words.staysOff;
    if (code === "not_found") return words.gone;
    if (code === "changed_meanwhile") return words.changedMeanwhile;
    if (SENTENCES.includes(code)) return error;
    return Object.entries(refusals.codes).find(([name]) => name === code)?.[1] ?? error;
  };
}
