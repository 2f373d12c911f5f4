// Why an actor or its work failed, and why a chart does not take an event, in Russian, by the code of the problem.
import type { ProblemWords } from "../../../runtime/problems.schema.ts";

export const problems: ProblemWords = {
  chart_threw: (why) => `Сбой диаграммы: ${why}`,
  chart_too_new: (written, known) =>
    `Это записала более новая панель: версия диаграммы ${written}. Эта панель знает версию ${known}.`,
  attempt_failed: (why) => why,
  no_result: (milliseconds) => `Результата не было за ${milliseconds / 1000} с.`,
  result_refused: "Диаграмма не смогла принять результат.",
  shard_lost: "Теперь это выполняет другой процесс.",
  errand_late: (milliseconds) => `Не выполнено за ${milliseconds / 1000} с.`,
  secret_lost: "У панели больше нет нужного пароля или ключа: она держит их только в памяти.",
  quarantined: (why) => `Карантин: ${why}`,
  event_not_taken: () => "В этом состоянии событие не принимается.",
  event_changes_nothing: () => "В этом состоянии событие ничего не меняет.",
  guarded: (...guards) => `Не сейчас. Нужно: ${guards.join("; ")}`,
};
