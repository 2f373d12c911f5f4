// A template as nodes are to run it: its own parts, and what of fronts its inbounds need to know.
import { z } from "zod";
import { sql, type Reader } from "../../db/index.ts";
import {
  FrontRows,
  frontsOf,
  type HandedOn,
  handedOn,
  InboundRows,
  type InboundRow,
  isApart,
  OutboundRows,
  readStoredInbound,
  templateContent,
  TemplateRows,
  trustedHeaders,
} from "../../pool/index.ts";
import { NodeRows } from "../records/node.entity.ts";
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
  const led = handedOn(inbounds.map(({ config }) => config));
  return {
    route: template.route,
    core: template.core,
    inbounds: inbounds.map((row) => ({
      ...row,
      trustedHeaders: trustedHeaders(row, fronts.get(row.id) ?? []),
      apart: isAlone(row, led, (fronts.get(row.id) ?? []).length > 0),
    })),
    outbounds,
  };
}

function isAlone(row: Readonly<InboundRow>, led: HandedOn, fronted: boolean): boolean {
  const { dialect, client } = readStoredInbound(row);
  if (!dialect || fronted) return false;
  return isApart({ tag: row.tag, listen: dialect.listen, port: dialect.listenPort, client }, led);
}

const Listens = z.looseObject({ listen_port: z.int().min(1).max(65_535) });

/** Ports of the inbounds that a node has: none without a node or a template. */
export async function publicPorts(reads: Reader, nodeId: number): Promise<number[]> {
  const [node] = await reads.rows(NodeRows, sql`select * from nodes where id = ${nodeId}`);
  const content = node && node.templateId !== null ? await templateContent(reads, node.templateId) : undefined;
  return (content?.inbounds ?? []).flatMap(({ config }) => {
    const listens = Listens.safeParse(config);
    return listens.success ? [listens.data.listen_port] : [];
  });
}
