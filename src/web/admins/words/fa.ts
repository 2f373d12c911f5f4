// Words of admins, in Persian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  admins: "اپراتورها",
  newAdmin: "اپراتور جدید",
};

export const families: Typed<typeof english.families> = { admin: "مدیران" };

export const raised: Typed<typeof english.raised> = {
  "admin.login": "وارد شد",
  "admin.login_failed": "ورود پذیرفته نشد",
  "admin.login_new_ip": "از نشانی تازه‌ای وارد شد",
  "admin.2fa_changed": "ورود دومرحله‌ای تغییر کرد",
  "admin.owner_changed": "اکنون مالک پنل است",
};

export const subjects: Typed<typeof english.subjects> = {
  admins: "مدیر",
};

export const actions: Typed<typeof english.actions> = {
  owner: "مالکیت واگذار شد",
};
