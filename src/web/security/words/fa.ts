// Words of the page about who may sign in, in Persian.
import { ltr } from "../../words/isolate.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "امنیت",
  text: "چه کسی نمی‌تواند وارد شود، و تا کی.",
  bans: "نشانی‌های مسدود",
  none: "هیچ نشانی‌ای مسدود نیست",
  noneText: "پنج ورود ناموفق در ده دقیقه، نشانی را پانزده دقیقه مسدود می‌کند.",
  reasons: { "refused sign-ins": "گذرواژه یا کد نادرست", "wrong setup token": "توکن راه‌اندازی نادرست" },
  attempts: (_: number, text: string) => `${text} تلاش`,
  left: "پایان تا",
  lift: "رفع مسدودی",
  liftOf: (ip: string) => `رفع مسدودی ${ltr(ip)}`,
  liftTitle: (ip: string) => `مسدودی ${ltr(ip)} برداشته شود؟`,
  liftText: "این نشانی می‌تواند بی‌درنگ دوباره وارد شود.",
  lifted: (ip: string) => `${ltr(ip)} دوباره می‌تواند وارد شود`,
};

export const titles: Typed<typeof english.titles> = {
  security: "امنیت",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  trusted_proxies: "پروکسی‌های مورد اعتماد",
  login_allowlist: "نشانی‌های مجاز برای ورود",
};

export const raised: Typed<typeof english.raised> = {
  "panel.ip_banned": "نشانی‌ای مسدود شد",
};

export const subjects: Typed<typeof english.subjects> = {
  bans: "مسدودی",
};
