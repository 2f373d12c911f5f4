// A change by the API without a request: what a POST, PUT, PATCH or DELETE of `/api/v1` does for a main admin, with the
// same checks, the same events and one audit record. The command line changes records by it, so no rule is written
// twice.
import type { Committer } from "../db/index.ts";
import type { Origin } from "../lib/origin.ts";
import { decideChange } from "./change.ts";
import { Rendered, type RouteUnit } from "./context.ts";
import type { HttpPorts } from "./ports.ts";
import { COMMAND_LINE, routeAt } from "./own-reads.ts";
import { checked } from "./refusals/checking.ts";
import { refuseUntriable } from "./request/parameters.ts";
import type { AnyContext, Method, Route } from "./route.ts";

export interface WritingDeps {
  readonly commits: Committer;
  readonly audit: HttpPorts["audit"];
  /** The origin that the audit log, the journal and events name. */
  readonly origin: Origin;
}

export interface DirectChange {
  readonly method: Exclude<Method, "GET">;
  /** Path below the prefix, with its query. */
  readonly target: string;
  /** Undefined: none. */
  readonly body: unknown;
}

/**
 * Carries out a change by one of `routes` and resolves to its answer, once it is on disk. Throws what the API would
 * refuse with. Only for routes that ask of their context for input, caller, `commit` and `submit` alone; nobody's
 * budget is charged.
 */
export async function writeRoute(
  routes: readonly Route[],
  deps: WritingDeps,
  { method, target, body }: DirectChange,
): Promise<unknown> {
  const { route, values, given } = routeAt(routes, method, target);
  refuseUntriable(given, route);
  const params = route.params && checked(route.params, values);
  const admitted = await route.admit?.(COMMAND_LINE, params);
  const { commits, origin } = deps;
  const commit = async (unit: RouteUnit<unknown>) => {
    const { answer, body: text } = await commits.submit({
      name: unit.name ?? `${route.method} ${route.path}`,
      locks: unit.locks,
      decide: (draft) => decideChange(draft, deps, route, unit, route.status, origin),
    });
    return new Rendered(answer, text, route.status);
  };
  // What the handler's own type promises is what its schemas give here.
  const context = {
    params,
    admitted,
    query: route.query && checked(route.query, given),
    body: route.body && checked(route.body, body),
    caller: COMMAND_LINE,
    origin,
    commit,
    submit: commits.submit.bind(commits),
    requireSolvent: () => {},
    requirePaid: async () => {},
  } as unknown as AnyContext;
  const result = await route.handle(context);
  return result instanceof Rendered ? JSON.parse(result.body) : route.answer.parse(result);
}
