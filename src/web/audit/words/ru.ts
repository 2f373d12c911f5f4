// Words of the audit log, in Russian.
import { plural } from "../../words/plural.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "Журнал изменений",
  count: (n: number, text: string) =>
    plural("ru", n, {
      one: `${text} изменение`,
      few: `${text} изменения`,
      many: `${text} изменений`,
      other: `${text} изменения`,
    }),
  search: "Поиск по человеку, записи или действию",
  who: "Кто",
  what: "Что",
  deed: "Действие",
  when: "Когда",
  how: "Откуда",
  token: "Токен",
  address: "Адрес",
  record: "Запись",
  onlyRecord: "Запись",
  anyRecord: "Изменения всех записей",
  allOfRecord: "Все изменения этой записи",
  happened: "Что произошло",
  changes: "До и после",
  noDetail: "У этого изменения нет полей.",
  missing: "Такого изменения нет",
  missingText: "Возможно, оно старше срока хранения журнала.",
  none: "Изменений ещё нет",
  noneText: "Здесь появляется каждое изменение: от человека, токена или командной строки.",
  spans: { hour: "Последний час", day: "Последние 24 часа", week: "Последние 7 дней", month: "Последние 30 дней" },
  via: { session: "В браузере", token: "По токену", cli: "В командной строке", system: "Сама панель" },
};

export const titles: Typed<typeof english.titles> = {
  audit: "Журнал изменений",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  changes_logging: "Вести журнал изменений",
  changes_retention_days: "Сколько дней хранить журнал изменений",
};

export const subjects: Typed<typeof english.subjects> = {
  changes: "Журнал изменений",
};

export const actions: Typed<typeof english.actions> = {
  create: "создано",
  update: "изменено",
  delete: "удалено",
  enable: "включено",
  disable: "выключено",
  order: "порядок изменён",
};
