// Words of the overview, in Persian.
import type { Typed } from "../language.ts";
import type { overview as english } from "./en.ts";

export const overview: Typed<typeof english> = {
  title: "نمای کلی",
  tiles: {
    users: "کاربران",
    online: "هم‌اکنون آنلاین",
    nodes: "گره‌ها",
    panel: "پنل",
    ending: "پایان تا ۷ روز دیگر",
    spent: "حجم تمام‌شده",
  },
  chooseTiles: "انتخاب کاشی‌ها",
  tileUp: (name) => `بردن ${name} به بالا`,
  tileDown: (name) => `بردن ${name} به پایین`,
  uptime: "روشن",
  ofUsers: (share) => `${share} از همهٔ کاربران`,
  connectedOf: (connected, all) => `${connected} از ${all}`,
  memory: (used) => `حافظه: ${used}`,
  userStatus: {
    active: "فعال",
    pending: "شروع‌نشده",
    limited: "حجم تمام",
    expired: "منقضی",
    disabled: "خاموش",
    reseller: "خاموش به‌سبب نماینده",
  },
  needs: "نیازمند رسیدگی",
  oldestFirst: "قدیمی‌ترین در بالا",
  nothingWaits: "چیزی منتظر شما نیست.",
  allInError: "همهٔ گره‌های دارای خطا",
  quarantine: "در قرنطینه",
  quarantineWhy: "نمودار آن سه بار پیاپی خطا داد؛ کنار گذاشته شده است.",
  quarantineNext: "بررسی و سپس ازسرگیری",
  lately: "آخرین رویدادها",
  allEvents: "همهٔ رویدادها",
  nothingYet: "هنوز رویدادی نبوده است.",
  steps: {
    title: "گام‌های نخست",
    away: "پنهان کردن",
    done: "انجام شد",
    serve: { name: "انتخاب سرویس", text: "یک ورودی و قالبی که آن را در بر دارد.", action: "آغاز" },
    node: { name: "اتصال گره", text: "همین سرور، یا سروری دیگر با یک فرمان.", action: "افزودن گره" },
    user: { name: "ساختن کاربر", text: "تنها یک نام کافی است.", action: "ساختن کاربر" },
    link: { name: "تحویل لینک", text: "وقتی کلاینتی نخستین بار اشتراک را بگیرد، انجام شده است.", action: "کپی لینک" },
  },
};
