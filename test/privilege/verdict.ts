// The rules held against one call, in the order in which the panel refuses.
import type { Call } from "./call.ts";
import { target } from "./things.ts";
import { closure, type Model, type Reach } from "./model.ts";
import { RULES } from "./rules.ts";

/** What the model says of a call: allowed, or one of these statuses and why. */
export type Verdict =
  | { readonly allowed: true }
  /** `finely`: although its scopes reach the route. */
  | { readonly allowed: false; readonly statuses: readonly number[]; readonly why: string; readonly finely: boolean };

const refuse = (why: string, ...statuses: number[]): Verdict => ({
  allowed: false,
  statuses,
  why,
  finely: statuses.length > 1 || statuses.includes(404),
});
/** What may be said first where a refusal comes after the body was read. */
const SAID_FIRST = [400, 404, 409, 428];

export function verdict(model: Model, call: Call, now: number): Verdict {
  const rule = RULES[call.route];
  if (!rule) throw new Error(`the model has no rule for ${call.route}`);
  if (rule.scope === "open") return { allowed: true };
  const by = model.reach(call.by);
  if (!by) return refuse("no valid credential", 401);
  if (rule.scope === "-" && by.via === "token") return refuse("closed to tokens", 400, 403);
  if (rule.tiers && !rule.tiers.includes(by.base)) return refuse(`not for the tier ${by.base}`, 403);
  const also = typeof rule.also === "function" ? rule.also(call) : (rule.also ?? []);
  const writes = !call.route.startsWith("GET ");
  const reached = rule.scope === "" || rule.scope === "-" || by.scopes.has(rule.scope);
  if (!reached && !by.scopes.has(rule.or ?? rule.scope)) return refuse(`needs ${rule.scope}`, 403);
  const lacks = also.find((scope) => !by.scopes.has(scope));
  if (lacks !== undefined) return refuse(`needs ${lacks}`, 403, ...SAID_FIRST);
  if (writes && by.expired) return refuse("past its date", 403);
  if (writes && by.readsOnly && rule.scope === "users:write") return refuse("only reads users", 403);
  if (rule.own && by.base === "resale" && model.things.get(`${rule.own}/${target(call)}`)?.owner !== by.account)
    return refuse("not its own", 404);
  const why = rule.refused?.(by, call, model);
  if (why !== undefined) return refuse(why, 403, ...SAID_FIRST);
  const sensitive = typeof rule.sensitive === "function" ? rule.sensitive(call) : rule.sensitive === true;
  const stale = by.via === "session" && by.twoFactor && by.freshUntil <= now;
  return sensitive && stale ? refuse("its second factor is stale", ...SAID_FIRST) : { allowed: true };
}

/** Whether somebody may be told of an event. */
export function mayHear(
  by: Pick<Reach, "base" | "scopes">,
  id: number,
  event: { scope: string; family: string; about: number | undefined },
): boolean {
  const { scope, family, about } = event;
  if (by.base === "resale" && (about !== id || family === "node" || family === "panel")) return false;
  return scope === "" || closure(by.scopes).has(scope);
}
