// The wire form of how many accounts come, go and will expire.
import { z } from "zod";
import { count } from "../../http/index.ts";

export const GrowthDay = z
  .object({
    at: count,
    created: count,
    deleted: count,
    activated: count,
    expired: count,
    limited: count,
    renewed: count,
    restored: count.describe("deleted accounts that came back"),
    total: count,
  })
  .meta({ id: "GrowthDay" });
export const Growth = z.object({ days: z.array(GrowthDay) }).meta({ id: "Growth" });
export type Growth = z.output<typeof Growth>;

export const Expiries = z
  .object({ days: z.array(z.object({ at: count, count }).meta({ id: "ExpiryDay" })) })
  .meta({ id: "Expiries" });
export type Expiries = z.output<typeof Expiries>;
