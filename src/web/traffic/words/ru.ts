// Words of traffic over time and of reports, in Russian.
import { plural } from "../../words/plural.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "Отчёты",
  lead: "Кто и что сколько передал; сначала самые большие.",
  groupBy: "Группировка",
  groups: { user: "Пользователи", node: "Узлы", admin: "Операторы" },
  kinds: { user: "Пользователь", node: "Узел", admin: "Оператор" },
  plots: { user: "Трафик по пользователям", node: "Трафик по узлам", admin: "Трафик по операторам" },
  download: "Все строки в файле",
  down: "Загрузка",
  up: "Отдача",
  sum: "Всего",
  share: "Доля",
  deleted: (id) => `удалён, № ${id}`,
  others: (n, shown) =>
    plural("ru", n, {
      one: `ещё ${shown} запись`,
      few: `ещё ${shown} записи`,
      many: `ещё ${shown} записей`,
      other: `ещё ${shown} записи`,
    }),
  drawn: (n, shown) =>
    plural("ru", n, {
      one: `Показан ${shown} самый большой.`,
      few: `Показаны ${shown} самых больших.`,
      many: `Показаны ${shown} самых больших.`,
      other: `Показаны ${shown} самых больших.`,
    }),
  days: "Дни по часовому поясу",
  hours: "Часы по часовому поясу",
  raw: "Байты как они переданы, без множителей.",
  none: "Об этом времени ничего не известно",
  noneText: "Выберите другой период или подождите, пока что-то будет передано.",
};

export const titles: Typed<typeof english.titles> = {
  reports: "Отчёты",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  history_retention_days: "Сколько дней хранить расход",
};
