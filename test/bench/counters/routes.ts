// Routes over counters: one durable command and one read as the panel declares them, the command without its audit
// record, and the same unit behind a bare fastify route.
import fastify, { type FastifyInstance } from "fastify";
import { z } from "zod";
import { lock, type Database, type Unit } from "../../../src/db/index.ts";
import { idParams, line, notFound, route, type Route } from "../../../src/http/index.ts";
import type { Origin } from "../../../src/lib/origin.ts";
import type { Supervisor } from "../../../src/runtime/index.ts";
import { counter, Counters, origin as nobody, type CounterRow } from "./actors.ts";

const Counter = z
  .object({ id: z.int(), name: z.string(), count: z.int(), state: z.string() })
  .meta({ id: "BenchCounter" });
const Note = z.object({ note: line(200).default("") });

const view = ({ id, name, count, mstate: state }: CounterRow): z.output<typeof Counter> => ({ id, name, count, state });

/** The command itself, for every caller: transition, row, journal entry, every tenth an event. */
function countUnit(
  supervisor: Supervisor,
  id: number,
  origin: Origin,
): Unit<{ before: object; after: z.output<typeof Counter> }> {
  return {
    name: "bench.count",
    locks: [lock(Counters, id)],
    decide(draft) {
      const before = draft.find(Counters, id) ?? notFound("counter", id);
      supervisor.step(draft, counter, id, { type: "count" }, origin);
      const after = draft.find(Counters, id) ?? notFound("counter", id);
      return { before: view(before), after: view(after) };
    },
  };
}

function countRoute(path: `/${string}`, supervisor: Supervisor, audited: boolean): Route {
  return route({
    method: "POST",
    path,
    scope: "users:write",
    summary: "Count",
    params: idParams,
    body: Note,
    answer: Counter,
    ...(audited && { audit: { key: "counters", action: "update" as const } }),
    handle: ({ params: { id }, origin, commit }) => {
      const { locks, decide } = countUnit(supervisor, id, origin);
      return commit({
        locks,
        decide(draft) {
          const { before, after } = decide(draft);
          return { answer: after, audit: { entityId: id, before, after } };
        },
      });
    },
  });
}

export function counterRoutes({ reads }: Database, supervisor: Supervisor): Route[] {
  return [
    countRoute("/counters/{id}/count", supervisor, true),
    countRoute("/counters/{id}/count-unaudited", supervisor, false),
    route({
      method: "GET",
      path: "/counters/{id}",
      scope: "users:read",
      summary: "One counter",
      params: idParams,
      answer: Counter,
      handle: async ({ params: { id } }) => view((await reads.find(Counters, id)) ?? notFound("counter", id)),
    }),
  ];
}

/** The same command without a rule of the API: fastify parses the body, the committer carries the unit out. */
export function bareCounters({ commits }: Database, supervisor: Supervisor): FastifyInstance {
  const app = fastify();
  app.post<{ Params: { id: string } }>("/counters/:id/count", async ({ params }) => {
    const { after } = await commits.submit(countUnit(supervisor, Number(params.id), nobody));
    return after;
  });
  return app;
}
