// Which call comes next, and who makes it.
import type { Chance } from "../simulation/chance.ts";
import type { Call } from "./call.ts";
import { Forms } from "./forms.ts";
import type { Model } from "./model.ts";
import { RULES } from "./rules.ts";
import { verdict } from "./verdict.ts";

const RIGHTS =
  /^(POST|PUT|PATCH|DELETE) \/(roles|admins|tokens|webhooks|oidc-providers|users|nodes|settings|changes)\b/;
const SHOWS =
  /^GET \/(users|inbounds|templates|changes|webhooks|settings|tokens|admins|events\/log|oidc-providers|outbounds)$|^GET \/(inbounds|templates)\/|^GET \/users\/\{id\}/;

/** Draws for one campaign. */
export class Drawer {
  readonly #chance: Chance;
  readonly #model: Model;
  readonly #forms: Forms;

  constructor(chance: Chance, model: Model) {
    this.#chance = chance;
    this.#model = model;
    this.#forms = new Forms(chance, model);
  }

  /** `routes`: what there is to call. */
  draw(routes: readonly string[], now: number): Call {
    const route = this.#weighted(routes);
    const call = { route, ...this.#forms.fill(route) };
    return { ...call, by: this.#caller(call, now) };
  }

  /** A caller that the model allows, one that it refuses for another reason than scopes, or any caller. */
  #caller(call: Omit<Call, "by">, now: number): string {
    const all = [...this.#model.credentials.keys()];
    if (call.route === "POST /logout") return this.#chance.pick(all);
    if (RULES[call.route]?.scope === "open" || this.#chance.happens(0.02)) return "";
    const said = all.map((by) => ({ by, verdict: verdict(this.#model, { ...call, by }, now) }));
    const allowed = said.filter(({ verdict: { allowed: is } }) => is);
    const refused = said.filter(({ verdict: is }) => !is.allowed);
    const reasons = [...new Set(refused.flatMap(({ verdict: is }) => (!is.allowed && is.finely ? [is.why] : [])))];
    const reason = reasons.length === 0 ? "" : this.#chance.pick(reasons);
    const finely = refused.filter(({ verdict: is }) => !is.allowed && is.why === reason);
    // A restart is only asked for by those who may not.
    const among = call.route === "POST /restart" ? [refused] : [allowed, finely, finely, said];
    const some = among.filter((each) => each.length > 0);
    return some.length === 0 ? "" : this.#chance.pick(this.#chance.pick(some)).by;
  }

  /** Routes that give and take rights come more often, and so do those that show what there is. */
  #weighted(routes: readonly string[]): string {
    const sessions = [...this.#model.credentials.values()].filter(({ via }) => via === "session").length;
    if (this.#chance.happens(sessions < 12 ? 0.3 : 0.03))
      return this.#chance.pick(["POST /login", "POST /login", "POST /login/mfa"]);
    const rights = routes.filter((route) => RIGHTS.test(route));
    const shows = routes.filter((route) => SHOWS.test(route));
    const rest = routes.filter((route) => !RIGHTS.test(route) && !SHOWS.test(route));
    const part = this.#chance.next();
    return this.#chance.pick(part < 0.5 ? rights : part < 0.75 ? shows : rest);
  }
}

/** Routes that the model or the drawer does not know, or that no longer exist. */
export function unknownRoutes(routes: readonly string[]): string[] {
  const known = new Set(Object.keys(RULES));
  return [...routes.filter((route) => !known.has(route)), ...[...known].filter((route) => !routes.includes(route))];
}
