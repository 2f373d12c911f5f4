// Why a node is not served, in Persian.
import { ltr, own } from "../isolate.ts";
import type { CauseWords, HereWords } from "../../../fleet/records/cause.schema.ts";

/** In Persian digits. */
const counted = (count: number) => new Intl.NumberFormat("fa-IR").format(count);

export const messages: CauseWords & { readonly here: HereWords } = {
  /** The same of an address of this machine: no other machine and no firewall stands in between. */
  here: {
    connection_refused: (address) => `${ltr(address)} اتصال را نمی‌پذیرد: روی همین سرور ایجنتی آنجا گوش نمی‌دهد.`,
    timed_out: (address) => `${ltr(address)} پاسخ نمی‌دهد: پردازهٔ ایجنت روی همین سرور متوقف یا گیر کرده است.`,
    connection_cut: (address) =>
      `${ltr(address)} اتصال را بی‌درنگ بست: شاید برنامهٔ دیگری از همین سرور این پورت را دارد.`,
  },
  connection_refused: (address) =>
    `${ltr(address)} اتصال را نمی‌پذیرد: ایجنتی آنجا گوش نمی‌دهد یا فایروال آن را رد می‌کند.`,
  timed_out: (address) => `${ltr(address)} پاسخ نمی‌دهد: سرور خاموش است یا فایروال اتصال را می‌بندد.`,
  no_route: (address) => `مسیری به ${ltr(address)} نیست.`,
  unknown_name: (host) => `نام ${ltr(host)} به نشانی‌ای نمی‌رسد.`,
  connection_cut: (address) => `${ltr(address)} اتصال را بی‌درنگ بست: شاید آنجا چیزی جز ایجنت گوش می‌دهد.`,
  other_program: (address, status) => `در ${ltr(address)} چیزی جز ایجنت پاسخ می‌دهد (${ltr(`HTTP ${status}`)}).`,
  unreachable: (address, cause) => `${ltr(address)} در دسترس نیست: ${own(cause)}`,
  no_greeting: (seconds) => `ایجنت تا ${counted(seconds)} ثانیه پاسخ نداد.`,
  late_configuration: "ایجنت پیکربندی را به‌موقع نگرفت.",
  not_taken: (cause) => `پیکربندی پذیرفته نشد: ${own(cause)}`,
  silent: (count) => `ایجنت ساکت شد: ${counted(count)} ضربان نرسید.`,
  not_connected: "ایجنت متصل نیست.",
  no_answer: (seconds) => `ایجنت تا ${counted(seconds)} ثانیه به درخواست پاسخ نداد.`,
  unsupported: "موتور این گره این کار را نمی‌تواند.",
  misbehaved: (count, last) =>
    `ایجنت ${counted(count)} پیام نادرست فرستاد و هر بار دیرتر با آن تماس گرفته می‌شود. آخرین: ${own(last)}`,
  ended: (reason) => `اتصال پایان یافت (${own(reason)}).`,
  no_agent: "در نشانی گره هیچ ایجنتی از این پنل پاسخ نمی‌دهد. دلیلش را کسی می‌بیند که اجازهٔ نصب ایجنت دارد.",
  no_certificate: "ایجنت گواهی‌ای نشان نداد.",
  off: "خاموش شده است.",
  limit: "سقف مصرف دوره پر شده است.",
  duplicate: (_holder, name, address) => `این ایجنت هم‌اکنون به ${own(name)} (${ltr(address)}) سرویس می‌دهد.`,
  licence: "شمار گره‌ها از سقف لایسنس بیشتر است.",
  failed: (why) => own(why),
  mismatched: (presented, saved) => `کلیدی جز کلید ذخیره‌شده پاسخ می‌دهد: ${ltr(presented)} به جای ${ltr(saved)}.`,
};
