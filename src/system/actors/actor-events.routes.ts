// Steering an actor by hand (rules inspector.steer): give it an event, ask what its chart would do with one, lift its
// quarantine.
import { z } from "zod";
import { lock, type Draft, type Reader } from "../../db/index.ts";
import {
  type Caller,
  invalid,
  notFound,
  queryBoolean,
  Refusal,
  refuse,
  route,
  type Route,
  rule,
} from "../../http/index.ts";
import { ActorQuarantined, type ActorKind, type Supervisor } from "../../runtime/index.ts";
import { Actor, ActorPreview, actorParams, refuseNobody, type ActorParams } from "./actor.schema.ts";
import { actorIn } from "./actors.queries.ts";
import { previewEvent } from "./preview.ts";

/** The type of an event, as text. */
export const eventType = z.string().min(1).max(128);
const EventBody = z.looseObject({ type: eventType }).meta({ id: "ActorEvent" });
const EventQuery = z.object({ dryRun: queryBoolean.optional() });

/** 400 for what is no event of the chart. */
export function refuseUnknownEvent({ chart }: ActorKind, type: string): void {
  if (!chart.eventTypes().has(type)) invalid("type", rule("absent", "event", type));
}

/** A chart that throws rejects the event and leaves the row. */
function guarded<T>(step: () => T): T {
  try {
    return step();
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    if (cause instanceof ActorQuarantined)
      return refuse("conflict", { code: "quarantined", message: "the actor is in quarantine: resume it first", cause });
    const reason = cause instanceof Error ? cause.message : String(cause);
    return refuse("conflict", { code: "event_failed", message: `the chart refuses the event: ${reason}`, cause });
  }
}

/** Sending is for main admins; a caller who may read the actor may make a dry run. */
function requireRight(caller: Caller, query: unknown): void {
  const asked = EventQuery.safeParse(query);
  if (asked.data?.dryRun !== true) requireMain(caller);
}

/** Steering needs a main admin whose credential reaches the panel's own administration. */
function requireMain(caller: Caller): void {
  if (caller.base !== "sudo" || !caller.scopes.has("admins:write"))
    refuse("forbidden", { message: "events are sent by a main admin" });
}

export interface SteeringDeps {
  readonly reads: Reader;
  readonly supervisor: Supervisor;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Refuses actors that are not there. */
  readonly existing: (params: ActorParams) => Promise<void>;
}

export function actorSteeringRoutes({ reads, supervisor, now, existing }: SteeringDeps): Route[] {
  const kindOf = (name: string) =>
    supervisor.kinds.get(name) ?? refuse("not_found", { message: `no actors of kind ${name}` });
  const rowIn = (draft: Draft, { definition: { entity, kind } }: ActorKind, id: number) =>
    draft.find(entity, id) ?? notFound(kind, id);
  const common = { params: actorParams, admit: (_caller: Caller, params: ActorParams) => existing(params) };

  return [
    route({
      ...common,
      method: "POST",
      path: "/actors/{kind}/{id}/events",
      scope: "stats:read",
      summary: "Give an actor an event by hand, or with dryRun=true see what its chart would do",
      description:
        "Sending needs a main admin, and the event must be one of the chart's `safe` ones (409). A dry run takes every event type of the chart, deadlines and results (`xstate.…`) too.",
      query: EventQuery,
      reach: requireRight,
      body: EventBody,
      answer: z.union([Actor, ActorPreview]),
      audit: { key: "actors", action: "event" },
      extra: { when: "without dryRun", sensitive: true },
      statuses: [400, 404],
      codes: ["quarantined", "event_not_safe", "event_not_taken", "event_failed"],
      handle: async (request) => {
        const { caller, params, query, body, origin, commit, requireExtra } = request;
        const [{ kind: name, id }, { dryRun = false }] = [params, query];
        const kind = kindOf(name);
        const { definition } = kind;
        refuseUnknownEvent(kind, body.type);
        if (dryRun) return (await previewEvent(reads, now(), kind, id, body)) ?? refuseNobody(name, id);
        if (body.type.startsWith("xstate.")) invalid("type", rule("own_event", body.type));
        requireExtra();
        return commit({
          locks: [lock(definition.entity, id), ...(definition.locks?.(id) ?? [])],
          decide(draft) {
            rowIn(draft, kind, id);
            if (!definition.safe.includes(body.type))
              refuse("conflict", {
                code: "event_not_safe",
                message: `${body.type} is not sent by hand`,
                field: "type",
              });
            const { handled, state } = guarded(() => supervisor.step(draft, kind, id, body, origin));
            if (!handled)
              refuse("conflict", {
                code: "event_not_taken",
                message: `the actor does not take ${body.type} in the state ${state}`,
                field: "type",
              });
            const answer = actorIn(draft, kind, rowIn(draft, kind, id), caller.scopes);
            return { answer, audit: { entityId: `${name}:${id}`, obj: { type: body.type, to: state } } };
          },
        });
      },
    }),
    route({
      ...common,
      method: "POST",
      path: "/actors/{kind}/{id}/resume",
      scope: "admins:write",
      tiers: ["sudo"],
      sensitive: true,
      summary: "Lift an actor's quarantine",
      answer: Actor,
      audit: { key: "actors", action: "resume" },
      statuses: [404],
      codes: ["not_quarantined"],
      handle: ({ caller, params: { kind: name, id }, commit }) => {
        const kind = kindOf(name);
        return commit({
          locks: [lock(kind.definition.entity, id)],
          decide(draft) {
            const { faultMessage } = rowIn(draft, kind, id);
            if (!supervisor.lift(draft, kind, id))
              refuse("conflict", { code: "not_quarantined", message: "the actor is not in quarantine" });
            const answer = actorIn(draft, kind, rowIn(draft, kind, id), caller.scopes);
            return { answer, audit: { entityId: `${name}:${id}`, obj: { fault: faultMessage } } };
          },
        });
      },
    }),
  ];
}
