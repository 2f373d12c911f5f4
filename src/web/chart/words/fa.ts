// Words about the drawings, in Persian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  drawing: (kind) => `نمودار حالت ${kind}`,
  here: "اکنون اینجاست",
  zoomIn: "بزرگ‌نمایی",
  zoomOut: "کوچک‌نمایی",
  fit: "نمایش همه",
  detail: "نمایش رویدادها و موعدها",
  whole: "نمایش همهٔ حالت‌ها یکجا",
  centre: "نمایش حالت کنونی",
  canvas: "نمودار. برای جابه‌جایی بکشید یا از دو انگشت استفاده کنید؛ کلیدهای مثبت، منفی و صفر اندازه را تغییر می‌دهند.",
  legend: "معنی خط‌ها",
  tones: {
    last: "از این راه آمد",
    takeable: "می‌تواند از این راه برود",
    ghost: "از این راه می‌رفت",
  },
  outline: "فهرست حالت‌ها",
  outdated: "این نمودار مربوط به نسخهٔ دیگری است. حالت‌ها به‌صورت فهرست آمده‌اند.",
  undrawn: "این نمودار کشیده نشده است. حالت‌ها به‌صورت فهرست آمده‌اند.",
  leads: "می‌رود به",
  stays: "می‌ماند",
  anyState: "از هر حالت درونی",
  perMinute: (count) => `${count} در دقیقه`,
};
