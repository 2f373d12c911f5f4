// Words of deleted users, in Persian.
import { own } from "../../words/isolate.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "کاربران حذف‌شده",
  total: (_, shown) => `${shown} کاربر حذف‌شده`,
  search: "نام، گروه، لینک",
  none: "این اواخر کسی حذف نشده است",
  noneText: "کاربرانی که حذف می‌شوند این‌جا می‌آیند و تا پنل فراموششان نکرده بازگرداندنی‌اند.",
  columns: {
    name: "نام",
    deleted: "حذف",
    by: "به دست",
    until: "می‌ماند تا",
    usage: "مصرف",
    ends: "پایان",
    owner: "مالک",
  },
  panel: "خود پنل",
  restore: "بازگرداندن",
  restoreTitle: (name) => `${own(name)} بازگردانده شود؟`,
  restoreText:
    "لینک، مشخصات ورود، شمارنده‌ها و دستگاه‌هایش را دوباره دارد. سرورها همان دم به آن سرویس می‌دهند، مگر سقف‌هایش خاموش نگهش دارند.",
  ended: (date) => `تاریخش گذشته است: ${date}. خاموش بازمی‌گردد.`,
  usedUp: "حجمش تمام شده است. خاموش بازمی‌گردد.",
  wasOff: "خاموش بود و خاموش می‌ماند.",
  taken: "بعضی از مقدارهایش را حالا کس دیگری دارد. مقدار دیگری بدهید:",
  name: "نام",
  subId: "نام لینک",
  subIdText: "لینک پیشینش حالا از آنِ کس دیگری است.",
  externalId: "شناسهٔ فروشگاه",
  credentials: "مشخصات ورود تازه می‌گیرد: برنامه‌ها باید لینکش را دوباره بگیرند.",
  restored: (name) => `${own(name)} بازگشت`,
  restoredMany: (done, total) => `${done} از ${total} بازگشتند`,
  restoreManyTitle: (n) => `${n} کاربر بازگردانده شوند؟`,
  restoreManyText: "کسانی که نام یا لینکشان را حالا کس دیگری دارد همین‌جا می‌مانند و انتخاب‌شده می‌مانند.",
  refused: (n, reason) => `${n} مورد می‌ماند: ${reason}`,
  forget: "حذف برای همیشه",
  forgetTitle: (name) => `${own(name)} برای همیشه حذف شود؟`,
  forgetText: "پس از آن هیچ‌چیز بازش نمی‌گرداند.",
  forgotten: (name) => `${own(name)} برای همیشه حذف شد`,
  back: "کاربران",
};

export const titles: Typed<typeof english.titles> = {
  deletedUsers: "کاربران حذف‌شده",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  deleted_retention_days: "روزهای نگهداری کاربرهای حذف‌شده",
};

export const actions: Typed<typeof english.actions> = {
  restore: "بازگردانده شد",
  forget: "برای همیشه پاک شد",
};
