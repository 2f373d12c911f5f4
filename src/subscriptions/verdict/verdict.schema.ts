// The verdict on the wire: what stands between an account and a connection.
import { z } from "zod";
import { unixTime } from "../../http/index.ts";

/** In the order in which they are looked at. */
export const VERDICT_CHECKS = [
  "enabled",
  "started",
  "date",
  "volume",
  "reseller",
  "licence",
  "served",
  "applied",
  "listening",
  "fetched",
  "devices",
  "addresses",
  "refused",
] as const;

/**
 * What was found; `ok` and `unknown` of every check. With the state `ok`, `some_nodes`, `behind` and `some_left_out`
 * are notes: some of the nodes do not serve the account, and others do.
 */
export const VERDICT_CODES = [
  "ok",
  "unknown",
  "manual",
  "not_started",
  "expired",
  "used_up",
  "reseller_volume",
  "reseller_expiry",
  "no_template",
  "no_templates",
  "no_inbound",
  "none_chosen",
  "on_loopback",
  "no_node",
  "not_connected",
  "not_running",
  "some_nodes",
  "behind",
  "unacknowledged",
  "not_listening",
  "some_left_out",
  "never_fetched",
  "devices_full",
  "no_device_id",
] as const;

/** A request that would mend it. */
const VerdictAction = z
  .object({ method: z.enum(["POST", "PUT", "PATCH"]), path: z.string() })
  .meta({ id: "VerdictAction" });

export const Verdict = z
  .object({
    ok: z.boolean(),
    headline: z.string(),
    checks: z.array(
      z
        .object({
          check: z.enum(VERDICT_CHECKS),
          state: z.enum(["ok", "failed", "unknown"]),
          text: z.string(),
          code: z.enum(VERDICT_CODES),
          values: z.array(z.union([z.string(), z.number()])),
          since: unixTime,
          action: VerdictAction.nullable(),
        })
        .meta({ id: "VerdictCheck" }),
    ),
  })
  .meta({ id: "UserVerdict" });
export type VerdictAnswer = z.output<typeof Verdict>;
export type VerdictCheck = VerdictAnswer["checks"][number];
