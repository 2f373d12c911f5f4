// What an answer says against the model: calls that were wrongly allowed or refused, and rows that the caller must not
// see.
import type { Call } from "./call.ts";
import { target } from "./things.ts";
import type { Model, Reach } from "./model.ts";
import { RULES } from "./rules.ts";
import { landing, STARTS } from "./single-sign-on.ts";
import { mayHear, type Verdict } from "./verdict.ts";
import type { Received } from "./wire.ts";

/** Refusals for a state that the model does not follow: a reseller's end, a wrong password, caps. */
const LAWFUL = /wrong password|has expired|"code":"account_expired"|cap of|sells plans only/;

export function statusFaults(
  model: Model,
  call: Call,
  expected: Verdict,
  { status, text, landing: came }: Received,
): string[] {
  const said = `${status} ${text.slice(0, 160)}`;
  if (!expected.allowed) {
    if (status < 400) return [`let in although ${expected.why}: ${said}`];
    return expected.statuses.includes(status)
      ? []
      : [`refused otherwise than by ${expected.statuses.join("/")} (${expected.why}): ${said}`];
  }
  if (came !== "" && STARTS.has(call.route) && !landing(model, call).test(came))
    return [`landed on ${came}, and should on ${landing(model, call).source}`];
  if (status >= 500 && status !== 502) return [`failed: ${said}`];
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? "";
  const rule = RULES[call.route];
  const about = `${rule?.own ?? ""}/${target(call)}`;
  if (status === 404 && rule?.own && model.things.has(about) && !/\{(nodeId|delivery|hwid)\}/.test(call.route))
    return [`hidden although it is allowed: ${said}`];
  const byRights =
    ["unauthenticated", "scope", "token_closed", "token_refused"].includes(code) ||
    // A restore without its word has the code too, as 400.
    (code === "confirm" && status === 428) ||
    (code === "forbidden" && !LAWFUL.test(text));
  const missing = /"scope":"([\w:]+)"/.exec(text)?.[1] ?? "";
  const mayNeed = rule?.perhaps?.(call).includes(missing) === true && !model.reach(call.by)?.scopes.has(missing);
  return byRights && !mayNeed ? [`refused although it is allowed: ${said}`] : [];
}

/** Name of an event to the scope that it needs, and its family. */
export type Events = ReadonlyMap<string, { readonly scope: string; readonly family: string }>;

interface Shown {
  readonly items?: readonly { event: string; recipients?: number[]; data: { adminId?: number }; adminId?: number }[];
  readonly total?: number;
  readonly adminId?: number;
}

/** Rows in an answer that are not the caller's to see; for a reseller also whether it sees all of its own. */
export function recordFaults(model: Model, call: Call, text: string, by: Reach | undefined, events: Events): string[] {
  if (!by || !/^GET \/(users|events\/log)(\/summary|\/\{id\})?$/.test(call.route)) return [];
  const { items = [], total, adminId } = JSON.parse(text) as Shown;
  const id = model.things.get(`admins/${by.account}`)?.id ?? 0;
  if (call.route === "GET /events/log") {
    const about = (item: (typeof items)[number]) => ({
      ...(events.get(item.event) ?? { scope: "", family: "" }),
      about: item.recipients?.[0] ?? item.data.adminId,
    });
    return items
      .filter((item) => !mayHear(by, id, about(item)))
      .map(({ event, data }) => `the log shows ${event} ${JSON.stringify(data)} to ${call.by}`);
  }
  if (by.base !== "resale") return [];
  const strange = [...items.map((item) => item.adminId), adminId].filter(
    (owner) => owner !== undefined && owner !== id,
  );
  const own = [...model.things].filter(([key, { owner }]) => key.startsWith("users/") && owner === by.account).length;
  const counted = total === undefined || total === own ? [] : [`${call.by} is told of ${total} users, and has ${own}`];
  return strange.length === 0 ? counted : [...counted, `${call.by} sees users of ${strange.join(", ")}`];
}
