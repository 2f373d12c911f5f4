// What the command line draws of accounts. What it prints as JSON are the API's answers themselves.
import { z } from "zod";

export const User = z.object({
  id: z.number(),
  name: z.string(),
  enable: z.boolean(),
  disabledReason: z.string(),
  desc: z.string(),
  volume: z.number(),
  up: z.number(),
  down: z.number(),
  expiry: z.number(),
  duration: z.number(),
  activatedAt: z.number(),
  onlineAt: z.number(),
  subFetchedAt: z.number(),
  subClient: z.string(),
  subUrl: z.string(),
  group: z.string(),
  adminId: z.number(),
  since: z.number(),
  offBy: z.string(),
});
export type User = z.output<typeof User>;

export const UserList = z.object({ items: z.array(User), total: z.number() });
export type UserList = z.output<typeof UserList>;

export const Verdict = z.object({
  ok: z.boolean(),
  headline: z.string(),
  checks: z.array(
    z.object({
      check: z.string(),
      state: z.enum(["ok", "failed", "unknown"]),
      text: z.string(),
      action: z.object({ method: z.string(), path: z.string() }).nullable(),
    }),
  ),
});
export type Verdict = z.output<typeof Verdict>;

/** An account with what only one can have. */
export const Keyed = z.object({
  id: z.number(),
  name: z.string(),
  subToken: z.string(),
  config: z.object({ uuid: z.string() }),
});
export type Keyed = z.output<typeof Keyed>;
