// Seeing the machines: charts as data, actors with their state and reason, their journals (rules inspector.chart,
// inspector.read).
import { z } from "zod";
import type { Reader } from "../../db/index.ts";
import {
  listRoute,
  pageOfArray,
  queryBoolean,
  queryBounded,
  queryCount,
  refuse,
  route,
  type Route,
} from "../../http/index.ts";
import { chartDataOf, type ActorKind, type Supervisor } from "../../runtime/index.ts";
import { actorSteeringRoutes, eventType, refuseUnknownEvent } from "./actor-events.routes.ts";
import { actorPage, ACTOR_SORTS } from "./actor-list.queries.ts";
import {
  Actor,
  ActorDetail,
  actorParams,
  ActorPreview,
  journalFilter,
  JournalEntry,
  Machine,
  refuseNobody,
  type ActorParams,
} from "./actor.schema.ts";
import { actorDetail, actorViews, journalPage, journalView } from "./actors.queries.ts";
import { logPage, MOST_LINES } from "./log.queries.ts";
import { LogPage } from "./log.schema.ts";
import { previewEvent } from "./preview.ts";

export interface ActorRouteDeps {
  readonly reads: Reader;
  readonly supervisor: Supervisor;
  /** Unix milliseconds. */
  readonly now: () => number;
}

export function actorRoutes({ reads, supervisor, now }: ActorRouteDeps): Route[] {
  const kindOf = (name: string) =>
    supervisor.kinds.get(name) ?? refuse("not_found", { message: `no actors of kind ${name}` });
  const existing = async ({ kind, id }: ActorParams) => {
    if (!(await reads.find(kindOf(kind).definition.entity, id))) refuseNobody(kind, id);
  };

  return [
    listRoute({
      path: "/machines",
      scope: "stats:read",
      summary: "The charts",
      item: Machine,
      list: { q: ["kind"], order: "kind" },
      handle: ({ list }) => {
        const page = pageOfArray([...supervisor.kinds.values()], list, ({ definition }) => [definition.kind]);
        return { rows: page.rows.map(machineView), total: page.total };
      },
    }),
    listRoute({
      path: "/actors",
      scope: "stats:read",
      summary: "Actors, of one kind or of all",
      description:
        "`state` may end in `.*`: all states within one; commas part several. Unsorted they come kind by kind, by id; sorted by `since` ascending, those longest in their state come first. `fault=true`: those in quarantine.",
      item: Actor,
      list: { q: ["name"], updatedAt: "msince / 1000", order: "id", sorts: ACTOR_SORTS },
      query: z.object({
        kind: z.string().max(64).optional(),
        state: z.string().max(256).optional(),
        fault: queryBoolean.optional(),
      }),
      handle: async ({ list, query: { kind, state, fault }, caller: { scopes } }) => {
        const kinds = [...supervisor.kinds.values()].filter(
          ({ definition }) => (kind ?? definition.kind) === definition.kind,
        );
        const page = await actorPage(reads, kinds, list, { state, fault });
        return { rows: await actorViews(reads, page.rows, scopes), total: page.total };
      },
    }),
    route({
      method: "GET",
      path: "/actors/{kind}/{id}",
      scope: "stats:read",
      summary: "One actor: its state, why it is in it, what wakes it next",
      params: actorParams,
      answer: ActorDetail,
      statuses: [404],
      handle: async ({ params, caller: { scopes } }) => {
        const kind = kindOf(params.kind);
        const row = (await reads.find(kind.definition.entity, params.id)) ?? refuseNobody(params.kind, params.id);
        return actorDetail(reads, now(), kind, row, scopes);
      },
    }),
    route({
      method: "GET",
      path: "/actors/{kind}/{id}/preview",
      scope: "stats:read",
      summary: "What an actor's chart would do with an event",
      description: "The same as the dry run of an event without a payload.",
      params: actorParams,
      query: z.object({ type: eventType }),
      answer: ActorPreview,
      statuses: [400, 404],
      admit: (_caller, params) => existing(params),
      handle: async ({ params, query: { type } }) => {
        const kind = kindOf(params.kind);
        refuseUnknownEvent(kind, type);
        return (await previewEvent(reads, now(), kind, params.id, { type })) ?? refuseNobody(params.kind, params.id);
      },
    }),
    listRoute({
      path: "/actors/{kind}/{id}/journal",
      scope: "stats:read",
      summary: "Every transition of an actor, newest first",
      params: actorParams,
      item: JournalEntry,
      description:
        "`since` and `until` are moments (Unix seconds), `entered` a state that the step came into from outside; the total counts what they leave.",
      list: { q: ["event", "to_state"], order: "seq desc" },
      query: journalFilter,
      handle: async ({ params, list, query, caller: { scopes } }) => {
        const kind = kindOf(params.kind);
        const page = (await journalPage(reads, kind, params.id, list, query)) ?? refuseNobody(params.kind, params.id);
        return { rows: page.rows.map((row) => journalView(kind, row, scopes)), total: page.total };
      },
    }),
    route({
      method: "GET",
      path: "/actors/{kind}/{id}/log",
      scope: "stats:read",
      summary: "What an actor's errands did, line by line, oldest first",
      description:
        "`cursor` is the number of the last line that was read; 0: from the oldest that is kept. A line is a code with values; `text` is what a remote program said (code `output`).",
      params: actorParams,
      query: z.object({
        cursor: queryCount.optional(),
        limit: queryBounded(1, MOST_LINES).optional(),
      }),
      answer: LogPage,
      statuses: [404],
      handle: async ({ params: { kind, id }, query: { cursor = 0, limit } }) => {
        const page = await logPage(reads, kindOf(kind).definition.kind, id, cursor, limit);
        if (page) return page;
        await existing({ kind, id });
        return { rows: [], cursor: 0 };
      },
    }),
    ...actorSteeringRoutes({ reads, supervisor, now, existing }),
  ];
}

/** A chart does not change while the process runs. */
const machines = new WeakMap<ActorKind, ReturnType<typeof readMachine>>();

function machineView(kind: ActorKind) {
  let machine = machines.get(kind);
  if (!machine) machines.set(kind, (machine = readMachine(kind)));
  return machine;
}

function readMachine({ definition, chart }: ActorKind) {
  const { kind, version, description, safe } = definition;
  return { kind, version, description, ...chartDataOf(chart.machine), safe: [...safe] };
}
