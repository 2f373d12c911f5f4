// The state of a job as a pill, and how far it is as a bar.
import { Progress } from "@mantine/core";
import { useFormat } from "../format/use-format.ts";
import { StateBadge } from "../parts/StateBadge.tsx";
import { useWords } from "../words/words.ts";
import type { Job } from "./job.ts";

export function JobBadge({ state }: Pick<Job, "state">) {
  const words = useWords("jobs");
  return <StateBadge kind="job" state={state} label={words.states[state]} />;
}

export function JobProgress({ job: { done, total, state, startedAt } }: { readonly job: Job }) {
  const words = useWords("jobs");
  const format = useFormat();
  const shown = words.progress(format.number(done), format.number(Math.max(total, done)));
  const whole = startedAt > 0 && (total === 0 || state === "succeeded");
  return (
    <div>
      <Progress value={whole ? 100 : total === 0 ? 0 : Math.min(100, (100 * done) / total)} aria-label={shown} />
      <span role="status">{shown}</span>
    </div>
  );
}
