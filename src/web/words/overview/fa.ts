// Words of the overview, in Persian.
import type { Typed } from "../language.ts";
import type { overview as english } from "./en.ts";

export const overview: Typed<typeof english> = {
  title: "نمای کلی",
  users: "کاربران",
  online: "هم‌اکنون آنلاین",
  nodes: "گره‌ها",
  panel: "پنل",
  uptime: "روشن",
  ofUsers: (share) => `${share} همهٔ کاربران`,
  connectedOf: (connected, all) => `${connected} از ${all}`,
  memory: (used) => `${used} حافظه`,
  userStatus: { active: "فعال", pending: "آغازنشده", limited: "حجم تمام", expired: "منقضی", disabled: "خاموش" },
  needs: "آنچه به کسی نیاز دارد",
  oldestFirst: "کهنه‌ترین نخست",
  nothingWaits: "چیزی منتظر شما نیست.",
  allInError: "همهٔ گره‌های دارای خطا",
  quarantine: "در قرنطینه",
  quarantineWhy: "نمودار آن سه بار پیاپی شکست خورد؛ کنار گذاشته شده است.",
  quarantineNext: "بررسی و سپس ازسرگیری",
  lately: "آخرین رویدادها",
  nothingYet: "هنوز رویدادی نبوده است.",
  steps: {
    title: "گام‌های نخست",
    away: "کنار بگذار",
    done: "انجام شد",
    serve: { name: "بگویید چه سرویسی", text: "یک ورودی و قالبی که آن را در بر دارد.", action: "آغاز" },
    node: { name: "گره‌ای وصل کنید", text: "همین دستگاه، یا دستگاهی دیگر با یک فرمان.", action: "افزودن گره" },
    user: { name: "کاربری بسازید", text: "تنها یک نام کافی است.", action: "ساختن کاربر" },
    link: { name: "پیوند را بدهید", text: "وقتی انجام‌شده است که کلاینتی نخستین بار اشتراک را بگیرد.", action: "رونوشت پیوند" },
  },
};
