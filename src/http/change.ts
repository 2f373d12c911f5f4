// The change of a route as its commit decides it: the bytes of the answer, and the one audit record (rules
// admins.audit).
import type { Draft } from "../db/index.ts";
import type { Origin } from "../lib/origin.ts";
import { auditRecord } from "./audit.ts";
import type { RouteUnit } from "./context.ts";
import type { HttpPorts } from "./ports.ts";
import type { Route } from "./route.ts";

/** The bytes of a JSON answer: only what the route's schema names. */
export function render({ answer: schema, accepted, status: usual }: Route, answer: unknown, status = usual): string {
  return JSON.stringify((status === usual ? schema : (accepted ?? schema)).parse(answer));
}

/** Decides, records, and renders what is answered. */
export function decideChange(
  draft: Draft,
  ports: Pick<HttpPorts, "audit">,
  route: Route,
  unit: RouteUnit<unknown>,
  status: number,
  origin: Origin,
): { readonly answer: unknown; readonly body: string } {
  const { answer, audit: note } = unit.decide(draft);
  const body = render(route, answer, status);
  if (route.audit && note !== null) ports.audit(draft, auditRecord(route.audit, note, origin));
  return { answer, body };
}
