// Subscriptions looked at without being fetched: what a client would get, what is left out of it and why, and which row
// of the table chooses a format (rules subscriptions.preview).
import {
  UserDeviceRows,
  admitOwner,
  askedBy,
  deviceClaim,
  formatOfName,
  userState,
  type DeviceHandles,
  type DevicePlaces,
  type Format,
} from "../../accounts/index.ts";
import { z } from "zod";
import { idParams, invalid, notFound, route, rule, type Route } from "../../http/index.ts";
import { choose, ruleTable, type Choice, type StoredRule } from "../documents/formats.ts";
import { coreOf } from "../documents/cores.ts";
import type { EntryFormatName } from "../documents/limits.ts";
import { isEntryFormat } from "../documents/render.ts";
import {
  AVAILABLE,
  deviceRefusal,
  isServed,
  serverEntries,
  subscriptionAnswer,
  subscriptionUser,
  type AnsweringPanel,
} from "./answers.ts";
import { Documents } from "./kept-documents.ts";
import { namingOf } from "./naming.ts";
import type { Served } from "./served-inbounds.ts";
import { linkPreview, shownDevices, subscriptionPage } from "./page-answer.ts";
import type { Subscriber } from "./subscriber.ts";
import { listing } from "./preview-listing.ts";
import { RuleTrial, RuleTrialAnswer, SubPreview } from "./preview.schema.ts";
import type { SubFormatsDeps } from "./formats.routes.ts";

export interface PreviewDeps extends SubFormatsDeps {
  readonly places: Pick<DevicePlaces, "admit">;
  readonly deviceHandles: DeviceHandles;
}

/** What a client would be answered. */
interface Shown {
  readonly status: 200 | 403;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Which servers the body lists: those of this format. Undefined: none. */
  readonly lists: EntryFormatName | undefined;
}

function chosen({ rule: row }: Choice, rules: readonly StoredRule[]) {
  if (!row) return null;
  const { unsent, ...told } = row;
  return { position: rules.indexOf(row), ...told, ...(unsent && { unsent: [...unsent] }) };
}

export function previewRoutes(deps: PreviewDeps): Route[] {
  const { reads, served, settings, places, deviceHandles, now } = deps;
  const admit = admitOwner(deps);
  const rules = ruleTable();

  async function answerFor(
    state: Subscriber,
    asked: {
      readonly format: Format;
      readonly userAgent: string;
      readonly hwid: string;
      readonly further: StoredRule["headers"];
    },
    current: Served,
    panel: AnsweringPanel,
  ): Promise<Shown> {
    const { format, userAgent, hwid } = asked;
    const isOn = isServed(state, now());
    const claim = deviceClaim({ "x-hwid": hwid, "user-agent": userAgent }, "");
    const verdict = isOn ? await places.admit(state.row, claim, false) : "admitted";
    if (verdict !== "admitted") {
      const { headers } = deviceRefusal(state, verdict, format, panel);
      return { status: 403, headers, body: "", lists: undefined };
    }
    const { headers, body } = subscriptionAnswer(state, current, asked, now(), {
      ...panel,
      documents: new Documents(),
    });
    // `info` names the servers by their links.
    const lists = isOn ? (isEntryFormat(format) ? format : "links") : undefined;
    return { status: 200, headers, body: body.bytes().toString("utf8"), lists };
  }

  /** The page needs no device's place. It is the one of a browser that prefers no language. */
  async function pageFor(state: Subscriber, userAgent: string, current: Served, panel: AnsweringPanel): Promise<Shown> {
    const { devices = [] } = (await reads.find(UserDeviceRows, state.row.id)) ?? {};
    let lists: Shown["lists"];
    const entries = () => {
      lists = "links";
      return serverEntries(state.row, current, namingOf(state, settings, now()));
    };
    const visitor = { userAgent, acceptLanguage: "", query: "" };
    const shown = { entries, devices: shownDevices(devices, state.row.id, deviceHandles) };
    const { headers, body } = subscriptionPage(state, shown, visitor, now(), panel);
    return { status: 200, headers, body, lists };
  }

  function previewFor(): Shown {
    return { status: 200, ...linkPreview(settings), lists: undefined };
  }

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
      handle: async ({ params: { id }, query: { format: path, userAgent, hwid }, caller, request }) => {
        const state = (await userState(reads, id)) ?? notFound("user", id);
        if (path !== "" && formatOfName(path) === undefined) invalid("format", rule("choice", ...AVAILABLE));
        const table = rules(settings.get("sub_rules"));
        const choice = choose({ path, query: "", userAgent, accept: "" }, AVAILABLE, table);
        const { format } = choice ?? notFound("format", path);
        const current = await served();
        const panel = { settings, publicAddress: askedBy(deps, request).publicAddress };
        const asked = { format, userAgent, hwid, further: choice?.rule?.headers };
        const { status, headers, body, lists } = await (choice?.previews
          ? previewFor()
          : format === "html"
            ? pageFor(state, userAgent, current, panel)
            : answerFor(state, asked, current, panel));
        const core = coreOf(format, userAgent);
        return {
          rule: choice ? chosen(choice, table) : null,
          format,
          status,
          headers,
          body,
          ...(lists
            ? listing(
                subscriptionUser(state.row, namingOf(state, settings, now())),
                { inbounds: current.of(state.row), refused: current.refused(state.row) },
                { format: lists, core },
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
        const table: readonly StoredRule[] = tried ?? rules(settings.get("sub_rules"));
        const choice = choose({ path: "", query: "", userAgent, accept }, AVAILABLE, table);
        const asked = table.map(({ unsent: _unsent, ...told }) => told);
        return { rule: choice ? chosen(choice, table) : null, format: choice?.format ?? "base64", rules: asked };
      },
    }),
  ];
}
