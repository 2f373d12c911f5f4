// The catalogue, and what was raised (rules events.log).
import { z } from "zod";
import { sql, type Reader } from "../db/index.ts";
import {
  anyOf,
  type Caller,
  type Condition,
  count,
  invalid,
  listRoute,
  type ListQuery,
  MAX_LIMIT,
  OtherAnswer,
  ownsOnly,
  pageOf,
  queryCount,
  type Route,
  route,
  rule,
  unixTime,
  visibleSql,
} from "../http/index.ts";
import { type EventRow, EventRows } from "../runtime/index.ts";
import { mayHear } from "./audience.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CursorParameter } from "./cursor-parameter.ts";
import type { LogReader } from "./log-reader.ts";
import { MOST_WAIT, type LogWaiting } from "./log-waiting.ts";
import { isSelected, selectedSql, SelectionQuery } from "./selection.ts";

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

const LogPageView = z
  .object({ cursor: z.string(), items: z.array(Envelope), more: z.boolean() })
  .meta({ id: "EventLogPage" });

const StoredData = z.record(z.string(), z.unknown());

/** What a webhook was sent, as an object. */
function envelope({ id, event, time, data, adminId }: EventRow): z.input<typeof Envelope> {
  const named = adminId !== null && adminId > 0 ? { recipients: [adminId] } : {};
  return { v: 1, id, event, time, data: StoredData.parse(JSON.parse(data)), ...named };
}

/** Events that a caller may see: those whose scope it holds; a reseller sees none but those that name it. */
export function heardBy(catalogue: Catalogue, caller: Caller): Condition[] {
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

/** What selects and skips in the list has no meaning behind a cursor. */
function refuseBeside({ q, offset, updatedSince }: ListQuery): void {
  if (q !== undefined) invalid("q", rule("unfit"));
  if (offset > 0) invalid("offset", rule("unfit"));
  if (updatedSince !== undefined) invalid("updated_since", rule("unfit"));
}

export interface EventRoutesDeps {
  readonly catalogue: Catalogue;
  readonly reads: Reader;
  readonly reader: LogReader;
  readonly waiting: LogWaiting;
  readonly cursor: CursorParameter;
}

export function eventRoutes({ catalogue, reads, reader, waiting, cursor }: EventRoutesDeps): Route[] {
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
      description: `With \`cursor\` (empty: from the oldest that is kept) oldest first, what came after it; \`wait\` holds an empty answer for so many seconds until something comes.`,
      query: SelectionQuery.extend({
        cursor: cursor.optional(),
        wait: queryCount.refine((seconds) => seconds <= MOST_WAIT, rule("too_large", MOST_WAIT)).optional(),
      }),
      otherwise: LogPageView,
      statuses: [410],
      item: Envelope,
      list: { q: ["event", "data"], updatedAt: "time", order: "time desc, id desc" },
      handle: async ({ caller, list, query, request, signal, recheck }) => {
        const where = [...heardBy(catalogue, caller), ...selectedSql(query)];
        if (query.cursor !== undefined) {
          refuseBeside(list);
          const wants = (event: EventRow) =>
            mayHear(catalogue, caller, caller.adminId, event) && isSelected(query, event);
          const { rows, to, more } = await waiting.page({
            caller,
            request,
            signal: signal(),
            recheck,
            where,
            wants,
            from: query.cursor,
            limit: Math.min(list.limit ?? MAX_LIMIT, MAX_LIMIT),
            seconds: query.wait ?? 0,
          });
          return new OtherAnswer({ cursor: reader.textOf(to), items: rows.map(envelope), more });
        }
        if (query.wait !== undefined) invalid("wait", rule("needed_with", "cursor"));
        const page = await pageOf(reads, EventRows, list, { where });
        return { rows: page.rows.map(envelope), total: page.total };
      },
    }),
  ];
}
