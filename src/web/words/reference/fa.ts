// Words of the API's reference, in Persian.
import type { Typed } from "../language.ts";
import type { reference as english } from "./en.ts";

export const reference: Typed<typeof english> = {
  title: "مرجع API",
  lead: "همهٔ عملیات این پنل، از توصیف خودش. درخواست‌ها به /api/v1 می‌روند.",
  search: "جستجو با مسیر، نام یا کاربرد",
  chapters: "بخش‌ها",
  scopes: "دامنه‌ها:",
  parameters: "پارامترها",
  body: "بدنه",
  answers: "پاسخ‌ها",
  events: "رویدادهای وب‌هوک",
  example: "نمونه",
  required: "الزامی",
  fields: "فیلدها",
  nothing: "چیزی پیدا نشد.",
};
