// What a connected node does not serve, in Persian, by the code of the notice.
import { ltr } from "../isolate.ts";
import { agentNotices } from "../agent-notices/fa.ts";
import { roughSpan } from "../../../protocol/notices/index.ts";
import type { NoticeWords } from "../../../fleet/records/notice.schema.ts";

const counted = (count: number) => new Intl.NumberFormat("fa-IR").format(count);

export const notices: NoticeWords = {
  ...agentNotices,
  reaches_host: (...paths) => `کنار گذاشته شد، چون می‌توانست به خود گره برسد: ${ltr(paths.join(", "))}`,
  on_loopback: "فقط روی نشانی داخلی گره (127.0.0.1) گوش می‌دهد و هیچ چیز به آن راه ندارد: هیچ اشتراکی آن را نمی‌آورد.",
  relapsing: "ایجنت همچنان پیکربندی دیگری جز آنچه گرفته است گزارش می‌کند. با فاصله‌های بیشتر دوباره مقایسه می‌شود.",
  clock_ahead: (seconds) => `ساعت گره ${roughSpan(seconds, "fa-IR")} از ساعت پنل جلوتر است. آن را تنظیم کنید (NTP).`,
  clock_behind: (seconds) => `ساعت گره ${roughSpan(seconds, "fa-IR")} از ساعت پنل عقب‌تر است. آن را تنظیم کنید (NTP).`,
  ledgers: (most) => `گره در یک روز ${counted(most)} دفتر مصرف آغاز کرد. مصرف دفتر دیگر فعلاً پذیرفته نمی‌شود.`,
  more: (warnings) => `هشدارهای دیگر: ${counted(warnings)}. در گزارش ایجنت آمده‌اند.`,
  agent_too_old: (key) => `کنار گذاشته شد، چون ایجنت گره برای آن قدیمی است: ${ltr(key)}. ایجنت را به‌روز کنید.`,
  usage_refused: "بخشی از مصرفی که گره در روز گذشته گزارش کرد پذیرفته نشد. فهرست مصرف‌های رد‌شده می‌گوید کدام.",
};
