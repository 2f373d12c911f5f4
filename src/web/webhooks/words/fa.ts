// Words of the pages of webhooks, in Persian.
import { own } from "../../words/isolate.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

const digits = new Intl.NumberFormat("fa-IR");

export const page: Typed<typeof english.page> = {
  title: "وب‌هوک‌ها",
  newTitle: "وب‌هوک تازه",
  add: "افزودن وب‌هوک",
  create: "ساختن وب‌هوک",
  count: (_n, shown) => `${shown} وب‌هوک`,
  search: "نام یا نشانی",
  empty: {
    title: "هنوز وب‌هوکی نیست",
    text: "وب‌هوک رویدادهای اینجا را به برنامه‌ای دیگر، مانند فروشگاه یا ربات، خبر می‌دهد.",
  },
  gone: "چنین وب‌هوکی نیست",
  deliveryGone: "چنین ارسالی نیست",
  groups: { where: "مقصد" },
  fields: {
    name: "نام",
    url: "نشانی",
    urlHelp: "هر رویداد به آن فرستاده می‌شود.",
    enabled: "روشن",
    account: "حساب",
    accountHelp: "رویدادها دربارهٔ کاربران این حساب‌اند.",
    ownAccount: "حسابی که آن را ذخیره می‌کند",
    ownOnly: "تنها رویدادهای کاربران حساب خودش",
  },
  events: "رویدادها",
  event: "رویداد",
  everything: "همه",
  someEvents: "رویدادهای برگزیده",
  allOf: (family) => `${family}: همه`,
  eventCount: (n) => `${digits.format(n)} برگزیده`,
  signIt: "امضای ارسال‌ها",
  signed: "امضاشده",
  unsigned: "بی‌امضا",
  state: "وضعیت",
  lastStatus: "آخرین پاسخ",
  lastDelivered: "آخرین تحویل",
  standing: { off: "خاموش", failing: "ناموفق", idle: "هنوز چیزی نفرستاده", ok: "می‌رساند" },
  test: "ارسال آزمایشی",
  isOff: "خاموش است.",
  enable: "روشن کردن",
  disable: "خاموش کردن",
  rotate: "تعویض کلید",
  sign: "امضای ارسال‌ها",
  rotateTitle: (name) => `کلید تازه برای ${own(name)}؟`,
  rotateText: "ارسال‌ها بی‌درنگ با کلید تازه امضا می‌شوند. تا گیرنده آن را نداشته باشد، ردشان می‌کند.",
  signText: "از این پس ارسال‌ها امضا می‌شوند.",
  secretOf: (name) => `کلید ${own(name)}`,
  secretText: "گیرنده با آن امضای هر ارسال را بررسی می‌کند.",
  remove: "حذف",
  removeTitle: (name) => `${own(name)} حذف شود؟`,
  removeText: "ارسال‌هایش هم حذف می‌شوند، حتی آن‌ها که هنوز فرستاده نشده‌اند.",
  settings: "تنظیمات",
  deliveries: "ارسال‌ها",
  states: { pending: "در انتظار", delivered: "تحویل شد", dead: "رها شد" },
  anyState: "همه",
  searchEvents: "نام رویداد",
  answer: "پاسخ",
  attempts: "تلاش‌ها",
  nextTry: "تلاش بعدی",
  raisedAt: "زمان رویداد",
  resend: "ارسال دوباره",
  resendDead: "ارسال دوبارهٔ همهٔ رهاشده‌ها",
  noDeliveries: { title: "هنوز چیزی فرستاده نشده است", text: "ارسال آزمایشی را بزنید یا منتظر نخستین رویداد بمانید." },
  sent: "فرستاده‌شده",
  cameBack: "پاسخ",
  took: "مدت",
  headers: "سرآیندها",
  body: "بدنه",
  noBody: "بدون بدنه.",
  withheld: "نقش شما اجازهٔ دیدن فرستاده و پاسخ را ندارد.",
  failures: {
    status: (status) => `گیرنده با ${status} پاسخ داد`,
    redirect: (status) => `گیرنده با ${status} پاسخ داد: تغییر مسیر دنبال نمی‌شود`,
    no_answer: (seconds) => `تا ${seconds} ثانیه پاسخی نیامد`,
    unknown_name: (host) => `نام ${own(host)} نشانی ندارد`,
    private_target: (host) => `${own(host)} نشانی خصوصی است و این نشانی‌ها مجاز نیستند`,
    plain_http: "فقط https مجاز است",
    connection: (code) => `اتصال برقرار نشد: ${own(code)}`,
    event_gone: "رویداد دیگر نگه‌داری نمی‌شود",
    failed: (text) => own(text),
  },
  done: {
    created: (name) => `${own(name)} ساخته شد`,
    saved: (name) => `${own(name)} ذخیره شد`,
    enabled: (name) => `${own(name)} روشن است`,
    disabled: (name) => `${own(name)} خاموش است`,
    removed: (name) => `${own(name)} حذف شد`,
    tested: (name) => `پیام آزمایشی به ${own(name)} فرستاده می‌شود`,
    resent: (n) => `${digits.format(n)} ارسال دوباره فرستاده می‌شود`,
  },
};

export const titles: Typed<typeof english.titles> = {
  webhooks: "وب‌هوک‌ها",
  newWebhook: "وب‌هوک تازه",
  deliveries: "ارسال‌ها",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  webhook_allow_private: "نشانی‌های خصوصی و ارتباط بی‌رمز مجاز باشد",
};

export const raised: Typed<typeof english.raised> = {
  "panel.ping": "رویداد آزمایشی",
};

export const subjects: Typed<typeof english.subjects> = {
  webhooks: "وب‌هوک",
};

export const actions: Typed<typeof english.actions> = {
  ping: "رویداد آزمایشی فرستاده شد",
  resend: "دوباره تحویل داده شد",
};

export const refusals: Typed<typeof english.refusals> = {
  webhook_off: "وب‌هوک خاموش است.",
};

export const rules: Typed<typeof english.rules> = {
  event_filter: "نام یک رویداد یا خانواده‌ای مانند ‎user.*‎ بنویسید",
};
