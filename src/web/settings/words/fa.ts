// Words of the settings, in Persian.
import { ltr, own } from "../../words/isolate.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
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
  moves: "پنل دوباره راه‌اندازی می‌شود و از آن پس در نشانی دیگری پاسخ می‌دهد:",
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

export const titles: Typed<typeof english.titles> = {
  settings: "تنظیمات",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  web_domain: "دامنهٔ پنل",
  web_url: "نشانی عمومی پنل",
  web_basepath: "مسیر پایه",
  web_cert_file: "پروندهٔ گواهی",
  web_key_file: "پروندهٔ کلید",
  web_listen_ip: "نشانی شنیدن",
  web_listen_port: "درگاه شنیدن",
  web_tls_mode: "رمزنگاری ارتباط",
  web_tls_min: "کمترین نسخهٔ رمزنگاری",
  web_cert_id: "گواهی در حال استفاده",
  web_masquerade_dir: "پوشهٔ وب‌سایت پوششی",
  acme_directory: "نشانی مرجع گواهی",
  acme_eab_kid: "شناسهٔ کلید حساب گواهی",
  acme_eab_key: "کلید حساب گواهی",
  timezone: "منطقهٔ زمانی",
  update_url: "نشانی به‌روزرسانی",
  update_check: "جستجوی به‌روزرسانی",
  backup_enabled: "پشتیبان‌گیری زمان‌بندی‌شده",
  backup_interval_hours: "فاصلهٔ پشتیبان‌ها (ساعت)",
  backup_dir: "پوشهٔ پشتیبان‌ها",
  backup_keep: "تعداد پشتیبان‌های نگه‌داشته",
  backup_include_history: "همراه تاریخچهٔ مصرف",
  backup_include_audit: "همراه گزارش تغییرها",
};

export const families: Typed<typeof english.families> = { panel: "پنل" };

export const raised: Typed<typeof english.raised> = {
  "panel.started": "پنل آغاز به کار کرد",
  "panel.stopping": "پنل در حال توقف است",
  "panel.crashed": "خطای داخلی پنل",
  "panel.setup_completed": "پنل راه‌اندازی شد",
  "panel.settings_changed": "تنظیمی تغییر کرد",
  "panel.restore_applied": "نسخهٔ پشتیبان بازگردانده شد",
  "panel.backup_done": "نسخهٔ پشتیبان ساخته شد",
  "panel.backup_failed": "پشتیبان‌گیری ناموفق بود",
  "panel.backup_upload_failed": "نسخهٔ پشتیبان بارگذاری نشد",
  "panel.cert_renewed": "گواهی تمدید شد",
  "panel.cert_renew_failed": "گواهی تمدید نشد",
  "panel.cert_expiring": "گواهی به‌زودی منقضی می‌شود",
  "panel.ruleset_refresh_failed": "مجموعه‌قاعده‌ها به‌روز نشدند",
  "panel.update_available": "نسخهٔ تازه‌ای منتشر شده است",
  "panel.license_changed": "لایسنس تغییر کرد",
  "panel.license_expiring": "لایسنس به‌زودی منقضی می‌شود",
  "panel.license_unverified": "لایسنس تأیید نشده است",
  "panel.addon_registered": "افزونه ثبت شد",
  "panel.addon_removed": "افزونه حذف شد",
  "panel.addon_unhealthy": "افزونه پاسخ نمی‌دهد",
  "panel.addon_recovered": "افزونه دوباره پاسخ می‌دهد",
  "panel.addon_update_waiting": "به‌روزرسانی افزونه منتظر تأیید است",
};

export const subjects: Typed<typeof english.subjects> = {
  panel: "پنل",
  settings: "تنظیم",
  setup: "راه‌اندازی",
};

export const actions: Typed<typeof english.actions> = {
  restart: "پنل دوباره آغاز شد",
};
