// Inbounds on the wire.
import { z } from "zod";
import { count, line, matching, pathId, rule, unixTime, version } from "../http/index.ts";
import { UsedBy } from "./used-by.schema.ts";

const json = z.record(z.string(), z.unknown());

/** Fields whose stored value is refused when it is written today; while there are any, nodes do not run it. */
export const forbiddenFields = z.array(z.string());

/** Fields whose stored value a write would refuse today, as far as subscriptions need them. */
const refusedFields = z
  .array(z.string())
  .describe(
    "fields that an older version stored and this one refuses: with one of `type` or `config`, no subscription lists the inbound; those of `clientConfig` are not told to clients",
  );

/** A tag: what routes, links and counters name a record by. */
export const Tag = line(128)
  .min(1)
  .check(matching(/^\S(.*\S)?$/u, rule("edge_spaces")));

const fields = {
  tag: Tag,
  type: z.string().min(1).max(32),
  config: json,
  remark: line(256),
  useNodeCert: z.boolean(),
  certificateId: count.nullable(),
  clientConfig: json.nullable(),
  frontedOnly: z.boolean(),
};

/** Body of a PUT: absent fields keep their value. A `certificateId` of 0 is none. */
export const InboundUpdate = z.object({ ...z.object(fields).partial().shape, version }).meta({ id: "InboundUpdate" });
export type InboundUpdateBody = z.output<typeof InboundUpdate>;

/** Body of a create. */
export const InboundCreate = z
  .object({ ...z.object(fields).partial().shape, tag: fields.tag, type: fields.type, config: fields.config })
  .meta({ id: "InboundCreate" });
export type InboundCreateBody = z.output<typeof InboundCreate>;

/** Filters of the list: of this type, carried by this template. */
export const PoolFilters = z.object({ type: z.string().max(32).optional(), template_id: pathId.optional() });

/** An inbound as it is answered. */
export const InboundView = z
  .object({
    id: count,
    tag: z.string(),
    type: z.string(),
    config: json,
    remark: z.string(),
    useNodeCert: z.boolean(),
    certificateId: count.nullable(),
    clientConfig: json,
    frontedOnly: z.boolean(),
    createdAt: unixTime,
    updatedAt: unixTime,
    forbidden: forbiddenFields,
    refused: refusedFields,
  })
  .meta({ id: "Inbound" });
/** The same with what uses it. */
export const InboundRecord = InboundView.extend({ usedBy: UsedBy }).meta({ id: "InboundRecord" });
export type InboundAnswer = z.input<typeof InboundView>;
