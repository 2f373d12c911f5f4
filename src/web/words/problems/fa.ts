// Why an actor or its work failed, and why a chart does not take an event, in Persian, by the code of the problem.
import { own } from "../isolate.ts";
import type { ProblemWords } from "../../../runtime/problems.schema.ts";

/** In Persian digits. */
const counted = (count: number) => new Intl.NumberFormat("fa-IR").format(count);

export const problems: ProblemWords = {
  chart_threw: (why) => `نمودار شکست خورد: ${own(why)}`,
  chart_too_new: (written, known) =>
    `پنلی تازه‌تر این را نوشته است: نسخهٔ ${counted(written)} نمودار. این پنل نسخهٔ ${counted(known)} را می‌شناسد.`,
  attempt_failed: (why) => own(why),
  no_result: (milliseconds) => `تا ${counted(milliseconds / 1000)} ثانیه نتیجه‌ای نیامد.`,
  result_refused: "نمودار نتوانست نتیجه را بپذیرد.",
  shard_lost: "از این پس فرایند دیگری آن را اجرا می‌کند.",
  errand_late: (milliseconds) => `تا ${counted(milliseconds / 1000)} ثانیه انجام نشد.`,
  secret_lost: "پنل دیگر گذرواژه یا کلید لازم را ندارد: آن را تنها در حافظه نگه می‌دارد.",
  quarantined: (why) => `در قرنطینه است: ${own(why)}`,
  event_not_taken: () => "وضعیت کنونی این رویداد را نمی‌پذیرد.",
  event_changes_nothing: () => "در وضعیت کنونی این رویداد چیزی را تغییر نمی‌دهد.",
  guarded: (...guards) => `اکنون نه. لازم است: ${guards.join("؛ ")}`,
};
