// The page for people, of an account and a visitor: what the panel knows, as the page takes it.
import {
  hasNotStarted,
  importLinksOf,
  publicSubPath,
  statusOf,
  subUrlOf,
  type Device,
  type DeviceHandles,
  type LinkPlace,
} from "../../accounts/index.ts";
import { encodedAs, encodingFor, pack } from "../../http/index.ts";
import { oneLine } from "../../lib/one-line.ts";
import { subscriptionHeaders } from "../documents/headers.ts";
import { renderLinks } from "../documents/share-links.ts";
import type { Entry } from "../documents/model.ts";
import { DEFAULT_APPS, SubApps, withEncrypted, type SubApp } from "../page/apps.ts";
import { chooseLanguage } from "../page/language.ts";
import { renderPage, renderPreview } from "../page/page.ts";
import { platformOf } from "../page/platform.ts";
import { shownState } from "../page/state.ts";
import type { PageDevice, PageServer, PageView } from "../page/view.ts";
import { keptSetting, themeOf } from "./page-settings.ts";
import { profileOf } from "./answers.ts";
import type { Subscriber } from "./subscriber.ts";
import type { SubscriptionSettings } from "../subscriptions.settings.ts";

/** What a browser says of its person. */
export interface Visitor {
  readonly userAgent: string;
  readonly acceptLanguage: string;
  /** The query of the address, without `?`. */
  readonly query: string;
}

/** What the page shows of an account besides its own rows. */
export interface Shown {
  readonly entries: () => readonly Entry[];
  readonly devices: readonly PageDevice[];
}

/** Devices as the page may show them: without their ids, with which the link would pass as any of them. */
export function shownDevices(devices: readonly Device[], userId: number, handles: DeviceHandles): PageDevice[] {
  return devices.map(({ hwid, model, platform, userAgent, lastSeenAt }) => ({
    handle: handles.of(userId, hwid),
    model,
    platform,
    userAgent,
    lastSeenAt,
  }));
}

export interface PageDeps extends LinkPlace {
  readonly settings: SubscriptionSettings;
}

export interface PageAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer with the page. `entries` are asked for only if they are shown. It hands no configuration to a client. */
export function subscriptionPage(
  state: Subscriber,
  shown: Shown,
  visitor: Visitor,
  now: number,
  deps: PageDeps,
): PageAnswer {
  const { body, policy } = renderPage(viewOf(state, shown, visitor, now, deps));
  const headers = { ...subscriptionHeaders(profileOf(state, deps), "html"), "Content-Security-Policy": policy };
  return { headers, body };
}

/** The page for programs that look at links for others: what the operator says to everybody, and nothing else. */
export function linkPreview(settings: SubscriptionSettings): PageAnswer {
  const { body, policy } = renderPreview(themeOf(settings), {
    title: settings.get("sub_title"),
    announce: settings.get("sub_announce"),
  });
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": policy,
  };
  return { headers, body };
}

/**
 * The page as it goes over the wire: a quarter of its size for a browser that unpacks it. Nothing that a stranger says
 * is in the page, so nobody learns the link from its length.
 */
export async function packed(
  { headers, body }: PageAnswer,
  acceptEncoding: string,
): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: string | Buffer }> {
  const encoding = encodingFor(acceptEncoding);
  const bytes = encoding && (await pack(body, encoding));
  return encoding && bytes ? { headers: { ...headers, ...encodedAs(encoding) }, body: bytes } : { headers, body };
}

function viewOf(
  { row, usage }: Subscriber,
  { entries, devices }: Shown,
  visitor: Visitor,
  now: number,
  { settings, publicAddress }: PageDeps,
): PageView {
  const status = statusOf(row, usage, now);
  const { served } = shownState(status, row.disabledReason);
  const theme = themeOf(settings);
  const query = new URLSearchParams(visitor.query);
  const qr = /^\d{1,4}$/.exec(query.get("qr") ?? "");
  return {
    account: {
      name: row.name,
      status,
      reason: row.disabledReason,
      up: usage.up,
      down: usage.down,
      volume: row.volume,
      expiry: hasNotStarted(row) ? 0 : row.expiry,
      lasts: hasNotStarted(row) ? row.duration : 0,
      nextReset: row.nextReset,
      deviceLimit: row.deviceLimit,
    },
    url: subUrlOf(row, settings, publicAddress()),
    devices,
    forgetAt:
      settings.get("sub_device_self_service") === "true"
        ? `${publicSubPath(settings)}/${encodeURIComponent(row.subId)}/devices/`
        : "",
    // A limit of devices would mean nothing if each server could be taken from here (rule subscriptions.page.6).
    servers: served && theme.servers && row.deviceLimit === 0 ? serversOf(entries()) : [],
    qrOf: qr ? Number(qr[0]) : undefined,
    language: chooseLanguage(query.get("lang") ?? "", visitor.acceptLanguage, theme.language),
    platform: platformOf(visitor.userAgent),
    theme,
    apps: withEncrypted(
      keptSetting<readonly SubApp[]>(settings.get("sub_apps"), SubApps, DEFAULT_APPS),
      importLinksOf(row, settings, publicAddress()),
    ),
    title: settings.get("sub_title"),
    announce: settings.get("sub_announce"),
    supportUrl: settings.get("sub_support_url"),
    now,
    timeZone: settings.get("timezone"),
    query: query.get("format") === null ? "" : "format=html&",
  };
}

function serversOf(entries: readonly Entry[]): PageServer[] {
  return entries.flatMap((entry) => {
    const link = renderLinks([entry]).trim();
    return link === "" ? [] : [{ name: oneLine(entry.name), link }];
  });
}
