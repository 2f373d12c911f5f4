// Words of the settings, in Persian.
import { ltr, own } from "../isolate.ts";
import type { Words } from "../language.ts";

export const settings: Words["settings"] = {
  title: "تنظیمات",
  search: "جستجوی نام یا مقدار",
  allGroups: "همه",
  none: "هیچ تنظیمی پیدا نشد",
  clear: "نمایش همهٔ تنظیمات",
  empty: "خالی",
  on: "روشن",
  off: "خاموش",
  reset: "بازگشت به پیش‌فرض",
  unsaved: "ذخیره نشده",
  pending: "نیازمند راه‌اندازی دوباره",
  atRestart: "پس از راه‌اندازی دوباره اثر می‌کند",
  unused: "هنوز بی‌اثر",
  unusedText: "پنل این مقدار را نگه می‌دارد و هنوز به کار نمی‌برد.",
  mainAdmins: "فقط مدیر اصلی",
  readOnly: "نقش شما تنظیمات را می‌بیند و تغییر نمی‌دهد.",
  secretKept: "مقداری ذخیره است. برای نگه‌داشتن، خالی بگذارید.",
  secretNone: "مقداری ذخیره نیست.",
  restart: "راه‌اندازی دوباره",
  restartTitle: "پنل دوباره راه‌اندازی شود؟",
  restartText: "چند ثانیه در دسترس نیست. گره‌ها و اتصال کاربران ادامه دارد. این صفحه خودش برمی‌گردد.",
  restarting: "پنل دوباره راه‌اندازی می‌شود",
  restarted: "پنل دوباره راه‌اندازی شد",
  elsewhere: "پنل اینجا پاسخ نمی‌دهد. شاید نشانی‌اش عوض شده است:",
  lockTitle: "دسترسی خودتان بسته شود؟",
  lockAnyway: "با این حال ذخیره کن",
  changedMeanwhile: (value: string) =>
    value === ""
      ? "در این میان کس دیگری این را تغییر داده است. برای نگه داشتن مقدار خودتان دوباره ذخیره کنید."
      : `در این میان کس دیگری این را به ${own(value)} تغییر داده است. برای نگه داشتن مقدار خودتان دوباره ذخیره کنید.`,
  default: (value: string) => `پیش‌فرض: ${own(value)}`,
  waiting: (_: number, text: string) => `${text} تنظیم در انتظار راه‌اندازی دوباره`,
  lockOut: (ip: string) => `نشانی شما ${ltr(ip)} در فهرست نیست: از پنل بیرون می‌روید و نمی‌توانید برگردید.`,
  domainOut: (host: string) => `شما با ${ltr(host)} به پنل می‌رسید. بدون مسیر پایه، این نام فقط اشتراک می‌دهد.`,
  saved: (_: number, text: string) => `${text} تنظیم ذخیره شد`,
  groups: {
    general: "کلی",
    web: "پنل و نشانی آن",
    access: "ورود",
    subscriptions: "اشتراک‌ها",
    client_apps: "برنامه‌های کاربران",
    certificates: "گواهی‌ها",
    events: "رویدادها و وب‌هوک‌ها",
    records: "نگهداری داده‌ها",
    alerts: "هشدارها",
    backups: "پشتیبان‌ها",
    updates: "به‌روزرسانی",
  },
  tlsModes: {
    none: "هیچ: پروکسی انجام می‌دهد",
    self_signed: "گواهی خود پنل",
    files: "گواهی از پرونده",
  },
};
