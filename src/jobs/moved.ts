// What every commit of a job says of it.
import { z } from "zod";
import { defineFact } from "../db/index.ts";

/** Records of a job change in this commit, and more will follow; false: it has ended. */
export const JOB_MOVED = defineFact("jobs.moved", z.boolean());
