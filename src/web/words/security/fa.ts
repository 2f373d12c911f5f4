// Words of the page about who may sign in, in Persian.
import { ltr } from "../isolate.ts";
import type { Words } from "../language.ts";

export const security: Words["security"] = {
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
