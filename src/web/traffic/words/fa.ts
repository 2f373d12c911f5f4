// Words of traffic over time and of reports, in Persian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "گزارش‌ها",
  lead: "چه کسی و چه چیزی چقدر مصرف کرده است؛ سنگین‌ترین‌ها نخست.",
  groupBy: "گروه‌بندی بر پایهٔ",
  groups: { user: "کاربران", node: "گره‌ها", admin: "اپراتورها" },
  kinds: { user: "کاربر", node: "گره", admin: "اپراتور" },
  plots: { user: "ترافیک هر کاربر", node: "ترافیک هر گره", admin: "ترافیک هر اپراتور" },
  download: "همهٔ ردیف‌ها در یک فایل",
  down: "دریافت",
  up: "ارسال",
  sum: "جمع",
  share: "سهم",
  deleted: (id) => `حذف شده، شمارهٔ ${id}`,
  others: (_n, shown) => `${shown} مورد دیگر`,
  drawn: (_n, shown) => `${shown} مورد سنگین‌تر رسم شده است.`,
  days: "روزها بر پایهٔ منطقهٔ زمانی",
  hours: "ساعت‌ها بر پایهٔ منطقهٔ زمانی",
  raw: "حجم واقعی، بدون ضریب.",
  none: "از این بازه چیزی دانسته نیست",
  noneText: "بازهٔ دیگری برگزینید یا صبر کنید تا ترافیکی جابه‌جا شود.",
};

export const titles: Typed<typeof english.titles> = {
  reports: "گزارش‌ها",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  history_retention_days: "روزهای نگهداری مصرف",
};
