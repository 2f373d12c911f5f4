// Words of the pages of plans, in Persian.
import { own } from "../../words/isolate.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "پلن‌ها",
  add: "پلن جدید",
  create: "ساختن پلن",
  count: (_n, shown) => `${shown} پلن`,
  search: "نام، یادداشت یا گروه",
  noneTitle: "هنوز پلنی نیست",
  noneText: "پلن آن چیزی است که می‌فروشید: حجم، روزها، محدودیت‌ها و سرورها. کاربران با آن ساخته و تمدید می‌شوند.",
  noneGranted: "پلنی به شما داده نشده است.",
  missing: "چنین پلنی نیست",
  untouched: "کاربرانی که با آن ساخته شده‌اند همان‌طور می‌مانند.",
  groups: { plan: "پلن", account: "کاربران جدید" },
  fields: {
    name: "نام",
    desc: "یادداشت",
    days: "روزها",
    onFirstUse: "شروع با اولین استفاده",
    onFirstUseHelp: "زمان با اولین ترافیک آغاز می‌شود.",
    group: "گروه",
    groupHelp: "روی هر کاربر نوشته می‌شود.",
    namePrefix: "پیش از نام",
    nameSuffix: "پس از نام",
  },
  dayCount: (_n, shown) => `${shown} روز`,
  fromFirstUse: (_n, shown) => `${shown} روز از اولین استفاده`,
  allTemplates: "همه",
  newUser: "کاربر جدید",
  copy: "رونوشت",
  copyOf: (name) => `${name} 2`,
  order: "تغییر ترتیب",
  saveOrder: "ذخیرهٔ ترتیب",
  ordered: "ترتیب ذخیره شد",
  moveUp: (name) => `بردن ${own(name)} به بالا`,
  moveDown: (name) => `بردن ${own(name)} به پایین`,
  made: (name) => `پلن ${own(name)} ساخته شد`,
  saved: (name) => `پلن ${own(name)} ذخیره شد`,
  remove: "حذف",
  removeTitle: (name) => `${own(name)} حذف شود؟`,
  removeText: "کاربرانی که با آن ساخته شده‌اند همان‌طور می‌مانند.",
  removed: (name) => `پلن ${own(name)} حذف شد`,
};

export const titles: Typed<typeof english.titles> = {
  plans: "پلن‌ها",
  newPlan: "پلن جدید",
};

export const subjects: Typed<typeof english.subjects> = {
  plans: "پلن",
};

export const refusals: Typed<typeof english.refusals> = {
  plan_needed: "پلنی انتخاب کنید: این حساب تنها پلن می‌فروشد.",
};
