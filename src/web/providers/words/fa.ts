// Words of providers, in Persian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  providers: "سرویس‌های ورود",
  newProvider: "سرویس جدید",
};

export const subjects: Typed<typeof english.subjects> = {
  "oidc-providers": "سرویس ورود",
};

export const refusals: Typed<typeof english.refusals> = {
  provider_reach:
    "کسی که این ارائه‌دهنده را تنظیم کرده دسترسی کمتری از این حساب دارد. مدیر اصلی با دسترسی بیشتر باید آن را دوباره ذخیره کند.",
  provider_off: "این ارائه‌دهندهٔ هویت خاموش است.",
};

export const rules: Typed<typeof english.rules> = {
  openid: "محدوده‌ها باید openid را در بر داشته باشند",
  subject_field: "نام یک فیلد مانند id یا data.id بنویسید",
  issuer: "تنها صادرکننده را بنویسید، بدون ‎/.well-known/‎ و پارامتر",
};
