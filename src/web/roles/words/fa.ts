// Words of roles, in Persian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  roles: "نقش‌ها",
  newRole: "نقش جدید",
};

export const subjects: Typed<typeof english.subjects> = {
  roles: "نقش",
};

export const scopeAreas: Typed<typeof english.scopeAreas> = {
  users: "کاربران",
  nodes: "گره‌ها",
  tunnels: "تونل‌ها",
  templates: "قالب‌ها",
  pool: "ورودی‌ها و خروجی‌ها",
  certificates: "گواهی‌ها",
  settings: "تنظیمات",
  stats: "بازرس و گزارش تغییرات",
  tools: "ابزار کلیدها",
  admins: "اپراتورها و نقش‌ها",
  tokens: "توکن‌ها",
  license: "پروانه",
  backup: "پشتیبان‌ها",
  security: "مسدودی‌ها",
  webhooks: "وب‌هوک‌ها",
  services: "سرویس‌ها",
};
