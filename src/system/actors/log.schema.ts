// Lines of the log of an actor's errands, as the API gives them.
import { z } from "zod";
import { count } from "../../http/index.ts";

const LogLine = z
  .object({
    seq: count,
    at: count,
    atMs: count,
    level: z.string(),
    code: z.string(),
    values: z.array(z.union([z.string(), z.number()])),
    text: z.string(),
  })
  .meta({ id: "ErrandLine" });

export const LogPage = z.object({ rows: z.array(LogLine), cursor: count }).meta({ id: "ErrandLog" });
export type LogPage = z.output<typeof LogPage>;
