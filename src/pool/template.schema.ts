// Templates on the wire.
import { z } from "zod";
import { count, line, unixTime, version } from "../http/index.ts";
import { forbiddenFields, InboundView } from "./inbound.schema.ts";
import { OutboundView } from "./outbound.schema.ts";
import { UsedBy } from "./used-by.schema.ts";

const json = z.record(z.string(), z.unknown());
/** Ids in the order in which they are wanted; repeats are dropped. */
const ids = z
  .array(count.min(1))
  .max(1000)
  .transform((all) => [...new Set(all)]);

const fields = {
  name: line(128).min(1),
  remark: line(256),
  route: json.nullable(),
  core: json.nullable(),
  inboundIds: ids,
  outboundIds: ids,
  endpointIds: ids,
  ruleSetIds: ids,
};

/** Body of a PUT: absent fields keep their value. */
export const TemplateUpdate = z.object({ ...z.object(fields).partial().shape, version }).meta({ id: "TemplateUpdate" });
export type TemplateUpdateBody = z.output<typeof TemplateUpdate>;

/** Body of a create. */
export const TemplateCreate = z
  .object({ ...z.object(fields).partial().shape, name: fields.name })
  .meta({ id: "TemplateCreate" });
export type TemplateCreateBody = z.output<typeof TemplateCreate>;

/** A template as it is answered, with what its ids name. */
export const TemplateView = z
  .object({
    id: count,
    name: z.string(),
    remark: z.string(),
    route: json,
    core: json,
    inbounds: z.array(InboundView),
    outbounds: z.array(OutboundView),
    endpoints: z.array(z.unknown()),
    ruleSets: z.array(z.unknown()),
    inboundIds: z.array(count),
    outboundIds: z.array(count),
    endpointIds: z.array(count),
    ruleSetIds: z.array(count),
    createdAt: unixTime,
    updatedAt: unixTime,
    forbidden: forbiddenFields,
  })
  .meta({ id: "Template" });
/** The same with what uses it. */
export const TemplateRecord = TemplateView.extend({ usedBy: UsedBy }).meta({ id: "TemplateRecord" });
export type TemplateAnswer = z.input<typeof TemplateView>;
