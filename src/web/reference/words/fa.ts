// Words of the API's reference, in Persian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
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

export const titles: Typed<typeof english.titles> = {
  reference: "مرجع API",
};
