// The page for people, drawn for whoever designs it: of a made-up account, by the theme and the apps that were sent
// (rule subscriptions.page.11).
import type { UserStatus } from "../../accounts/index.ts";
import { route, type Route } from "../../http/index.ts";
import { DEFAULT_APPS } from "../page/apps.ts";
import { renderPage } from "../page/page.ts";
import { DEFAULT_THEME } from "../page/theme.ts";
import type { PageAccount } from "../page/view.ts";
import { SubPageTrial, SubPageTrialAnswer } from "./page-trial.schema.ts";
import type { SubscriptionSettings } from "../subscriptions.settings.ts";

export interface PageTrialDeps {
  readonly settings: SubscriptionSettings;
  readonly now: () => number;
}

const GIB = 1024 ** 3;
const DAY = 86_400;

export function pageTrialRoute({ settings, now }: PageTrialDeps): Route {
  return route({
    method: "POST",
    path: "/sub/page/test",
    scope: "settings:read",
    tiers: ["sudo", "admin"],
    summary: "The page that subscribers see, as it would look",
    description:
      "Of an account that does not exist. Nothing is stored. The answer names the theme and apps it is made of.",
    body: SubPageTrial,
    answer: SubPageTrialAnswer,
    statuses: [400],
    handle: ({ body: { theme = DEFAULT_THEME, apps = [...DEFAULT_APPS], language, platform, status } }) => {
      const at = now();
      const { body } = renderPage({
        account: sample(status, at),
        url: "https://sub.example.com/sub/9mWqz2VtLr7KxPbN",
        servers: theme.servers ? [{ name: "Finland", link: "vless://00000000@fi.example.com:443#Finland" }] : [],
        devices: [],
        forgetAt: "",
        qrOf: undefined,
        language,
        platform,
        theme,
        apps,
        title: settings.get("sub_title"),
        announce: settings.get("sub_announce"),
        supportUrl: settings.get("sub_support_url"),
        now: at,
        timeZone: settings.get("timezone"),
        query: "",
      });
      return { html: body, theme, apps };
    },
  });
}

function sample(status: UserStatus, now: number): PageAccount {
  const used = status === "pending" ? 0 : status === "limited" ? 50 * GIB : 12.4 * GIB;
  return {
    name: "sample",
    status,
    reason: "manual",
    up: 0,
    down: used,
    volume: 50 * GIB,
    expiry: status === "pending" ? 0 : now + (status === "expired" ? -2 : 23) * DAY + 60,
    lasts: status === "pending" ? 30 * DAY : 0,
    nextReset: 0,
    deviceLimit: 0,
  };
}
