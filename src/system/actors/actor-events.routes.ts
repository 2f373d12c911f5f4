// POST /api/actors/{kind}/{id}/events: an operator gives an actor an event by hand, or asks what the chart would do with one (decisions 13).
import { z } from "zod";
import { lock, type Draft } from "../../db/index.ts";
import { idParams, invalid, notFound, queryBoolean, Refusal, refuse, route, type Caller, type Route } from "../../http/index.ts";
import { ActorQuarantined, nodesOf, upcast, type ActorKind, type ChartAction, type Supervisor } from "../../runtime/index.ts";
import { Actor, actorIn } from "./actors.queries.ts";

const Preview = z
  .object({ from: z.string(), to: z.string(), actions: z.array(z.object({ type: z.string(), name: z.string() })) })
  .meta({ id: "ActorPreview" });

const EventBody = z.looseObject({ type: z.string().min(1).max(128) }).meta({ id: "ActorEvent" });

/** Event types of a chart, without XState's own. */
function eventTypes({ chart }: ActorKind): Set<string> {
  const types = nodesOf(chart.machine.root).flatMap((node) => [...node.transitions.keys()]);
  return new Set(types.filter((type) => type !== "" && !type.startsWith("xstate.")));
}

/** What an action asks for, by name; inputs and payloads stay inside. */
function named(action: ChartAction): { type: string; name: string } {
  if (action.type === "start") return { type: action.type, name: action.src };
  return { type: action.type, name: action.type === "emit" ? action.event.type : action.name };
}

/** A chart that throws rejects the event and leaves the row. */
function guarded<T>(step: () => T): T {
  try {
    return step();
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    if (cause instanceof ActorQuarantined) return refuse("conflict", { message: "the actor is in quarantine: resume it first", cause });
    const reason = cause instanceof Error ? cause.message : String(cause);
    return refuse("conflict", { message: `the chart refuses the event: ${reason}`, cause });
  }
}

/** Steering needs a main admin whose credential reaches the panel's own administration. */
function requireMain(caller: Caller): void {
  if (caller.base !== "sudo" || !caller.scopes.has("admins:write")) refuse("forbidden", { message: "events are sent by a main admin" });
}

export function actorEventRoute(supervisor: Supervisor): Route {
  /** Steps the chart without writing anything. */
  function preview(draft: Draft, kind: ActorKind, id: number, event: z.output<typeof EventBody>): z.input<typeof Preview> {
    const row = draft.find(kind.definition.entity, id) ?? notFound(kind.definition.kind, id);
    return guarded(() => {
      const stored = upcast(kind, row);
      const context = kind.definition.contextOf(row, stored.context, draft);
      const step = kind.chart.step({ state: stored.state, context }, event);
      return { from: stored.state, to: step.state, actions: step.actions.map(named) };
    });
  }

  return route({
    method: "POST",
    path: "/actors/{kind}/{id}/events",
    scope: "stats:read",
    summary: "Give an actor an event by hand, or with dryRun=true see what its chart would do",
    description: "Sending needs a main admin, and the event must be one of the chart's `safe` ones (409).",
    params: z.object({ kind: z.string(), ...idParams.shape }),
    query: z.object({ dryRun: queryBoolean.optional() }),
    body: EventBody,
    answer: z.union([Actor, Preview]),
    audit: { key: "actors", action: "event" },
    statuses: [400, 404, 409, 428],
    handle: ({ params: { kind: name, id }, query: { dryRun = false }, body, caller, origin, commit, submit, requireConfirmed }) => {
      if (!dryRun) requireMain(caller);
      const kind = supervisor.kinds.get(name) ?? refuse("not_found", { message: `no actors of kind ${name}` });
      if (!eventTypes(kind).has(body.type)) invalid("type", `the chart has no event ${body.type}`);
      const { definition } = kind;
      const locks = [lock(definition.entity, id), ...(definition.locks?.(id) ?? [])];
      if (dryRun) return submit({ name: `${name}.preview`, locks, decide: (draft) => preview(draft, kind, id, body) });
      requireConfirmed();
      return commit({
        locks,
        decide(draft) {
          if (!draft.find(definition.entity, id)) notFound(name, id);
          if (!definition.safe.includes(body.type)) refuse("conflict", { message: `${body.type} is not sent by hand`, field: "type" });
          const { handled, state } = guarded(() => supervisor.step(draft, kind, id, body, origin));
          if (!handled) refuse("conflict", { message: `the actor does not take ${body.type} in the state ${state}`, field: "type" });
          const row = draft.find(definition.entity, id) ?? notFound(name, id);
          return { answer: actorIn(draft, kind, row), audit: { entityId: `${name}:${id}`, obj: { type: body.type, to: state } } };
        },
      });
    },
  });
}
