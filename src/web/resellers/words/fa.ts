// Words of resellers, in Persian.
import type { Typed } from "../../words/language.ts";
import { own } from "../../words/isolate.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "نماینده‌ها",
  count: (_n, shown) => `${shown} نماینده`,
  search: "نام",
  add: "نمایندهٔ جدید",
  noneTitle: "نماینده‌ای نیست",
  noneText: "نماینده به پنل وارد می‌شود، کاربران خودش را می‌فروشد و سهمیه‌ای دارد که میان آن‌ها مشترک است.",
  missing: "چنین نماینده‌ای نیست",
  missingText: "شاید حذف شده یا اکنون اپراتور باشد.",
  states: {
    open: "باز",
    closing: "در حال بسته شدن",
    opening: "در حال باز شدن",
    closed: { volume: "بسته: سهمیه", expiry: "بسته: تاریخ" },
  },
  filters: { all: "همه", open: "باز", closing: "در حال بسته شدن", closed: "بسته", opening: "در حال باز شدن" },
  columns: {
    name: "نام",
    state: "وضعیت",
    allowance: "سهمیه",
    users: "کاربران",
    period: "از نو آغاز می‌شود",
    nextReset: "دورهٔ بعدی",
    ends: "پایان",
    lastLogin: "آخرین ورود",
  },
  tabs: { overview: "نمای کلی", accounts: "کاربران" },
  explained: {
    open: "به کاربرانش سرویس داده می‌شود.",
    closing: "هیچ گره‌ای دیگر به کاربرانش سرویس نمی‌دهد. رکوردهایشان یکی‌یکی خاموش می‌شوند.",
    opening: "دوباره به کاربرانش سرویس داده می‌شود. رکوردهایشان یکی‌یکی روشن می‌شوند.",
    volume: "سهمیه تمام شده است: هیچ گره‌ای به کاربرانش سرویس نمی‌دهد. سهمیهٔ بیشتر یا دورهٔ بعدی آن را باز می‌کند.",
    expiry: "تاریخش گذشته است: هیچ گره‌ای به کاربرانش سرویس نمی‌دهد. تاریخی دیرتر آن را باز می‌کند.",
  },
  limits: "سقف‌ها",
  userLimit: "بیشترین تعداد کاربر",
  sells: "می‌فروشد",
  sellsAll: "هر چه بخواهد",
  sellsPlans: (plans) => `فقط این پلن‌ها: ${own(plans)}`,
  sellsNothing: "هنوز پلنی ندارد: نمی‌تواند کاربر بسازد",
  readOnly: "فقط کاربرانش را می‌بیند",
  since: "آغاز دوره",
  edit: "ویرایش",
  operator: "ورود و اختیاراتش",
  hisUsers: "کاربرانش در فهرست",
  chart: "نمودار حالتش",
  noUsersTitle: "کاربری ندارد",
  noUsersText: "کاربران با ساخته شدن به دست او یا با انتقال به او این‌جا می‌آیند.",
  moveAll: "انتقال همهٔ کاربران",
  moveAllTitle: (name) => `همهٔ کاربران ${own(name)} منتقل شوند؟`,
  moveAllNone: "کاربری ندارد",
  closedOwner: (name) => `${own(name)} (بسته)`,
};

export const titles: Typed<typeof english.titles> = {
  resellers: "نماینده‌ها",
};

export const raised: Typed<typeof english.raised> = {
  "admin.resale_cap_reached": "نماینده به سقف رسید",
};

export const refusals: Typed<typeof english.refusals> = {
  reseller_closed: "سهمیهٔ نماینده تمام شده است: تا باز شدن دوباره حساب تازه‌ای نمی‌پذیرد.",
};

export const rules: Typed<typeof english.rules> = {
  reseller: "یک نماینده انتخاب کنید",
};

export const actors: Typed<typeof english.actors> = {
  reseller: {
    name: "نماینده‌ها",
    states: {
      deciding: "حدها بررسی می‌شوند؛ در همان گام پایان می‌یابد.",
      open: "حساب‌های نماینده می‌توانند سرویس بگیرند.",
      closing: "هیچ گره‌ای دیگر به حساب‌های نماینده سرویس نمی‌دهد؛ رکوردهایشان دارد خاموش می‌شود.",
      closed: "حساب‌های نماینده خاموش‌اند.",
      "closed.volume": "سهمیه تمام شده است؛ دورهٔ تازه یا سهمیهٔ بیشتر آن را باز می‌کند.",
      "closed.expiry": "تاریخ نماینده گذشته است؛ تاریخ دیرتر آن را باز می‌کند.",
      opening: "حساب‌های نماینده دوباره می‌توانند سرویس بگیرند؛ رکوردهایشان دارد روشن می‌شود.",
    },
    events: {
      due: "موعد سهمیه، تاریخ یا دوره رسید",
      edited: "حدها یا نقش عوض شد",
      followed: "همهٔ حساب‌ها همراه شدند",
    },
    dues: {
      closing: "سهمیه یا تاریخ به پایان رسید",
      opening: "دورهٔ تازه آغاز شد",
    },
    deadlines: {
      stall: "همراه شدن حساب‌ها طول کشید",
    },
    effects: {
      follow: "همراه شدن حساب‌ها",
    },
    guards: {
      periodOver: "دوره تمام شده است",
      expiresUntold: "تاریخ گذشته و کسی خبردار نشده است",
      spentUntold: "سهمیه تمام شده و کسی خبردار نشده است",
      ends: "حد دیگری به پایان رسیده است",
      mayServe: "هیچ حدی به پایان نرسیده است",
      closesStill: "هنوز حساب‌هایی برای خاموش شدن مانده‌اند",
      opensStill: "هنوز حساب‌هایی برای روشن شدن مانده‌اند",
      isSpent: "سهمیه تمام شده است",
      isExpired: "تاریخ گذشته است",
      closesBySpending: "برای سهمیه بسته می‌شود",
    },
  },
};
