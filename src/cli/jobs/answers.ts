// What the command line draws of jobs. What it prints as JSON are the API's answers themselves.
import { z } from "zod";

export const Job = z.object({
  id: z.number(),
  kind: z.string(),
  op: z.string(),
  state: z.string(),
  total: z.number(),
  done: z.number(),
  matched: z.number(),
  affected: z.number(),
  blocked: z.number(),
  failed: z.number(),
  problems: z.array(
    z.object({ id: z.number(), name: z.string().optional(), error: z.string(), field: z.string().optional() }),
  ),
  createdAt: z.number(),
  startedAt: z.number(),
  finishedAt: z.number(),
  actor: z.string(),
  error: z.string(),
  undoUntil: z.number(),
  undoneBy: z.number(),
  undoes: z.number(),
});
export type Job = z.output<typeof Job>;

export const JobList = z.object({ items: z.array(Job), total: z.number() });
export type JobList = z.output<typeof JobList>;
