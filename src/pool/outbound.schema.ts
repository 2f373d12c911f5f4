// Outbounds on the wire.
import { z } from "zod";
import { count, line, unixTime, version } from "../http/index.ts";
import { forbiddenFields, Tag } from "./inbound.schema.ts";
import { UsedBy } from "./used-by.schema.ts";

const json = z.record(z.string(), z.unknown());
const fields = { tag: Tag, type: z.string().min(1).max(32), config: json, remark: line(256) };

/** Body of a PUT: absent fields keep their value. */
export const OutboundUpdate = z.object({ ...z.object(fields).partial().shape, version }).meta({ id: "OutboundUpdate" });
export type OutboundUpdateBody = z.output<typeof OutboundUpdate>;

/** Body of a create. */
export const OutboundCreate = z
  .object({ ...z.object(fields).partial().shape, tag: fields.tag, type: fields.type })
  .meta({ id: "OutboundCreate" });
export type OutboundCreateBody = z.output<typeof OutboundCreate>;

/** An outbound as it is answered. */
export const OutboundView = z
  .object({
    id: count,
    tag: z.string(),
    type: z.string(),
    config: json,
    remark: z.string(),
    createdAt: unixTime,
    updatedAt: unixTime,
    forbidden: forbiddenFields,
  })
  .meta({ id: "Outbound" });
/** The same with what uses it. */
export const OutboundRecord = OutboundView.extend({ usedBy: UsedBy }).meta({ id: "OutboundRecord" });
export type OutboundAnswer = z.input<typeof OutboundView>;
