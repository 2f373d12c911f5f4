// Subscriptions looked at, on the wire.
import { FORMATS } from "../../accounts/index.ts";
import { z } from "zod";
import { count } from "../../http/index.ts";
import { FormatRule } from "../documents/formats.ts";
import { OMISSION_CODES } from "../documents/limits.ts";

/** The row of the table that chose a format. */
export const ChosenRule = FormatRule.extend({
  position: count.describe("of the row in the table, from 0"),
  unsent: z
    .array(z.string())
    .optional()
    .describe("headers of the row that an older version took and this one does not send; absent: none"),
})
  .nullable()
  .describe("the row of the table that holds; null: none does, or the format was named");

export const RuleTrial = z
  .object({
    userAgent: z.string().max(4096).default(""),
    accept: z.string().max(4096).default("").describe("the header `accept` of the client"),
    rules: z
      .array(z.object(FormatRule.shape))
      .max(200)
      .optional()
      .describe("a table to try; absent: the one that holds"),
  })
  .meta({ id: "SubRuleTrial" });

export const RuleTrialAnswer = z
  .object({
    rule: ChosenRule,
    format: z.enum(FORMATS),
    rules: z.array(FormatRule).describe("the table that was asked, in its order"),
  })
  .meta({ id: "SubRuleTrialResult" });

export const LEFT_OUT_CODES = [
  ...OMISSION_CODES,
  "type",
  "no_port",
  "no_node",
  "fronted_only",
  "loopback",
  "front_off",
  "front_unfit",
  "refused",
  "refused_part",
  "part",
  "same",
] as const;

const place = {
  nodeId: count,
  node: z.string().nullable().describe("the node's name; null: no node, or the caller may not see nodes"),
  inboundId: count.describe("the inbound's id"),
  inbound: z.string(),
};

export const SubPreview = z
  .object({
    rule: ChosenRule,
    format: z.enum(FORMATS),
    status: count.describe("the status that the client would be answered"),
    headers: z.record(z.string(), z.string()).describe("the headers that the client would get"),
    body: z.string().describe("the body that the client would get"),
    entries: z
      .array(
        z.object({
          remark: z.string().describe("the name of the entry"),
          ...place,
          frontId: count.nullable().describe("the front's id; null: straight to the node"),
          front: z.string().nullable().describe("the front's name; null: straight to the node"),
        }),
      )
      .describe("what the body lists, in its order"),
    omitted: z
      .array(
        z.object({
          ...place,
          code: z.enum(LEFT_OUT_CODES).describe("why, as a word"),
          what: z
            .string()
            .describe(
              "what cannot be said: a protocol, transport, security or type, a front by its name, or fields of the inbound (`refused`, `refused_part`, `part`); may be empty",
            ),
          text: z.string(),
        }),
      )
      .describe(
        "what the body leaves out, and why: inbounds, ways to them, and of what it lists the parts that the client is not told (`refused_part`, `part`)",
      ),
  })
  .meta({ id: "SubPreview" });
