// What the description of the API says of jobs.
import type { Words } from "../http/index.ts";

export const jobsWords: Words = {
  "Job.id": "The job's id.",
  "Job.state": "Where it is.",
  "listJobs.state": "Jobs in these states.",
  "listJobs.kind": "Jobs of this work alone.",
  "Job.createdAt": "Unix seconds at which it was started.",
};
