// Words of the audit log, in Persian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "گزارش تغییرها",
  count: (_: number, text: string) => `${text} تغییر`,
  search: "جستجوی شخص، رکورد یا کار",
  who: "چه کسی",
  what: "چه چیزی",
  deed: "چه کرد",
  when: "کی",
  how: "از چه راهی",
  token: "توکن",
  address: "نشانی",
  record: "رکورد",
  onlyRecord: "رکورد",
  anyRecord: "تغییرهای همهٔ رکوردها",
  allOfRecord: "همهٔ تغییرهای این رکورد",
  happened: "چه شد",
  changes: "پیش و پس",
  noDetail: "این تغییر فیلدی ندارد.",
  missing: "چنین تغییری نیست",
  missingText: "شاید از زمان نگهداری گزارش قدیمی‌تر است.",
  none: "هنوز چیزی تغییر نکرده است",
  noneText: "هر تغییری که شخص، توکن یا خط فرمان بدهد اینجا دیده می‌شود.",
  spans: { hour: "یک ساعت گذشته", day: "۲۴ ساعت گذشته", week: "۷ روز گذشته", month: "۳۰ روز گذشته" },
  via: { session: "در مرورگر", token: "با توکن", cli: "در خط فرمان", system: "خود پنل" },
};

export const titles: Typed<typeof english.titles> = {
  audit: "گزارش تغییرها",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  changes_logging: "ثبت گزارش تغییرها",
  changes_retention_days: "روزهای نگهداری گزارش تغییرها",
};

export const subjects: Typed<typeof english.subjects> = {
  changes: "گزارش تغییرها",
};

export const actions: Typed<typeof english.actions> = {
  create: "ساخته شد",
  update: "تغییر کرد",
  delete: "حذف شد",
  enable: "روشن شد",
  disable: "خاموش شد",
  order: "ترتیب عوض شد",
};
