// What the parent of a crash test and the process that it kills say to each other, as JSON lines.
import { z } from "zod";

/** First line to the child. `effects`: the file to which its effects append. */
export const Open = z.object({ url: z.string(), effects: z.string() });

export type Command =
  | { readonly n: number; readonly op: "create"; readonly patience: number }
  | {
      readonly n: number;
      readonly op: "ask";
      readonly id: number;
      readonly type: "count" | "wait" | "go" | "stop" | "again";
    };

/** A committed command. The journal names it by its actor, `c<n>`, unless it was not handled. */
export const Answer = z.object({
  n: z.number(),
  id: z.number(),
  seq: z.number(),
  state: z.string(),
  handled: z.boolean(),
});
export type Answer = z.infer<typeof Answer>;
