// A template as nodes are to run it: its own parts, and what of fronts its inbounds need to know.
import type { Reader } from "../db/index.ts";
import {
  FrontRows,
  frontsOf,
  InboundRows,
  OutboundRows,
  templateContent,
  TemplateRows,
  trustedHeaders,
} from "../pool/index.ts";
import type { TemplateContent } from "./structure.ts";

/** Tables that it is read from. */
export const TEMPLATE_TABLES: readonly string[] = [
  TemplateRows.name,
  InboundRows.name,
  FrontRows.name,
  OutboundRows.name,
];

/** Undefined when there is no such template. */
export async function plannedTemplate(reads: Reader, id: number): Promise<TemplateContent | undefined> {
  const content = await templateContent(reads, id);
  if (!content) return undefined;
  const { template, inbounds, outbounds } = content;
  const fronts = await frontsOf(reads, inbounds);
  return {
    route: template.route,
    core: template.core,
    inbounds: inbounds.map((row) => ({ ...row, trustedHeaders: trustedHeaders(row, fronts.get(row.id) ?? []) })),
    outbounds,
  };
}
