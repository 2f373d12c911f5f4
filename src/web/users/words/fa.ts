// Words of users, in Persian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export { page } from "./page/fa.ts";

export const titles: Typed<typeof english.titles> = {
  users: "کاربران",
  newUser: "کاربر تازه",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  alert_user_volume_percent: "هشدار مصرف حجم (درصد)",
  alert_user_expiry_days: "روزهای مانده به انقضا",
};

export const families: Typed<typeof english.families> = { user: "کاربران" };

export const raised: Typed<typeof english.raised> = {
  "user.created": "حساب ساخته شد",
  "user.updated": "تغییر کرد",
  "user.deleted": "حساب حذف شد",
  "user.restored": "حساب حذف‌شده بازگردانده شد",
  "user.enabled": "پنل آن را دوباره روشن کرد",
  "user.disabled": "پنل آن را خاموش کرد",
  "user.suspended": "کسی آن را خاموش کرد",
  "user.resumed": "کسی آن را روشن کرد",
  "user.quota_reached": "ترافیک تمام شد: حجم خودش یا سهمیهٔ نماینده‌اش",
  "user.expired": "تاریخ گذشت: تاریخ خودش یا نماینده‌اش",
  "user.quota_warning": "حجم رو به پایان است",
  "user.expiring": "به‌زودی منقضی می‌شود",
  "user.renewed": "تمدید شد",
  "user.activated": "پلن آغاز شد",
  "user.first_fetch": "لینک نخستین بار دریافت شد",
  "user.device_limit_reached": "دستگاهی رد شد: سقف پر است",
};

export const raisedFor: Typed<typeof english.raisedFor> = {
  "user.disabled": {
    volume: "پنل خاموشش کرد: حجمش تمام شده است",
    expiry: "پنل خاموشش کرد: تاریخش گذشته است",
    "resale-volume": "پنل خاموشش کرد: سهمیهٔ نماینده‌اش تمام شده است",
    "resale-expiry": "پنل خاموشش کرد: حساب نماینده‌اش پایان یافته است",
  },
  "user.quota_reached": { volume: "حجمش تمام شده است", "resale-volume": "سهمیهٔ نماینده‌اش تمام شده است" },
  "user.expired": { expiry: "تاریخش گذشته است", "resale-expiry": "حساب نماینده‌اش پایان یافته است" },
};

export const subjects: Typed<typeof english.subjects> = {
  users: "کاربر",
};

export const actions: Typed<typeof english.actions> = {
  renew: "تمدید شد",
  extend: "افزایش یافت",
  "reset-usage": "مصرف صفر شد",
  "sub.rotate": "لینک اشتراک عوض شد",
  "device.delete": "دستگاه فراموش شد",
  batch: "همراه با دیگران تغییر کرد",
  "connections.close": "اتصال‌ها بسته شد",
};

export const refusals: Typed<typeof english.refusals> = {
  nothing_to_extend: "پایانی ندارد که بتوان عقب انداخت: نخست پایانی برایش بگذارید.",
  nothing_to_renew: "چیزی برای تمدید نیست: نخست پایان یا حجمی برایش بگذارید، یا با روز یا پلن تمدیدش کنید.",
  no_term: "معلوم نیست برای چه مدتی فروخته شده است. با روز یا پلن تمدیدش کنید؛ از آن پس دوره‌اش همان است.",
};

export const actors: Typed<typeof english.actors> = {
  user: {
    name: "کاربران",
    states: {
      enabled: "این حساب قابل استفاده است.",
      "enabled.deciding": "سقف‌ها بررسی می‌شوند؛ در همان گام تمام می‌شود.",
      "enabled.waiting": "زمان پلن هنوز آغاز نشده است: با نخستین ترافیک آغاز می‌شود.",
      "enabled.started": "حساب در حال استفاده و درون سقف‌های خود است.",
      disabled: "حساب قابل استفاده نیست: کسی، سقف‌های خودش یا نماینده‌اش آن را خاموش نگه داشته است.",
      "disabled.manual": "کسی حساب را خاموش کرده است؛ پنل هرگز خودش روشنش نمی‌کند.",
      "disabled.deciding": "بررسی می‌شود که چه چیزی حساب را خاموش نگه می‌دارد؛ در همان گام پایان می‌یابد.",
      "disabled.volume": "حجم حساب تمام شده است؛ با صفر شدن مصرف، تمدید یا حجم بیشتر برمی‌گردد.",
      "disabled.expiry": "تاریخ حساب گذشته است؛ با تمدید یا تاریخی دیرتر برمی‌گردد.",
      "disabled.resaleVolume": "نمایندهٔ صاحب حساب سهمیهٔ خود را تمام کرده است.",
      "disabled.resaleExpiry": "حساب نمایندهٔ صاحب آن منقضی شده است.",
    },
    events: {
      due: "به سقف یا تاریخی رسید",
      edited: "سقف‌ها تغییر کرد",
      extended: "حجم یا زمان افزوده شد",
      renewed: "تمدید شد",
      switchOff: "خاموش شد",
      switchOn: "روشن شد",
      usageReset: "مصرف صفر شد",
    },
    dues: {
      "disabled.volume": "به سقف حجم رسید",
      "disabled.expiry": "به تاریخ پایان رسید",
      "disabled.resaleVolume": "سهم نماینده تمام شد",
      "disabled.resaleExpiry": "حساب نماینده پایان یافت",
    },
    deadlines: {},
    effects: {},
    guards: {
      startsOff: "خاموش ساخته شده",
      resetDue: "زمان صفر شدن مصرف رسیده",
      hasTraffic: "ترافیک داشته",
      notStarted: "پلن آغاز نشده",
      expired: "تاریخ پایان گذشته",
      limited: "حجم تمام شده",
      limitedUnwarned: "حجم پیش از هشدار تمام شد",
      quotaFar: "مصرف دوباره از مرز هشدار دور است",
      quotaNear: "مصرف به مرز هشدار حجم رسیده",
      dateNear: "بازهٔ هشدار پیش از تاریخ پایان آغاز شده",
      resaleVolume: "سهم نماینده تمام شده",
      resaleExpiry: "حساب نماینده پایان یافته",
      resetDueWhileOpen: "موعد صفر شدن مصرف است، مهلتش نگذشته و نماینده‌اش اجازه می‌دهد",
      withinLimits: "به هیچ سقفی نرسیده",
    },
  },
};
