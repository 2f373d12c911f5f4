// What inbounds and templates answer beyond their own fields.
import { type FragmentReader, viewOf } from "./fragments/views.ts";
import type { InboundRow } from "./inbound.entity.ts";
import type { InboundAnswer } from "./inbound.schema.ts";
import { INBOUND } from "./inbounds.commands.ts";
import { OUTBOUND } from "./outbounds.commands.ts";
import { readStoredInbound } from "./stored-inbound.ts";
import type { TemplateAnswer } from "./template.schema.ts";
import { TEMPLATE, type TemplateContent } from "./templates.commands.ts";

/** With the fields that subscriptions miss, and with those of `config` the inbound as a whole. */
export function inboundView(row: Readonly<InboundRow>, reader: FragmentReader): InboundAnswer {
  const { refused, untold } = readStoredInbound(row);
  return { ...viewOf(INBOUND, row, reader), refused: [...refused, ...untold] };
}

export function templateView(
  { template, inbounds, outbounds }: TemplateContent,
  reader: FragmentReader,
): TemplateAnswer {
  return {
    ...viewOf(TEMPLATE, template, reader),
    inbounds: inbounds.map((row) => inboundView(row, reader)),
    outbounds: outbounds.map((row) => viewOf(OUTBOUND, row, reader)),
    endpoints: [],
    ruleSets: [],
  };
}
