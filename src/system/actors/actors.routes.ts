// Seeing the machines: charts as data, actors with their state and reason, their journals (decisions 13).
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Reader } from "../../db/index.ts";
import { count, idParams, listRoute, notFound, pageOfArray, refuse, route, type Route } from "../../http/index.ts";
import { FAULT_LIMIT, JournalRows, nodesOf, type ActorKind, type ActorRow, type Supervisor } from "../../runtime/index.ts";
import { actorEventRoute } from "./actor-events.routes.ts";
import {
  Actor,
  actorFields,
  actorIn,
  actorsPage,
  actorView,
  effectsOf,
  effectView,
  journalPage,
  journalView,
  timersOf,
  timerView,
} from "./actors.queries.ts";

export interface ActorRouteDeps {
  readonly reads: Reader;
  readonly supervisor: Supervisor;
}

const Machine = z
  .object({
    kind: z.string(),
    version: count,
    description: z.string(),
    definition: z.unknown(),
    digest: z.string(),
    delays: z.record(z.string(), z.number().nullable()),
    safe: z.array(z.string()),
  })
  .meta({ id: "Machine" });
const ActorDetail = z
  .object({
    ...actorFields,
    context: z.record(z.string(), z.unknown()),
    next: z.array(z.string()),
    why: z.object({ event: z.string(), at: count, actor: z.string(), text: z.string() }).nullable(),
    timers: z.array(z.object({ name: z.string(), event: z.string(), dueAt: count })),
    effects: z.array(
      z.object({
        id: z.string(),
        src: z.string(),
        attempt: count,
        maxAttempts: count,
        startedAt: count.nullable(),
        nextAttemptAt: count.nullable(),
        lastError: z.string(),
      }),
    ),
    fault: z.object({ at: count, count, message: z.string() }).nullable(),
  })
  .meta({ id: "ActorDetail" });
const JournalEntry = z
  .object({
    seq: count,
    at: count,
    event: z.string(),
    from: z.string().nullable(),
    to: z.string(),
    actor: z.string(),
    effects: z.array(z.string()),
    took: count,
    changed: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  })
  .meta({ id: "JournalEntry" });

const kindParams = z.object({ kind: z.string(), ...idParams.shape });

export function actorRoutes({ reads, supervisor }: ActorRouteDeps): Route[] {
  const kindOf = (name: string) => supervisor.kinds.get(name) ?? refuse("not_found", { message: `no actors of kind ${name}` });

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
      summary: "Actors, of one kind or of all, kind by kind",
      item: Actor,
      list: { q: ["name"], updatedAt: "msince / 1000", order: "id" },
      query: z.object({ kind: z.string().max(64).optional(), state: z.string().max(256).optional() }),
      handle: ({ list, query }) =>
        actorsPage(
          reads,
          [...supervisor.kinds.values()].filter(({ definition }) => (query.kind ?? definition.kind) === definition.kind),
          list,
          query.state,
        ),
    }),
    route({
      method: "GET",
      path: "/actors/{kind}/{id}",
      scope: "stats:read",
      summary: "One actor: its state, why it is in it, what wakes it next",
      params: kindParams,
      answer: ActorDetail,
      statuses: [404],
      handle: async ({ params }) => {
        const kind = kindOf(params.kind);
        const row = (await reads.find(kind.definition.entity, params.id)) ?? notFound(params.kind, params.id);
        const [timers, effects, last] = await Promise.all([
          timersOf(reads, kind, [row.id]),
          effectsOf(reads, kind, [row.id]),
          row.mlast === null ? undefined : reads.find(JournalRows, row.mlast),
        ]);
        const own = { timers: timers.get(row.id) ?? [], effects: effects.get(row.id) ?? [] };
        return {
          ...actorView(kind, row, own.timers, own.effects),
          context: visibleContext(kind, row),
          next: kind.chart.nextEvents(row.mstate, row.mctx),
          why: last
            ? { event: last.event, at: Math.floor(last.at / 1000), actor: last.actor, text: kind.chart.meaningOf(row.mstate) }
            : null,
          timers: own.timers.map(timerView),
          effects: own.effects.map((effect) => effectView(effect, attemptsOf(kind, effect.src))),
          fault:
            row.faultCount >= FAULT_LIMIT
              ? { at: Math.floor((row.faultAt ?? 0) / 1000), count: row.faultCount, message: row.faultMessage }
              : null,
        };
      },
    }),
    listRoute({
      path: "/actors/{kind}/{id}/journal",
      scope: "stats:read",
      summary: "Every transition of an actor, newest first",
      params: kindParams,
      item: JournalEntry,
      list: { q: ["event", "to_state"], order: "seq desc" },
      handle: async ({ params, list }) => {
        const page = await journalPage(reads, kindOf(params.kind), params.id, list);
        return { rows: page.rows.map(journalView), total: page.total };
      },
    }),
    actorEventRoute(supervisor),
    route({
      method: "POST",
      path: "/actors/{kind}/{id}/resume",
      scope: "admins:write",
      tiers: ["sudo"],
      sensitive: true,
      summary: "Lift an actor's quarantine",
      params: kindParams,
      answer: Actor,
      audit: { key: "actors", action: "resume" },
      statuses: [404, 409],
      handle: async ({ params, commit }) => {
        const kind = kindOf(params.kind);
        if (!(await reads.find(kind.definition.entity, params.id))) notFound(params.kind, params.id);
        if (!(await supervisor.resume(params.kind, params.id))) refuse("conflict", { message: "the actor is not in quarantine" });
        const row = (await reads.find(kind.definition.entity, params.id)) ?? notFound(params.kind, params.id);
        return commit({
          locks: [],
          decide: (draft) => ({ answer: actorIn(draft, kind, row), audit: { entityId: `${params.kind}:${params.id}` } }),
        });
      },
    }),
  ];
}

function machineView({ definition, chart }: ActorKind) {
  const json: unknown = JSON.parse(JSON.stringify(chart.machine.definition));
  const delays = chart.machine.implementations.delays as Record<string, unknown>;
  return {
    kind: definition.kind,
    version: definition.version,
    description: definition.description,
    definition: json,
    digest: createHash("sha256").update(JSON.stringify(json)).digest("hex").slice(0, 16),
    delays: Object.fromEntries(
      [...new Set(nodesOf(chart.machine.root).flatMap((node) => node.after.map((transition) => String(transition.delay))))].map((name) => {
        const delay = delays[name];
        return [name, typeof delay === "number" ? delay : null];
      }),
    ),
    safe: [...definition.safe],
  };
}

/** The chart's own columns and what it remembers, without secrets. */
function visibleContext({ definition }: ActorKind, row: ActorRow): Record<string, unknown> {
  const secret = definition.secrets ?? [];
  return Object.fromEntries(Object.entries({ ...row.mctx, ...definition.shown?.(row) }).filter(([field]) => !secret.includes(field)));
}

function attemptsOf({ definition }: ActorKind, src: string): number {
  const handler = definition.effects[src];
  return handler?.mode === "queued" ? handler.attempts : 0;
}
