// What a subscription request is answered with: one place decides it for every format (rule subscriptions.unserved.1).
import {
  askedBy,
  hasNotStarted,
  statusOf,
  subUrlOf,
  type Format,
  type LinkPlace,
  type UserStatus,
} from "../../accounts/index.ts";
import { entriesOf } from "../documents/entries.ts";
import { coreOf } from "../documents/cores.ts";
import { ENTRY_FORMAT_NAMES } from "../documents/limits.ts";
import { subscriptionHeaders, type Profile } from "../documents/headers.ts";
import { renderLinks } from "../documents/share-links.ts";
import type { Entry, SubscriptionUser } from "../documents/model.ts";
import type { Naming } from "../documents/names.ts";
import { deviceText, isServedStatus, placeholderEntry, refusalText } from "../documents/placeholder.ts";
import { isEntryFormat, RENDERERS } from "../documents/render.ts";
import { isShadowrocket, withShadowrocketHead, type ShadowrocketHead } from "../documents/shadowrocket.ts";
import { headOf, LEAST_COMPRESSED, pack, type Encoding, type ProxiedOrigin } from "../../http/index.ts";
import { storedOwn } from "../../lib/own-credentials.ts";
import type { KnownAccount, KnownAccounts } from "./known-accounts.ts";
import { whole, type Body, type Documents } from "./kept-documents.ts";
import type { Served } from "./served-inbounds.ts";
import { themeOf } from "./page-settings.ts";
import type { Subscriber, SubscriberRow } from "./subscriber.ts";
import { daysLeft, namingOf } from "./naming.ts";
import { profileSettings, type ProfileSettings } from "./profile.ts";
import type { SubscriptionSettings } from "../subscriptions.settings.ts";

/** Formats that can be rendered. */
export const AVAILABLE: ReadonlySet<Format> = new Set<Format>([...ENTRY_FORMAT_NAMES, "html", "info"]);

/** What answers are told of the panel. */
export interface AnsweringPanel extends LinkPlace {
  readonly settings: SubscriptionSettings;
}

export interface AnswerDeps extends AnsweringPanel {
  readonly documents: Documents;
}

export interface SubscriptionAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
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
  /** See `formOf`. */
  readonly form: string;
  /** See `Choice`. */
  readonly previews?: true;
}

/** What a request asks for, and where a proxy says that it was asked. */
export interface AskedFrom extends Asked {
  readonly proxied: ProxiedOrigin | undefined;
}

/** The answer for an account at `now` (Unix seconds). */
export function subscriptionAnswer(
  state: Subscriber,
  served: Served,
  { format, userAgent, further }: Pick<Asked, "format" | "userAgent" | "further">,
  now: number,
  deps: AnswerDeps,
): SubscriptionAnswer {
  const { row, usage } = state;
  const { settings, documents } = deps;
  const status = statusOf(row, usage, now);
  const refusal = isServedStatus(status)
    ? undefined
    : refusalText(status, row.disabledReason, themeOf(settings).language);
  const naming = namingOf(state, settings, now);
  const told = refusal === undefined || settings.get("sub_placeholder") === "false" ? [] : [placeholderEntry(refusal)];
  const own = { ...subscriptionHeaders(profileOf(state, deps), format), ...deviceHeaders(state) };
  const headers = further ? { ...withoutNamed(own, further), ...further } : own;
  if (!isEntryFormat(format)) {
    const entries = refusal === undefined ? serverEntries(row, served, naming) : told;
    return { headers, body: whole(info(state, status, entries)), carriesConfigurations: false };
  }
  const core = coreOf(format, userAgent);
  const body =
    refusal === undefined
      ? documents.of(format, served.of(row), subscriptionUser(row, naming), core)
      : whole(RENDERERS[format](told, core));
  const headed =
    format === "base64" && isShadowrocket(userAgent)
      ? whole(withShadowrocketHead(body.bytes().toString("utf8"), shadowrocketHead(profileOf(state, deps), naming)))
      : body;
  return { headers, body: headed, carriesConfigurations: refusal === undefined };
}

function shadowrocketHead({ title, expiry, announce }: Profile, { figure }: Naming): ShadowrocketHead {
  const expires = expiry === 0 ? undefined : figure("expires");
  return { title, used: figure("used"), total: figure("total"), expires, announce };
}

/**
 * Tells apart clients that get different answers in the same format: by the version of their core, or as Shadowrocket.
 */
export function formOf(format: Format, userAgent: string): string {
  const core = coreOf(format, userAgent);
  if (core) return `${format} ${core.join(".")}`;
  return isShadowrocket(userAgent) ? `${format} shadowrocket` : format;
}

/** An answer ready for the socket, and what it was made of besides its account. */
export interface KeptAnswer extends Omit<SubscriptionAnswer, "headers"> {
  /** See `headOf`. */
  readonly head: readonly string[];
  readonly panel: ProfileSettings;
  readonly version: number;
  readonly status: UserStatus;
  /** Names may say it. */
  readonly days: number | undefined;
  readonly further: Asked["further"];
  /** The body as most of its clients take it, once one of them did. */
  packed?: { readonly encoding: Encoding; readonly bytes: Buffer };
}

/** Bytes of a compressed body that is kept with its account. */
const PACKED_KEPT = 8192;

