// GET /api/stats/growth and /api/stats/expiries: how many accounts come, go and will expire (rules users.growth). A
// reseller sees its own alone.
import { z } from "zod";
import type { Reader } from "../../db/index.ts";
import {
  ownsOnly,
  queryCount,
  rangeOf,
  rangeParameters,
  route,
  rule,
  type Caller,
  type Route,
} from "../../http/index.ts";
import { expiries, growth } from "./growth.queries.ts";
import { Expiries, Growth } from "./growth.schema.ts";

export interface GrowthRouteDeps {
  readonly reads: Reader;
  /** Unix seconds. */
  readonly now: () => number;
  readonly timeZone: () => string;
}

const DEFAULT_DAYS = 30;
const MOST_DAYS = 366;

const ownerOf = (caller: Caller): number | undefined => (ownsOnly(caller) ? caller.adminId : undefined);

export function growthRoutes({ reads, now, timeZone }: GrowthRouteDeps): Route[] {
  const shared = { method: "GET", scope: "stats:read", or: "users:read", statuses: [400] } as const;
  return [
    route({
      ...shared,
      path: "/stats/growth",
      summary: "What happened to accounts, by day",
      description:
        "Days begin in the panel's zone. Days before the panel counted, and days to come, are left out. `expired` and `limited` are accounts that the panel switched off, `renewed` counts extensions too.",
      query: z.object(rangeParameters),
      answer: Growth,
      handle: ({ caller, query }) => {
        const time = now();
        const range = rangeOf(query, time, DEFAULT_DAYS * 24);
        return growth(reads, { ...range, now: time, zone: timeZone(), owner: ownerOf(caller) });
      },
    }),
    route({
      ...shared,
      path: "/stats/expiries",
      summary: "Accounts that will reach their date, by day",
      description:
        "Days begin in the panel's zone, today is the first. Accounts that are off or have not started have no such day.",
      query: z.object({
        days: queryCount
          .refine((value) => value >= 1, rule("too_small", 1))
          .refine((value) => value <= MOST_DAYS, rule("too_large", MOST_DAYS))
          .optional(),
      }),
      answer: Expiries,
      handle: ({ caller, query }) =>
        expiries(reads, { days: query.days ?? DEFAULT_DAYS, now: now(), zone: timeZone(), owner: ownerOf(caller) }),
    }),
  ];
}
