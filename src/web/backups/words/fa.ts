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
  encrypted: "بایگانی رمزگذاری شده است: عبارت عبور آن لازم است.",
  format: "این بایگانی پنل نیست یا تغییر کرده است.",
  no_admins: "با آنچه در بایگانی است هیچ‌کس نمی‌تواند وارد شود.",
  passphrase: "عبارت عبور بایگانی چیز دیگری است یا بایگانی تغییر کرده است.",
};

export const titles: Typed<typeof english.titles> = {
  backups: "نسخه‌های پشتیبان",
  backup: "نسخهٔ پشتیبان",
  backupFile: "پروندهٔ نسخهٔ پشتیبان",
  backupSchedule: "زمان‌بندی پشتیبان‌گیری",
};