/**
 * Answers that are kept with their accounts until something that they are made of is another (rule
 * subscriptions.entry.6).
 */
export class KeptAnswers {
  readonly #deps: AnswerDeps;
  readonly #panel: (proxied: ProxiedOrigin | undefined) => ProfileSettings;
  readonly #accounts: Pick<KnownAccounts<KeptAnswer>, "answerOf" | "keep" | "grown">;

  constructor(deps: AnswerDeps, accounts: Pick<KnownAccounts<KeptAnswer>, "answerOf" | "keep" | "grown">) {
    this.#deps = deps;
    this.#panel = profileSettings(deps);
    this.#accounts = accounts;
  }

  /** As `subscriptionAnswer`. */
  of(account: KnownAccount<KeptAnswer>, served: Served, asked: AskedFrom, now: number): KeptAnswer {
    const { row, usage } = account.state;
    const status = statusOf(row, usage, now);
    const panel = this.#panel(asked.proxied);
    const days = daysLeft(account.state, now);
    const { version } = served;
    const { form, further } = asked;
    const kept = this.#accounts.answerOf(account, form);
    const isSame = kept?.panel === panel && kept.version === version && kept.days === days;
    if (isSame && kept.status === status && kept.further === further) return kept;
    const deps = askedBy(this.#deps, asked);
    const { headers, body, carriesConfigurations } = subscriptionAnswer(account.state, served, asked, now, deps);
    const head = headOf(headers);
    const made: KeptAnswer = { head, body, carriesConfigurations, panel, version, days, status, further };
    this.#accounts.keep(account, form, made, HEADERS_SIZE + body.size);
    return made;
  }
}

/** The body in an encoding; undefined where it goes as it is. Of a client that polls it is compressed once. */
export function packedBody(
  answer: KeptAnswer,
  encoding: Encoding,
  accounts: Pick<KnownAccounts<KeptAnswer>, "grown">,
): Buffer | undefined | Promise<Buffer | undefined> {
  if (answer.packed?.encoding === encoding) return answer.packed.bytes;
  const body = answer.body.bytes();
  if (body.length < LEAST_COMPRESSED) return undefined;
  return pack(body, encoding).then((bytes) => {
    if (bytes && bytes.length <= PACKED_KEPT && !answer.packed) {
      answer.packed = { encoding, bytes };
      accounts.grown(answer, bytes.length);
    }
    return bytes;
  });
}

/** What the headers of an answer take, about. */
const HEADERS_SIZE = 1500;

/** Whether an account is served at `now` (Unix seconds). */
export function isServed({ row, usage }: Subscriber, now: number): boolean {
  return isServedStatus(statusOf(row, usage, now));
}

/** What a device is told that may not have the configurations: in the headers on which clients act, in every format. */
export function deviceRefusal(
  state: Subscriber,
  verdict: "full" | "unidentified",
  format: Format,
  deps: AnsweringPanel,
): SubscriptionAnswer {
  const announce = deviceText(verdict, themeOf(deps.settings).language);
  const profile = { ...profileOf(state, deps), announce };
  const { "Content-Disposition": _file, ...headers } = subscriptionHeaders(profile, format);
  // Clients take either name of the limit for a refusal, whatever its value: both stand here and nowhere else.
  const told = verdict === "full" ? ["X-Hwid-Max-Devices-Reached", "X-Hwid-Limit"] : ["X-Hwid-Not-Supported"];
  const refused = Object.fromEntries(told.map((name) => [name, "true"]));
  const named = { ...headers, ...deviceHeaders(state), ...refused };
  return { headers: named, body: whole(""), carriesConfigurations: false };
}

/** Headers without those that a rule sets in their place, in whatever case they are written. */
function withoutNamed(
  headers: Readonly<Record<string, string>>,
  further: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !Object.hasOwn(further, name.toLowerCase())));
}

/** That devices are counted. */
function deviceHeaders({ row: { deviceLimit } }: Subscriber): Readonly<Record<string, string>> {
  return deviceLimit === 0 ? {} : { "X-Hwid-Active": "true" };
}

/** The servers of an account as its subscription lists them while it is served. */
export function serverEntries(row: SubscriberRow, served: Served, naming?: Naming): readonly Entry[] {
  return entriesOf(subscriptionUser(row, naming), served.of(row));
}

/** What entries are made of, of an account. */
export function subscriptionUser({ name, remark, config }: SubscriberRow, naming?: Naming): SubscriptionUser {
  const { uuid, password, ss16, ss32, flow = "" } = config;
  const by = storedOwn(config["by"]);
  return { name, remark, uuid, password, ss16, ss32, flow, by, ...(naming && { naming }) };
}

/** The `info` format: the account's figures for scripts and widgets. */
function info({ row, usage }: Subscriber, status: string, entries: readonly Entry[]): string {
  const links = renderLinks(entries)
    .split("\n")
    .filter((link) => link !== "");
  return JSON.stringify({ status, up: usage.up, down: usage.down, volume: row.volume, expiry: dateOf(row), links });
}

/** A plan that has not started has no date yet. */
function dateOf(row: SubscriberRow): number {
  return hasNotStarted(row) ? 0 : row.expiry;
}

/** What the headers tell of an account. */
export function profileOf({ row, usage }: Subscriber, { settings, publicAddress }: AnsweringPanel): Profile {
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
