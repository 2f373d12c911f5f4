// Words of backups, in Persian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export { page } from "./page/fa.ts";

export const settingLabels: Typed<typeof english.settingLabels> = {
  backup_rehearse: "آزمودن هر پشتیبان زمان‌بندی‌شده",
};

export const subjects: Typed<typeof english.subjects> = {
  backups: "پشتیبان",
};

export const actions: Typed<typeof english.actions> = {
  download: "بارگیری شد",
};

export const refusals: Typed<typeof english.refusals> = {
  busy: "بازگردانی دیگری در حال انجام است. تا پایان آن صبر کنید.",
  encrypted: "بایگانی رمزگذاری شده است: عبارت عبور آن لازم است.",
  format: "این بایگانی پنل نیست یا تغییر کرده است.",
  no_admins: "با آنچه در بایگانی است هیچ‌کس نمی‌تواند وارد شود.",
  passphrase: "عبارت عبور بایگانی چیز دیگری است یا بایگانی تغییر کرده است.",
};

export const actors: Typed<typeof english.actors> = {
  restore: {
    name: "بازگردانی‌ها",
    states: {
      snapshotting: "از آنچه اکنون هست بایگانی ساخته می‌شود.",
      building: "بایگانی بررسی می‌شود و از آن پایگاه دادهٔ تازه‌ای کنار پایگاه کنونی ساخته می‌شود.",
      exchanging: "به گره‌هایی که در بایگانی نیستند گفته می‌شود بایستند و پایگاه‌ها جابه‌جا می‌شوند.",
      staged: "پایگاه دادهٔ تازه آماده است؛ شروع بعدی پنل آن را جایگزین می‌کند.",
      applied: "پنل با آنچه در بایگانی بود کار می‌کند.",
      failed: "بازگردانی رها شد؛ همه چیز مانند پیش است.",
    },
    events: {},
    dues: {},
    deadlines: {
      snapshotDeadline: "بایگانی وضع کنونی به‌موقع ساخته نشد",
      buildDeadline: "پایگاه دادهٔ تازه به‌موقع ساخته نشد",
      exchangeDeadline: "پایگاه‌ها به‌موقع جابه‌جا نشدند",
    },
    effects: {
      snapshot: "بایگانی وضع کنونی",
      build: "پایگاه دادهٔ تازه",
      exchange: "جابه‌جایی",
    },
    guards: {
      isRefusal: "بایگانی پذیرفته نشد",
      isApplied: "جابه‌جایی انجام شده بود",
    },
  },
};

export const titles: Typed<typeof english.titles> = {
  backups: "نسخه‌های پشتیبان",
  backup: "نسخهٔ پشتیبان",
  backupFile: "پروندهٔ نسخهٔ پشتیبان",
  backupSchedule: "زمان‌بندی پشتیبان‌گیری",
};
