// The catalogue, and what was raised (rules events.log).
import { z } from "zod";
import { sql, type Reader } from "../db/index.ts";
import {
  anyOf,
  type Caller,
  type Condition,
  count,
  listRoute,
  ownsOnly,
  pageOf,
  type Route,
  route,
  unixTime,
  visibleSql,
} from "../http/index.ts";
import { type EventRow, EventRows } from "../runtime/index.ts";
import type { Catalogue } from "./catalogue.ts";

const CatalogueView = z
  .object({
    events: z.array(
      z.object({
        name: z.string(),
        family: z.string(),
        scope: z.string(),
        description: z.string(),
        fields: z.array(z.object({ name: z.string(), type: z.string() })),
      }),
    ),
  })
  .meta({ id: "EventCatalogue" });

const Envelope = z
  .object({
    v: z.literal(1),
    id: count,
    event: z.string(),
    time: unixTime,
    data: z.record(z.string(), z.unknown()),
    recipients: z.array(count).optional(),
  })
  .meta({ id: "EventEnvelope" });

const StoredData = z.record(z.string(), z.unknown());

/** What a webhook was sent, as an object. */
function envelope({ id, event, time, data, adminId }: EventRow): z.input<typeof Envelope> {
  const named = adminId !== null && adminId > 0 ? { recipients: [adminId] } : {};
  return { v: 1, id, event, time, data: StoredData.parse(JSON.parse(data)), ...named };
}

/** Events that a caller may see: those whose scope it holds; a reseller sees none but those that name it. */
function heardBy(catalogue: Catalogue, caller: Caller): Condition[] {
  const names = catalogue.all
    .filter(({ scope, family }) => {
      if (ownsOnly(caller) && (family === "node" || family === "panel")) return false;
      return scope === "" || caller.scopes.has(scope);
    })
    .map(({ name }) => name);
  const named = names.length === 0 ? anyOf([]) : sql<boolean>`event in (${sql.join(names)})`;
  const own = visibleSql(caller, sql`admin_id`);
  return own ? [named, own] : [named];
}

export function eventRoutes({ catalogue, reads }: { readonly catalogue: Catalogue; readonly reads: Reader }): Route[] {
  return [
    route({
      method: "GET",
      path: "/events",
      scope: "",
      summary: "Every event that can be raised",
      answer: CatalogueView,
      handle: () => ({ events: catalogue.all.map((event) => ({ ...event, fields: [...event.fields] })) }),
    }),
    listRoute({
      path: "/events/log",
      scope: "",
      summary: "What was raised, newest first, as far as the caller's scopes go",
      query: z.object({ event: z.string().max(64).optional() }),
      item: Envelope,
      list: { q: ["event", "data"], updatedAt: "time", order: "time desc, id desc" },
      handle: async ({ caller, list, query }) => {
        const where = heardBy(catalogue, caller);
        if (query.event !== undefined) where.push(sql<boolean>`event = ${query.event}`);
        const page = await pageOf(reads, EventRows, list, { where });
        return { rows: page.rows.map(envelope), total: page.total };
      },
    }),
  ];
}
