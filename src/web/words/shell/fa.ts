// Words of navigation, in Persian.
import type { Typed } from "../language.ts";
import type { shell as english } from "./en.ts";

export const shell: Typed<typeof english> = {
  title: "Signalbox",
  skip: "پرش به محتوا",
  navigation: "صفحه‌ها",
  groups: { overview: "", people: "افراد", network: "شبکه", watch: "پایش", connect: "اتصال", system: "سامانه" },
  more: "بیشتر",
  add: "ایجاد",
  close: "بستن",
  search: "جستجو",
  searchFor: "یافتن صفحه، کاربر، گره یا عملیات",
  found: { pages: "صفحه‌ها", actions: "عملیات", users: "کاربران", nodes: "گره‌ها", actors: "در بازرس" },
  nothingFound: (text) => `چیزی با نام «${text}» پیدا نشد.`,
  searching: "در حال جستجو…",
  searchRefused: "جستجوی کاربران و گره‌ها ممکن نشد.",
  keys: {
    title: "کلیدها",
    onThisPage: "در این صفحه",
    everywhere: "همه‌جا",
    palette: "جستجو و انجام هر کار",
    list: "فهرست کلیدها",
    goTo: (page) => `رفتن به ${page}`,
    close: "بستن لایهٔ رویی",
  },
  link: {
    live: "زنده",
    liveLong: "متصل: هر کاری که پنل می‌کند همان لحظه نمایش داده می‌شود.",
    connecting: "در حال اتصال",
    connectingLong: "در حال اتصال به پنل…",
    paused: "متوقف",
    pausedLong: "تا زمانی که این زبانه پنهان بود متوقف شد.",
    lost: "قطع",
    lostFor: (since) => `قطع از ${since} پیش`,
    lostLong: (since) => `پنل از ${since} پیش در دسترس نیست. دوباره تلاش می‌شود.`,
    off: "غیرزنده",
    offLong: "نقش شما تغییرات زنده را نمی‌بیند؛ صفحه‌ها هنگام مشاهده تازه می‌شوند.",
  },
  account: {
    tiers: { sudo: "مدیر اصلی", admin: "مدیر", resale: "نماینده" },
    menu: "حساب",
    profile: "پروفایل و امنیت",
    language: "زبان",
    theme: "پوسته",
    signOut: "خروج",
  },
  themes: { light: "روشن", dark: "تیره", auto: "مطابق دستگاه" },
  broken: {
    title: "این صفحه از کار افتاد",
    text: "این ایرادی در رابط کاربری است و خود پنل آسیبی ندیده است.",
    again: "بارگذاری دوباره",
    old: "پنل به‌روزرسانی شده است. برای ادامه، صفحه را دوباره بارگذاری کنید.",
  },
  missing: { title: "چنین صفحه‌ای وجود ندارد", text: "این نشانی به جایی نمی‌رسد.", home: "به نمای کلی" },
  barred: {
    title: "نقش شما به این صفحه نمی‌رسد",
    text: (role, scope) =>
      `دسترسی \u2068${scope}\u2069 لازم است که نقش \u2068${role}\u2069 ندارد. مدیر اصلی می‌تواند آن را تغییر دهد.`,
    account: "این صفحه برای کاری است که حساب شما اجازه آن را ندارد. مدیر اصلی می‌تواند آن را تغییر دهد.",
  },
  unreached: { title: "پنل در دسترس نیست", retry: "تلاش دوباره" },
};
