// Why an actor or its work failed, and why a chart does not take an event, in English, by the code of the problem.
import type { ProblemWords } from "../../../runtime/problems.schema.ts";

export const problems: ProblemWords = {
  chart_threw: (why) => `The chart failed: ${why}`,
  chart_too_new: (written, known) =>
    `A newer panel wrote this: version ${written} of the chart. This panel knows version ${known}.`,
  attempt_failed: (why) => why,
  no_result: (milliseconds) => `There was no result within ${milliseconds / 1000} seconds.`,
  result_refused: "The chart could not take the result.",
  shard_lost: "Another process runs it from now on.",
  errand_late: (milliseconds) => `It was not done within ${milliseconds / 1000} seconds.`,
  secret_lost: "The panel no longer has the password or key that it needs: it keeps them in memory alone.",
  quarantined: (why) => `It is in quarantine: ${why}`,
  event_not_taken: () => "Its state does not take this event.",
  event_changes_nothing: () => "In its state this event changes nothing.",
  guarded: (...guards) => `Not now. It needs: ${guards.join("; ")}`,
};
