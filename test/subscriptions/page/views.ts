// Views of the page for tests: an account in any state.
import { DEFAULT_APPS } from "../../../src/subscriptions/page/apps.ts";
import { DEFAULT_THEME } from "../../../src/subscriptions/page/theme.ts";
import type { PageAccount, PageView } from "../../../src/subscriptions/page/view.ts";

/** 2026-03-10 12:00:00 UTC. */
export const NOW = Date.UTC(2026, 2, 10, 12) / 1000;
export const DAY = 86_400;
export const GIB = 1024 ** 3;

export function view(account: Partial<PageAccount> = {}, more: Partial<PageView> = {}): PageView {
  return {
    account: {
      name: "ali",
      status: "active",
      reason: "",
      up: 2 * GIB,
      down: 10.4 * GIB,
      volume: 50 * GIB,
      expiry: NOW + 23 * DAY + 100,
      lasts: 0,
      nextReset: 0,
      deviceLimit: 0,
      ...account,
    },
    url: "https://panel.example/sub/5PpVbWkq0aTzL3xR",
    servers: [],
    devices: [],
    forgetAt: "",
    qrOf: undefined,
    language: "en",
    platform: "ios",
    theme: DEFAULT_THEME,
    apps: DEFAULT_APPS,
    title: "",
    announce: "",
    supportUrl: "",
    now: NOW,
    timeZone: "UTC",
    query: "",
    ...more,
  };
}
