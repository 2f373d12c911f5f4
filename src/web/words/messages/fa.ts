// Why a node is not served, in Persian.
import { ltr, own } from "../isolate.ts";
import type { Typed } from "../language.ts";
import type { messages as english } from "./en.ts";

/** In Persian digits. */
const counted = (text: string) => new Intl.NumberFormat("fa-IR").format(Number(text));

export const messages: Typed<typeof english> = {
  refused: (address) => `${ltr(address)} اتصال را نمی‌پذیرد: ایجنتی آنجا گوش نمی‌دهد یا فایروال آن را رد می‌کند.`,
  silent: (address) => `${ltr(address)} پاسخ نمی‌دهد: سرور خاموش است یا فایروال اتصال را می‌بندد.`,
  noRoute: (address) => `مسیری به ${ltr(address)} نیست.`,
  unknownName: (host) => `نام ${ltr(host)} به نشانی‌ای نمی‌رسد.`,
  cut: (address) => `${ltr(address)} اتصال را بی‌درنگ بست: شاید آنجا چیزی جز ایجنت گوش می‌دهد.`,
  otherProgram: (address, status) => `در ${ltr(address)} چیزی جز ایجنت پاسخ می‌دهد (${ltr(`HTTP ${status}`)}).`,
  unreachable: (address, cause) => `${ltr(address)} در دسترس نیست: ${own(cause)}`,
  noGreeting: (seconds) => `ایجنت تا ${counted(seconds)} ثانیه پاسخ نداد.`,
  lateConfiguration: "ایجنت پیکربندی را به‌موقع نگرفت.",
  notTaken: (cause) => `پیکربندی پذیرفته نشد: ${own(cause)}`,
  heartbeats: (count) => `ایجنت ساکت شد: ${counted(count)} ضربان نرسید.`,
  wrongMessages: (count, last) => `ایجنت ${counted(count)} پیام نادرست فرستاد و هر بار دیرتر با آن تماس گرفته می‌شود. آخرین: ${own(last)}`,
  ended: "اتصال پایان یافت.",
  endedWith: (reason) => `اتصال پایان یافت (${own(reason)}).`,
  noCertificate: "ایجنت گواهی‌ای نشان نداد.",
  off: "خاموش شده است.",
  limit: "سقف مصرف دوره پر شده است.",
  duplicate: (name, address) => `این ایجنت هم‌اکنون به ${own(name)} (${ltr(address)}) سرویس می‌دهد.`,
  licence: "شمار گره‌ها از سقف لایسنس بیشتر است.",
};
