// Words of domain fronts, in Persian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "فرانت‌ها",
  count: (_count: number, shown: string) => `${shown} فرانت`,
  add: "افزودن فرانت",
  create: "ساخت فرانت",
  gone: "چنین فرانتی نیست",
  search: "نام، دامنه، نشانی یا توضیح",
  none: { title: "هنوز فرانتی نیست", text: "فرانت راه دیگری به ورودی است: از CDN یا پروکسی‌ای جلوی گره." },
  groups: { front: "فرانت", reaches: "کلاینت‌ها چگونه به آن می‌رسند", more: "نشانی کلاینت" },
  fields: {
    name: "نام",
    domain: "دامنه",
    address: "نشانی",
    port: "پورت",
    sni: "نام در TLS",
    path: "مسیر",
    remark: "توضیح",
    enabled: "روشن",
    clientHeader: "سرآیند فرانت",
    inboundIds: "ورودی‌ها",
  },
  help: {
    domain: "آنچه کلاینت‌ها در Host می‌پرسند.",
    address: "جایی که کلاینت‌ها وصل می‌شوند: نشانی‌ای از CDN که مسدود نیست.",
    sni: "آنچه کلاینت‌ها در TLS می‌پرسند.",
    path: "اگر فرانت آن را به مسیر خود ورودی می‌برد.",
    remark: "پایان نام سرور در کلاینت.",
    inboundIds: "فقط ws، httpupgrade، grpc و xhttp بدون REALITY از فرانت می‌گذرند.",
    clientHeader:
      "اگر درخواست آن را داشته باشد، ورودی‌های xhttp نشانی کلاینت را از X-Forwarded-For می‌گیرند. بگذارید فقط فرانت به گره برسد، یا این را خالی بگذارید. تغییر آن اتصال‌های این ورودی‌ها را می‌بندد.",
  },
  asDomain: "همان دامنه",
  usualPort: "۴۴۳",
  ownPath: "مسیر خود ورودی",
  ownName: "همان نام",
  nobody: "به هیچ‌کس اعتماد نمی‌شود",
  states: { on: "روشن", off: "خاموش" },
  state: "وضعیت",
  switchOn: "روشن کردن",
  switchOff: "خاموش کردن",
  switchedOn: (name: string) => `${name} روشن است. کلاینت‌ها با دریافت بعدی آن را می‌گیرند.`,
  switchedOff: (name: string) => `${name} خاموش است. با دریافت بعدی از کلاینت‌ها برداشته می‌شود.`,
  remove: "حذف",
  removeTitle: (name: string) => `${name} حذف شود؟`,
  removeText: (_count: number, shown: string) =>
    `از ${shown} ورودی بیرون می‌رود. با دریافت بعدی از کلاینت‌ها برداشته می‌شود.`,
  removed: (name: string) => `${name} حذف شد.`,
  saved: (name: string) => `${name} ذخیره شد. کلاینت‌ها با دریافت بعدی آن را می‌گیرند.`,
  gives: {
    title: "آنچه کلاینت‌ها می‌گیرند",
    server: "وصل می‌شود به",
    host: "Host",
    tls: "TLS",
    noTls: "ندارد: پورت HTTP ساده",
    path: "مسیر",
    entry: "پایان نام",
    off: "هیچ: فرانت خاموش است.",
    nowhere: "هیچ: هنوز ورودی‌ای ندارد.",
  },
  of: {
    choose: "افزودن فرانت",
    newOne: "فرانت تازه",
    none: "کلاینت‌ها فقط در گره‌ها به این ورودی می‌رسند.",
    order: "کلاینت‌ها برای هر کدام یک سرور می‌گیرند، به همین ترتیب، در کنار گره‌ها.",
    alone: "کلاینت‌ها برای هر کدام یک سرور می‌گیرند، به همین ترتیب، و از گره‌ها هیچ.",
    unfit: "این ورودی اکنون نمی‌تواند پشت فرانت باشد: فرانت‌هایش چیزی نمی‌دهند.",
    most: (most: string) => `حداکثر ${most}.`,
    moveUp: (name: string) => `بالا بردن ${name}`,
    moveDown: (name: string) => `پایین بردن ${name}`,
    take: (name: string) => `برداشتن ${name}`,
    saved: (inbound: string) => `فرانت‌های ${inbound} ذخیره شد.`,
  },
};

export const titles: Typed<typeof english.titles> = {
  fronts: "فرانت‌ها",
  newFront: "فرانت تازه",
};

export const subjects: Typed<typeof english.subjects> = {
  fronts: "فرانت",
};

export const actions: Typed<typeof english.actions> = {
  fronts: "فرانت‌ها انتخاب شدند",
};

export const refusals: Typed<typeof english.refusals> = {
  too_many_fronts: "هر ورودی حداکثر ۲۰ فرانت دارد.",
};
