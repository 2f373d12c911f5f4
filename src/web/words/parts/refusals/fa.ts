// What the panel refuses, in Persian.
import { ltr } from "../../isolate.ts";
import type { Typed } from "../../language.ts";
import type { refusals as english } from "./en.ts";
import { refusals as ofFeatures } from "../../catalogues/fa.ts";
import { rules } from "./rules/fa.ts";

export const refusals: Typed<typeof english> = {
  rules,
  crossSite: (origin, expected) =>
    `این صفحه از ${ltr(origin)} است، ولی پنل با نشانی ${ltr(expected)} خوانده شده است. آن را با ${ltr(expected)} باز کنید، یا بگذارید پروکسی جلوی پنل نام میزبان را همراه با درگاه بفرستد.`,
  codes: {
    ...ofFeatures,
    account_expired: "این حساب منقضی شده است.",
    address_refused: "ورود از این نشانی مجاز نیست.",
    banned: "تلاش‌های رد‌شده از این نشانی زیاد بود. کمی صبر کنید.",
    confirm: "کد تازه‌ای از عامل دوم لازم است.",
    cross_site: "پنل با نامی غیر از نام خودش باز شده است. آن را با نشانی خودش باز کنید.",
    cursor_expired: "این جای فهرست رویدادها دیگر شناخته نیست. از نو شروع کنید.",
    answer_gone: "درخواست انجام شده بود، ولی پاسخ آن دیگر نگه داشته نمی‌شود. ببینید اکنون چه هست.",
    idempotency_reuse: "درخواست دیگری با همین کلید فرستاده شده بود. دوباره تلاش کنید.",
    in_progress: "تلاش نخست هنوز در حال اجراست. کمی بعد نگاه کنید.",
    internal: "در گزارش پنل ثبت شد.",
    rate_limited: "بیش از اندازهٔ مجاز در یک دقیقه درخواست شد. کمی صبر کنید.",
    request_timeout: "درخواست به‌موقع نرسید. آیا اتصال کند است؟",
    scope: "نقش این حساب به اینجا نمی‌رسد.",
    too_large: "این بیش از آن است که پنل یکجا بپذیرد.",
    too_busy: "ورودها یا کدهای زیادی در حال بررسی است. کمی بعد دوباره تلاش کنید.",
    disk_full: "دیسک پوشهٔ داده‌ها پر است. جا باز کنید و پرونده را دوباره بفرستید.",
    unauthenticated: "دوباره وارد شوید.",
    unavailable:
      "پنل اکنون پاسخ نمی‌دهد: در حال آغاز یا توقف است، یا پایگاه دادهٔ آن در دسترس نیست. کمی بعد دوباره تلاش کنید.",
    wrong_code: "این کد نادرست است یا پیش‌تر به کار رفته است.",
    changed_meanwhile: "همزمان کس دیگری آن را تغییر داد. دوباره نگاه کنید و سپس تکرار کنید.",
    login_ended: "این ورود پایان یافته است. از نو آغاز کنید.",
    wrong_password: "گذرواژه نادرست است.",
  },
};
