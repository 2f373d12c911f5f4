// What other features use of jobs.
export { JobRows, type JobRow } from "./job.entity.ts";
export { JOB_MOVED } from "./moved.ts";
export { contentAfter, Jobs, type JobOrder } from "./jobs.ts";
export { JobProblem, JobStarted } from "./jobs.schema.ts";
export { requestKeyOf, startOnce } from "./once.ts";
export { refusedProblem } from "./problem.ts";
export { seesJob } from "./jobs.routes.ts";
export { NAMED_IDS, originOf as jobOrigin } from "./step-commit.ts";
export { StepSize, StepWatch } from "./step-size.ts";
export type { StagedLines } from "./staged-lines.ts";
export type { JobWork, Step, Tally } from "./work.ts";
export { feature } from "./feature.ts";
