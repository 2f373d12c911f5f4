// Words of the overview, in Persian.
import { own } from "../../words/isolate.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  nodeStatus: { connected: "متصل", connecting: "در حال اتصال", error: "خطا", disabled: "خاموش" },
  title: "نمای کلی",
  tiles: {
    users: "کاربران",
    online: "هم‌اکنون آنلاین",
    nodes: "گره‌ها",
    panel: "پنل",
    ending: "پایان تا ۷ روز دیگر",
    spent: "حجم تمام‌شده",
  },
  proxy: {
    title: "به یک پروکسی اعتماد نشده است",
    text: (address) =>
      `درخواست‌ها از ${own(address)} می‌رسند که می‌گوید برای چه کسی می‌پرسد و پذیرفته نمی‌شود. اگر این پروکسی از آن شماست، آن را به پروکسی‌های مورد اعتماد بیفزایید: تا آن زمان همهٔ بازدیدکنندگان یک نشانی به شمار می‌آیند و یک سقف مشترک دارند.`,
    open: "پروکسی‌های مورد اعتماد",
  },
  closed: {
    title: "به یک نشانی گوش داده نمی‌شود",
    text: (places) =>
      `اشتراک‌ها باید روی ${own(places)} پاسخ داده شوند، اما این پنل نمی‌تواند آنجا گوش دهد. خودش دوباره تلاش می‌کند: ببینید کدام برنامه درگاه را گرفته است، یا تنظیم را تغییر دهید.`,
    open: "نشانی‌های دیگر",
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
  allowance: {
    title: "سهمیهٔ شما",
    left: "مانده",
    nextReset: "آغاز دوباره",
    ends: "پایان حساب شما",
    users: "کاربران",
    spent: "سهمیهٔ شما تمام شده است: هیچ گره‌ای به کاربرانتان سرویس نمی‌دهد. سهمیهٔ بیشتری بخواهید.",
    spentUntil: (date) => `سهمیهٔ شما تمام شده است: تا آغاز دوباره در ${date} هیچ گره‌ای به کاربرانتان سرویس نمی‌دهد.`,
    ended: (date) => `حساب شما در ${date} پایان یافت: هیچ گره‌ای به کاربرانتان سرویس نمی‌دهد.`,
  },
  figures: {
    traffic: "ترافیک هر گره",
    topUsers: "پرمصرف‌ترین کاربران",
    growth: "رفت‌وآمد کاربران",
    ends: "پایان‌های پیش رو",
    range: "بازه",
    ranges: { "24h": "۲۴ ساعت", "7d": "۷ روز", "30d": "۳۰ روز", "90d": "۹۰ روز" },
    before: (share) => `${share} نسبت به بازهٔ پیش`,
    comparison: "در مقایسه با بازهٔ پیش",
    more: "بیشتر",
    less: "کمتر",
    rest: (_, text, bytes) => `${text} مورد دیگر: ${bytes}`,
    noTraffic: "از ترافیک این بازه چیزی دانسته نیست.",
    same: "مانند پیش",
    perHour: "ساعت به ساعت",
    perDay: "روز به روز",
    deeds: {
      created: "ساخته‌شده",
      renewed: "تمدیدشده",
      expired: "منقضی",
      limited: "حجم تمام",
      deleted: "حذف‌شده",
    },
    notCounted: "شمارش تازه آغاز شده است.",
    endsWeek: "تا ۷ روز دیگر",
    endsMonth: "تا ۳۰ روز دیگر",
    noEnds: "تا ۳۰ روز دیگر زمان کسی به پایان نمی‌رسد.",
  },
  steps: {
    title: "گام‌های نخست",
    away: "پنهان کردن",
    done: "انجام شد",
    begun: (name) => `${own(name)} هنوز متصل نیست.`,
    seeBegun: "دیدن علت",
    serve: { name: "انتخاب سرویس", text: "یک ورودی و قالبی که آن را در بر دارد.", action: "آغاز" },
    node: { name: "اتصال گره", text: "همین سرور، یا سروری دیگر با یک فرمان.", action: "افزودن گره" },
    user: { name: "ساختن کاربر", text: "تنها یک نام کافی است.", action: "ساختن کاربر" },
    link: { name: "تحویل لینک", text: "وقتی کلاینتی نخستین بار اشتراک را بگیرد، انجام شده است.", action: "کپی لینک" },
  },
};

export const titles: Typed<typeof english.titles> = {
  overview: "نمای کلی",
};

export const actions: Typed<typeof english.actions> = {
  dashboard: "چیدمان نمای کلی عوض شد",
};

export const rules: Typed<typeof english.rules> = {
  tiles: "حداکثر ۶۴ نام از a-z و 0-9 و - به کار ببرید",
};
