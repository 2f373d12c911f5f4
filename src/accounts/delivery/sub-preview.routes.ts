// Subscriptions looked at without being fetched: what a client would get, what is left out of it and why, and which row
// of the table chooses a format (rules subscriptions.preview).
import { z } from "zod";
import { idParams, invalid, notFound, route, rule, type Route } from "../../http/index.ts";
import { deviceClaim } from "../devices/admission.ts";
import type { DevicePlaces } from "../devices/places.ts";
import { placedEntries, unlisted, unlistedWays } from "../subscription/entries.ts";
import { choose, formatOfName, ruleTable, type Choice, type Format, type FormatRule } from "../subscription/formats.ts";
import { coreVersion, omissionOf, type Omission } from "../subscription/limits.ts";
import type { ServedInbound, SubscriptionUser } from "../subscription/model.ts";
import { isEntryFormat } from "../subscription/render.ts";
import { AVAILABLE, deviceRefusal, isServed, subscriptionAnswer, subscriptionUser } from "./subscription-answer.ts";
import { Documents } from "./subscription-documents.ts";
import { namingOf } from "./subscription-naming.ts";
import type { Served } from "./subscription-inbounds.ts";
import { RuleTrial, RuleTrialAnswer, SubPreview, type LEFT_OUT_CODES } from "./sub-preview.schema.ts";
import { userState } from "../users/users.queries.ts";
import { admitOwner, type UserRoutesDeps } from "../users/users.routes.ts";

export interface PreviewDeps extends UserRoutesDeps {
  /** What subscriptions list now. */
  readonly served: () => Promise<Served>;
  readonly places: Pick<DevicePlaces, "admit">;
}

type LeftOut = (typeof LEFT_OUT_CODES)[number];

/** A page is looked at in a browser. */
const SHOWN: ReadonlySet<Format> = new Set([...AVAILABLE].filter((format) => format !== "html"));

function chosen({ rule: row }: Choice, rules: readonly FormatRule[]) {
  return row ? { position: rules.indexOf(row), ...row } : null;
}

function sentence(format: string, code: LeftOut, what: string): string {
  switch (code) {
    case "transport":
      return `${format} has no transport ${what}`;
    case "core":
      return `this version of the client has no ${what}`;
    case "type":
      return `no client connects to an inbound of the type ${what}`;
    case "no_port":
      return "the inbound has no port";
    case "no_node":
      return "no node that is switched on serves the inbound";
    case "fronted_only":
      return "the inbound is listed by its fronts alone";
    case "front_off":
      return `the front ${what} is switched off`;
    case "front_unfit":
      return `the front ${what} cannot carry the inbound's transport`;
    default:
      return `${format} has no ${what}`;
  }
}

/** What a format lists of an account's servers, and what it leaves out. `named`: nodes are called by their names. */
function listing(
  user: SubscriptionUser,
  inbounds: readonly ServedInbound[],
  format: string,
  named: boolean,
  omission: (entry: Parameters<typeof omissionOf>[1]) => Omission | undefined,
) {
  const names = new Map(named ? inbounds.flatMap(({ nodes }) => nodes.map(({ id, name }) => [id, name])) : []);
  const nodeOf = (nodeId: number) => ({ nodeId, node: names.get(nodeId) ?? null });
  const placed = placedEntries(user, inbounds).map(
    ({ entry, origin: { nodeId, inboundId, inbound, frontId, front } }) => ({
      remark: entry.name,
      ...nodeOf(nodeId),
      inboundId,
      inbound,
      frontId: frontId === 0 ? null : frontId,
      front: front === "" ? null : front,
      why: omission(entry),
    }),
  );
  const entries = placed.filter(({ why }) => why === undefined).map(({ why: _why, ...entry }) => entry);
  const left = placed.flatMap(({ nodeId, node, inboundId, inbound, why }) => {
    if (!why) return [];
    const { code, what } = why;
    return [{ nodeId, node, inboundId, inbound, code, what, text: sentence(format, code, what) }];
  });
  const nowhere = inbounds.flatMap((inbound) => {
    const code = unlisted(inbound);
    if (!code) return [];
    const { type } = inbound.dialect;
    const text = sentence(format, code, type);
    const what = code === "type" ? type : "";
    return [{ ...nodeOf(0), inboundId: inbound.id, inbound: inbound.tag, code, what, text }];
  });
  const ways = inbounds.flatMap((inbound) =>
    unlisted(inbound)
      ? []
      : unlistedWays(inbound).map(({ nodeId, code, front }) => ({
          ...nodeOf(nodeId),
          inboundId: inbound.id,
          inbound: inbound.tag,
          code,
          what: front,
          text: sentence(format, code, front),
        })),
  );
  return { entries, omitted: [...left, ...nowhere, ...ways] };
}

