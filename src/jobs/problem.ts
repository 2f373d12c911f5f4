// A refusal as a job lists it: the sentence, and for programs and pages the field with the rule that it broke.
import type { Refusal } from "../http/index.ts";
import type { JobProblem } from "./jobs.schema.ts";

/** Fields that are named of one record. */
const MOST = 5;

export function refusedProblem({ kind, message, detail }: Refusal): Omit<JobProblem, "id"> {
  const { code, field, issues } = detail;
  return {
    error: message,
    code: code ?? kind,
    ...(field === undefined ? {} : { field }),
    ...(issues === undefined
      ? {}
      : {
          issues: issues
            .slice(0, MOST)
            .map(({ values, ...issue }) => ({ ...issue, ...(values === undefined ? {} : { values: [...values] }) })),
        }),
  };
}
