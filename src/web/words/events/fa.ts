// Words of the page of events, in Persian.
import { formatNumber } from "../../format/numbers.ts";
import type { Typed } from "../language.ts";
import type { events as english } from "./en.ts";

export const events: Typed<typeof english> = {
  title: "رویدادها",
  search: "جستجو در نام و متن",
  event: "رویداد",
  any: "هر رویداد",
  anyRecord: "رویدادهای همه",
  only: (name) => `تنها رویدادهای ${name}`,
  onlyEvent: "تنها رویدادهای همین نام",
  families: { user: "کاربران", node: "گره‌ها", admin: "مدیران", panel: "پنل" },
  held: "نگه‌داشته",
  heldLong: "تا می‌خوانید، فهرست جابه‌جا نمی‌شود.",
  liveLong: "رویدادها همان دم که رخ دهند نشان داده می‌شوند.",
  lostLong: "آنچه در این میان رخ دهد، پس از اتصال دوباره نشان داده می‌شود.",
  pause: "مکث",
  follow: "دنبال کردن",
  fresh: (n) => `${formatNumber(n, "fa-IR")} رویداد تازه`,
  freshMany: (n) => `بیش از ${formatNumber(n, "fa-IR")} رویداد تازه`,
  older: "رویدادهای قدیمی‌تر",
  none: "هنوز رویدادی نبوده است",
  noneText: "آنچه پنل، گره‌ها و کاربران انجام دهند، همان دم اینجا نشان داده می‌شود.",
  deaf: "نقش شما رویدادی دریافت نمی‌کند.",
};
