// Why a record was refused, in the person's language as far as code and rules say it.
import { ApiError } from "../api/call.ts";
import { refusalText } from "../parts/refusal.ts";
import { useWords } from "../words/words.ts";
import type { JobProblem } from "./job.ts";

type Said = Omit<JobProblem, "id" | "name">;

export function useProblemText(): (problem: Said) => string {
  const words = useWords("jobs");
  const parts = useWords("parts");
  return ({ code, error, field, issues }) => {
    if (code === "stays_off") return words.staysOff;
    if (code === "kept_off") return words.keptOff;
    if (code === "not_found") return words.gone;
    if (code === "changed_meanwhile") return words.changedMeanwhile;
    if (code === "exists") return words.exists;
    if (code === "unchanged") return words.unchanged;
    const body = {
      error,
      code,
      ...(field === undefined ? {} : { field }),
      ...(issues ? { issues: issues.map(plain) } : {}),
    };
    return refusalText(new ApiError(400, body), parts).cause;
  };
}

/** Without what is not said. */
function plain({ path, message, code, values }: NonNullable<JobProblem["issues"]>[number]) {
  return { path, message, ...(code === undefined ? {} : { code }), ...(values === undefined ? {} : { values }) };
}
