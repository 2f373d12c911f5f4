// GET /api/reports/users, nodes and admins: what each record moved in a range, streamed as JSON, CSV or NDJSON (rules
// traffic.report).
import type { Reader } from "../db/index.ts";
import type { SumsQuestion, TrafficQuestions } from "../history/index.ts";
import {
  ownsOnly,
  RawAnswer,
  rangeOf,
  route,
  type Caller,
  type Context,
  type Route,
  type TimeRange,
} from "../http/index.ts";
import { added } from "../lib/exact.ts";
import { adminRecords, goneAdmin, goneNode, goneUser, nodeRecords, userRecords } from "./records.queries.ts";
import { reportStream, type Report } from "./report.ts";
import { AdminReport, NodeReport, ReportQuery, UserReport, type ReportFormat } from "./reports.schema.ts";
import { ownersSeen } from "./seen.ts";

export interface ReportRouteDeps {
  readonly reads: Reader;
  readonly traffic: TrafficQuestions;
  /** Unix seconds. */
  readonly now: () => number;
}

/** A month, where no range is given. */
const DEFAULT_HOURS = 720;
const TYPES: Readonly<Record<ReportFormat, string>> = {
  json: "application/json; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson",
};
const produces = ["application/json", "text/csv", "application/x-ndjson"];
const DESCRIPTION =
  "One row a record in the order of ids, of each that there is and of each that moved something: raw bytes, its share of all, and its limits and state as they are now. What is deleted, and what the caller may not see, has an empty name; limits and state that the caller may not read are null. `csv` has a head line; cells that a spreadsheet would calculate begin with `'`. `ndjson` has one row a line.";

type Asked = Pick<Context<never, { readonly format: ReportFormat }, never, never>, "query">["query"];

export function reportRoutes({ reads, traffic, now }: ReportRouteDeps): Route[] {
  const shared = { method: "GET", query: ReportQuery, produces, statuses: [400], description: DESCRIPTION } as const;

  /**
   * The whole is that of the nodes: they are few, and what moved, moved on one of them. `partsOf` is given those that
   * moved something.
   */
  async function answer<T extends { readonly id: number }>(
    name: string,
    { format }: Asked,
    range: TimeRange,
    question: Pick<SumsQuestion, "by" | "owners">,
    partsOf: (nodes: ReadonlySet<number>) => Pick<Report<T>, "records" | "gone" | "columns">,
  ): Promise<RawAnswer> {
    const nodes = await traffic.heaviest({ ...range, ...question, by: "node" }, Number.MAX_SAFE_INTEGER);
    const [up, down] = [
      nodes.reduce((all, each) => added(all, each.up), 0),
      nodes.reduce((all, each) => added(all, each.down), 0),
    ];
    const head = { ...range, zone: traffic.zone(), up, down };
    const parts = partsOf(new Set(nodes.map(({ id }) => id)));
    const stream = reportStream({ ...parts, format, head, sums: traffic.sums({ ...range, ...question }) });
    return new RawAnswer(TYPES[format], stream, 200, {
      "cache-control": "no-store",
      ...(format !== "json" && { "content-disposition": `attachment; filename="traffic-${name}.${format}"` }),
    });
  }
  const ownersOf = (caller: Caller) => {
    const owners = ownersSeen(caller);
    return owners ? { owners } : {};
  };

  return [
    route({
      ...shared,
      path: "/reports/users",
      scope: "stats:read",
      or: "users:read",
      summary: "What each account moved in a range",
      answer: UserReport,
      handle: ({ caller, query }) => {
        const time = now();
        const question = { by: "user", ...ownersOf(caller) } as const;
        return answer("users", query, rangeOf(query, time, DEFAULT_HOURS), question, () => ({
          records: userRecords(reads, {
            owner: question.owners?.[0],
            now: time,
            limits: caller.scopes.has("users:read"),
          }),
          gone: goneUser,
          columns: ["id", "name", "adminId", "group", "up", "down", "share", "volume", "used", "expiry", "status"],
        }));
      },
    }),
    route({
      ...shared,
      path: "/reports/nodes",
      scope: "stats:read",
      or: "users:read",
      summary: "What each node carried in a range",
      answer: NodeReport,
      handle: ({ caller, query }) =>
        answer(
          "nodes",
          query,
          rangeOf(query, now(), DEFAULT_HOURS),
          { by: "node", ...ownersOf(caller) },
          // A reseller is told of the nodes that served its accounts, and not how large the fleet is.
          (served) => ({
            records: nodeRecords(reads, {
              limits: caller.scopes.has("nodes:read"),
              only: ownsOnly(caller) ? served : undefined,
            }),
            gone: goneNode,
            columns: ["id", "name", "up", "down", "share", "multiplier", "limitBytes", "periodUsed", "status"],
          }),
        ),
    }),
    route({
      ...shared,
      path: "/reports/admins",
      scope: "stats:read",
      summary: "What each reseller's accounts moved in a range",
      description: `${DESCRIPTION} The id 0 is the panel's own accounts.`,
      answer: AdminReport,
      handle: ({ caller, query }) =>
        answer("admins", query, rangeOf(query, now(), DEFAULT_HOURS), { by: "admin" }, () => ({
          records: adminRecords(reads, { limits: caller.scopes.has("admins:write") }),
          gone: goneAdmin,
          columns: ["id", "name", "role", "up", "down", "share", "volume", "used", "userLimit", "users", "expiry"],
        })),
    }),
  ];
}
