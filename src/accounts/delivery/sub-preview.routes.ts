// Subscriptions looked at without being fetched: what a client would get, what is left out of it and why, and which row
// of the table chooses a format (rules subscriptions.preview).
import { z } from "zod";
import { idParams, invalid, notFound, route, rule, type Route } from "../../http/index.ts";
import { deviceClaim } from "../devices/admission.ts";
import type { DevicePlaces } from "../devices/places.ts";
import { choose, formatOfName, ruleTable, type Choice, type Format, type FormatRule } from "../subscription/formats.ts";
import { coreOf } from "../subscription/cores.ts";
import { isEntryFormat } from "../subscription/render.ts";
import { AVAILABLE, deviceRefusal, isServed, subscriptionAnswer, subscriptionUser } from "./subscription-answer.ts";
import { Documents } from "./subscription-documents.ts";
import { namingOf } from "./subscription-naming.ts";
import type { Served } from "./subscription-inbounds.ts";
import { listing } from "./sub-preview-listing.ts";
import { RuleTrial, RuleTrialAnswer, SubPreview } from "./sub-preview.schema.ts";
import { userState } from "../users/users.queries.ts";
import { admitOwner, type UserRoutesDeps } from "../users/users.routes.ts";

export interface PreviewDeps extends UserRoutesDeps {
  /** What subscriptions list now. */
  readonly served: () => Promise<Served>;
  readonly places: Pick<DevicePlaces, "admit">;
}

/** A page is looked at in a browser. */
const SHOWN: ReadonlySet<Format> = new Set([...AVAILABLE].filter((format) => format !== "html"));

function chosen({ rule: row }: Choice, rules: readonly FormatRule[]) {
  return row ? { position: rules.indexOf(row), ...row } : null;
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
        const core = coreOf(format, userAgent);
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
                { inbounds: current.of(state.row), refused: current.refused(state.row) },
                { format, core },
                caller.scopes.has("nodes:read"),
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
