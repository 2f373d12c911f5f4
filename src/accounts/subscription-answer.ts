// What a subscription request is answered with: one place decides it for every format (rule subscriptions.unserved.1).
import { entriesOf } from "./subscription/entries.ts";
import type { Format } from "./subscription/formats.ts";
import { coreVersion, ENTRY_FORMAT_NAMES } from "./subscription/limits.ts";
import { subscriptionHeaders, type Profile } from "./subscription/headers.ts";
import { renderLinks } from "./subscription/links.ts";
import type { Entry, SubscriptionUser } from "./subscription/model.ts";
import { isServedStatus, placeholderEntry, refusalText } from "./subscription/placeholder.ts";
import { isEntryFormat, RENDERERS } from "./subscription/render.ts";
import { storedOwn } from "../lib/own-credentials.ts";
import type { BodyCache } from "./subscription-bodies.ts";
import type { Served } from "./subscription-inbounds.ts";
import { themeOf } from "./page-settings.ts";
import { subUrlOf, type PublicAddress, type SettingsPort } from "./sub-url.ts";
import { hasNotStarted, statusOf } from "./user-status.ts";
import type { UserState } from "./user-change.ts";

/** Formats that can be rendered. */
export const AVAILABLE: ReadonlySet<Format> = new Set<Format>([...ENTRY_FORMAT_NAMES, "html", "info"]);

export interface AnswerDeps {
  readonly settings: SettingsPort;
  readonly publicAddress: () => PublicAddress;
  readonly bodies: BodyCache;
}

export interface SubscriptionAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body hands over configurations of an account that is served. */
  readonly carriesConfigurations: boolean;
}

/** What a request asks for. */
export interface Asked {
  readonly format: Format;
  /** The client as it calls itself: by it, older programs get what they can read. */
  readonly userAgent: string;
  /** Headers that the rule of this client adds. */
  readonly further?: Readonly<Record<string, string>> | undefined;
}

/** The answer for an account at `now` (Unix seconds). */
export function subscriptionAnswer(
  state: UserState,
  served: Served,
  { format, userAgent, further }: Asked,
  now: number,
  deps: AnswerDeps,
): SubscriptionAnswer {
  const { row, usage } = state;
  const { settings, bodies } = deps;
  const status = statusOf(row, usage, now);
  const refusal = isServedStatus(status)
    ? undefined
    : refusalText(status, row.disabledReason, themeOf(settings).language);
  const entries = (): readonly Entry[] => {
    if (refusal !== undefined) return settings.get("sub_placeholder") === "false" ? [] : [placeholderEntry(refusal)];
    return serverEntries(row, served);
  };
  const own = { ...subscriptionHeaders(profileOf(state, deps), format), ...deviceHeaders(state) };
  const headers = further ? { ...withoutNamed(own, further), ...further } : own;
  if (!isEntryFormat(format)) return { headers, body: info(state, status, entries()), carriesConfigurations: false };
  const core = format === "singbox" ? coreVersion(userAgent) : undefined;
  const madeOf = `${row.updatedAt}:${served.version}:${refusal === undefined ? "served" : `${refusal}:${settings.get("sub_placeholder")}`}`;
  return {
    headers,
    body: bodies.get(row.id, core ? `${format} ${core.join(".")}` : format, madeOf, () =>
      RENDERERS[format](entries(), core),
    ),
    carriesConfigurations: refusal === undefined,
  };
}

/** Whether an account is served at `now` (Unix seconds). */
export function isServed({ row, usage }: UserState, now: number): boolean {
  return isServedStatus(statusOf(row, usage, now));
}

/** What a device is told that may not have the configurations: in the headers on which clients act, in every format. */
export function deviceRefusal(
  state: UserState,
  verdict: "full" | "unidentified",
  format: Format,
  deps: Omit<AnswerDeps, "bodies">,
): SubscriptionAnswer {
  const { "Content-Disposition": _file, ...headers } = subscriptionHeaders(profileOf(state, deps), format);
  // Clients take either name of the limit for a refusal, whatever its value: both stand here and nowhere else.
  const told = verdict === "full" ? ["X-Hwid-Max-Devices-Reached", "X-Hwid-Limit"] : ["X-Hwid-Not-Supported"];
  const refused = Object.fromEntries(told.map((name) => [name, "true"]));
  return { headers: { ...headers, ...deviceHeaders(state), ...refused }, body: "", carriesConfigurations: false };
}

/** Headers without those that a rule sets in their place, in whatever case they are written. */
function withoutNamed(
  headers: Readonly<Record<string, string>>,
  further: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !Object.hasOwn(further, name.toLowerCase())));
}

/** That devices are counted. */
function deviceHeaders({ row: { deviceLimit } }: UserState): Readonly<Record<string, string>> {
  return deviceLimit === 0 ? {} : { "X-Hwid-Active": "true" };
}

/** The servers of an account as its subscription lists them while it is served. */
export function serverEntries(row: UserState["row"], served: Served): readonly Entry[] {
  return entriesOf(subscriptionUser(row), served.of(row));
}

/** What entries are made of, of an account. */
export function subscriptionUser({ name, remark, config }: UserState["row"]): SubscriptionUser {
  const { uuid, password, ss16, ss32, flow = "" } = config;
  return { name, remark, uuid, password, ss16, ss32, flow, by: storedOwn(config["by"]) };
}

/** The `info` format: the account's figures for scripts and widgets. */
function info({ row, usage }: UserState, status: string, entries: readonly Entry[]): string {
  const links = renderLinks(entries)
    .split("\n")
    .filter((link) => link !== "");
  return JSON.stringify({ status, up: usage.up, down: usage.down, volume: row.volume, expiry: dateOf(row), links });
}

/** A plan that has not started has no date yet. */
function dateOf(row: UserState["row"]): number {
  return hasNotStarted(row) ? 0 : row.expiry;
}

/** What the headers tell of an account. */
export function profileOf({ row, usage }: UserState, { settings, publicAddress }: Omit<AnswerDeps, "bodies">): Profile {
  return {
    up: usage.up,
    down: usage.down,
    volume: row.volume,
    expiry: dateOf(row),
    nextReset: row.nextReset,
    title: settings.get("sub_title") || row.name,
    updateInterval: Number(settings.get("sub_update_interval")) || 12,
    supportUrl: settings.get("sub_support_url"),
    webPageUrl: subUrlOf(row, settings, publicAddress()),
    announce: settings.get("sub_announce"),
  };
}
