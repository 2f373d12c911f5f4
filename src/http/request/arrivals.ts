// Which requests came for what is outside a hidden base path, and when: whoever would answer them asks here first.
import type { IncomingMessage, ServerResponse } from "node:http";

/** What answers there (`outside.ts`). */
export interface Elsewhere {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  unavailable(request: IncomingMessage, response: ServerResponse): void;
}

const arrivals = new WeakMap<IncomingMessage, { readonly outside: Elsewhere; readonly at: number }>();

export function arrive(request: IncomingMessage, outside: Elsewhere): void {
  arrivals.set(request, { outside, at: performance.now() });
}

/** What answers in the panel's place; undefined: the request is inside, or nothing is hidden. */
export function outsideOf(request: IncomingMessage): Elsewhere | undefined {
  return arrivals.get(request)?.outside;
}

/** Milliseconds for which the request has been waiting. */
export function waited(request: IncomingMessage): number {
  return performance.now() - (arrivals.get(request)?.at ?? 0);
}
