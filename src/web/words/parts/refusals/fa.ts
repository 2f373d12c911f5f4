// What the panel refuses, in Persian.
import type { Typed } from "../../language.ts";
import type { refusals as english } from "./en.ts";

const digits = new Intl.NumberFormat("fa-IR");
const persian = (n: number) => digits.format(n);

export const refusals: Typed<typeof english> = {
  rules: {
    host: "نام میزبان یا نشانی IP را بدون پورت بنویسید",
    client_addresses: "نشانی‌ها یا برچسب|نشانی را با ویرگول از هم جدا کنید",
    control_characters: "شکستن خط و نویسه‌های کنترلی اینجا جا ندارند",
    direction_characters: "نویسه‌هایی که جهت متن را برمی‌گردانند اینجا جا ندارند",
    whole_number: "یک عدد صحیح بنویسید",
    username: "۱ تا ۶۴ حرف لاتین، رقم یا یکی از . _ - @ به کار ببرید",
    password_is_username: "گذرواژه نباید همان نام کاربری باشد",
    base_path: "به شکل ‎/name‎ بدون ممیز پایانی بنویسید یا خالی بگذارید",
    dot_segments: "بخش‌های مسیر نباید . یا .. باشند",
    ip_address: "یک نشانی IP بنویسید",
    time_zone: "یک منطقهٔ زمانی مانند Asia/Tehran انتخاب کنید",
    absolute_path: "مسیری بنویسید که با / آغاز شود",
    http_url: "نشانی‌ای بنویسید که با http:// یا https:// آغاز شود",
    chat: "شناسهٔ عددی گفتگو یا ‎@username‎ بنویسید",
    email: "یک نشانی ایمیل بنویسید",
    phone: "یک شمارهٔ تلفن بنویسید",
    uuid: "یک UUID بنویسید",
    no_template: "این قالب دیگر وجود ندارد",
    required: "این لازم است",
    type: "این نوع مقدار اینجا جا ندارد",
    empty: "این نباید خالی باشد",
    too_short: (least) => `دست‌کم ${persian(least)} نویسه به کار ببرید`,
    too_long: (most) => `حداکثر ${persian(most)} نویسه به کار ببرید`,
    too_small: (least) => `باید دست‌کم ${persian(least)} باشد`,
    too_large: (most) => `باید حداکثر ${persian(most)} باشد`,
    too_few: (least) => `دست‌کم ${persian(least)} مورد لازم است`,
    too_many: (most) => `حداکثر ${persian(most)} مورد جا می‌گیرد`,
    between: (low, high) => `عددی صحیح از ${persian(low)} تا ${persian(high)} بنویسید`,
    length: (low, high) => `${persian(low)} تا ${persian(high)} نویسه به کار ببرید`,
    choice: "یکی از مقدارهای پیشنهادی را انتخاب کنید",
    unknown: (names) => `پنل ${names} را نمی‌شناسد`,
  },
  codes: {
    account_expired: "این حساب منقضی شده است.",
    address_refused: "ورود از این نشانی مجاز نیست.",
    banned: "تلاش‌های رد‌شده از این نشانی زیاد بود. کمی صبر کنید.",
    confirm: "کد تازه‌ای از عامل دوم لازم است.",
    cross_site: "پنل با نامی غیر از نام خودش باز شده است. آن را با نشانی خودش باز کنید.",
    idempotency_reuse: "درخواست دیگری با همین کلید فرستاده شده بود. دوباره تلاش کنید.",
    in_progress: "تلاش نخست هنوز در حال اجراست. کمی بعد نگاه کنید.",
    internal: "در گزارش پنل ثبت شد.",
    rate_limited: "بیش از اندازهٔ مجاز در یک دقیقه درخواست شد. کمی صبر کنید.",
    request_timeout: "درخواست به‌موقع نرسید. آیا اتصال کند است؟",
    scope: "نقش این حساب به اینجا نمی‌رسد.",
    too_large: "این بیش از آن است که پنل یکجا بپذیرد.",
    unauthenticated: "دوباره وارد شوید.",
    unavailable: "پنل اکنون پاسخ نمی‌دهد: در حال آغاز یا توقف است، یا پایگاه دادهٔ آن در دسترس نیست. کمی بعد دوباره تلاش کنید.",
    wrong_code: "این کد نادرست است یا پیش‌تر به کار رفته است.",
  },
};
