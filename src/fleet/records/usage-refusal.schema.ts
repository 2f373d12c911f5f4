// Usage that was not counted, on the wire (`GET /nodes/{id}/usage-refusals`).
import { z } from "zod";
import { count, integer } from "../../http/index.ts";

/**
 * `not_served`: the node was not given the account. `unknown_inbound`: nor such an inbound. `too_fast`: more than its
 * line can have carried.
 */
export const RefusalCode = z.enum(["not_served", "unknown_inbound", "too_fast"]);
export type RefusalCode = z.infer<typeof RefusalCode>;

export const UsageRefusal = z
  .object({
    id: integer,
    nodeId: integer,
    at: count,
    code: RefusalCode,
    /** 0: further accounts of the same batch, together. */
    userId: count,
    up: count,
    down: count,
  })
  .meta({ id: "UsageRefusal" });
export type UsageRefusal = z.infer<typeof UsageRefusal>;