export function previewRoutes(deps: PreviewDeps): Route[] {
  const { reads, served, settings, publicAddress, places, now } = deps;
  const admit = admitOwner(deps);
  const rules = ruleTable();
  return [
    route({
      method: "GET",
      path: "/users/{id}/sub/preview",
      scope: "users:read",
      summary: "What a client would get of a user's subscription",
      description: "Nothing is counted or recorded by it, and no device gets a place. `format` as in the link.",
      params: idParams,
      query: z.object({
        format: z.string().max(32).default(""),
        userAgent: z.string().max(4096).default(""),
        hwid: z.string().max(4096).default(""),
      }),
      answer: SubPreview,
      statuses: [400, 404],
      admit,
      handle: async ({ params: { id }, query: { format: path, userAgent, hwid }, caller }) => {
        const state = (await userState(reads, id)) ?? notFound("user", id);
        if (path !== "" && !SHOWN.has(formatOfName(path) ?? "html")) invalid("format", rule("choice", ...SHOWN));
        const table = rules(settings.get("sub_rules"));
        const choice = choose({ path, query: "", userAgent, accept: "" }, SHOWN, table);
        const { format } = choice ?? notFound("format", path);
        const current = await served();
        const isOn = isServed(state, now());
        const claim = deviceClaim({ "x-hwid": hwid, "user-agent": userAgent }, "");
        const verdict = isOn ? await places.admit(state.row, claim, false) : "admitted";
        const made = { settings, publicAddress, documents: new Documents() };
        const { headers, body } =
          verdict === "admitted"
            ? subscriptionAnswer(state, current, { format, userAgent, further: choice?.rule?.headers }, now(), made)
            : deviceRefusal(state, verdict, format, made);
        const core = coreVersion(userAgent);
        const lists = isOn && verdict === "admitted" && isEntryFormat(format);
        return {
          rule: choice ? chosen(choice, table) : null,
          format,
          status: verdict === "admitted" ? 200 : 403,
          headers,
          body: body.bytes().toString("utf8"),
          ...(lists
            ? listing(
                subscriptionUser(state.row, namingOf(state, settings, now())),
                current.of(state.row),
                format,
                caller.scopes.has("nodes:read"),
                (entry) => omissionOf(format, entry, core),
              )
            : { entries: [], omitted: [] }),
        };
      },
    }),
    route({
      method: "POST",
      path: "/sub/rules/test",
      scope: "settings:read",
      tiers: ["sudo", "admin"],
      summary: "Which format a client gets",
      description: "By the table of setting `sub_rules`, or by the one that is sent along.",
      body: RuleTrial,
      answer: RuleTrialAnswer,
      statuses: [400],
      handle: ({ body: { userAgent, accept, rules: tried } }) => {
        const table = tried ?? rules(settings.get("sub_rules"));
        const choice = choose({ path: "", query: "", userAgent, accept }, AVAILABLE, table);
        return { rule: choice ? chosen(choice, table) : null, format: choice?.format ?? "base64", rules: [...table] };
      },
    }),
  ];
}
