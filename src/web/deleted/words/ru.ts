// Words of deleted users, in Russian.
import { plural } from "../../words/plural.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

const count = (n: number, one: string, few: string, many: string) => plural("ru", n, { one, few, many, other: many });

export const page: Typed<typeof english.page> = {
  title: "Удалённые пользователи",
  total: (n, shown) =>
    count(n, `${shown} удалённый пользователь`, `${shown} удалённых пользователя`, `${shown} удалённых пользователей`),
  search: "Имя, группа, ссылка",
  none: "За последнее время никого не удаляли",
  noneText: "Удалённые пользователи появляются здесь, и их можно вернуть, пока панель о них помнит.",
  columns: {
    name: "Имя",
    deleted: "Удалён",
    by: "Кем",
    until: "Хранится до",
    usage: "Расход",
    ends: "Конец",
    owner: "Владелец",
  },
  panel: "сама панель",
  restore: "Вернуть",
  restoreTitle: (name) => `Вернуть ${name}?`,
  restoreText:
    "Ссылка, учётные данные, счётчики и устройства будут прежними. Серверы обслуживают сразу, если не мешают лимиты.",
  ended: (date) => `Срок прошёл: ${date}. Вернётся выключенным.`,
  usedUp: "Объём исчерпан. Вернётся выключенным.",
  wasOff: "Был выключен и останется выключенным.",
  taken: "Некоторые значения теперь у другого. Укажите другие:",
  name: "Имя",
  subId: "Имя ссылки",
  subIdText: "Прежняя ссылка теперь принадлежит другому.",
  externalId: "Номер в магазине",
  credentials: "Учётные данные будут новыми: приложениям нужно снова получить ссылку.",
  restored: (name) => `${name}: снова здесь`,
  restoredMany: (done, total) => `Возвращено ${done} из ${total}`,
  restoreManyTitle: (n) =>
    count(n, `Вернуть ${n} пользователя?`, `Вернуть ${n} пользователей?`, `Вернуть ${n} пользователей?`),
  restoreManyText: "Те, чьё имя или ссылка теперь у другого, останутся здесь и останутся выбранными.",
  refused: (n, reason) => `${count(n, `${n} остаётся`, `${n} остаются`, `${n} остаются`)}: ${reason}`,
  forget: "Удалить окончательно",
  forgetTitle: (name) => `Удалить ${name} окончательно?`,
  forgetText: "После этого вернуть будет нельзя.",
  forgotten: (name) => `${name}: удалено окончательно`,
  back: "Пользователи",
};

export const titles: Typed<typeof english.titles> = {
  deletedUsers: "Удалённые пользователи",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  deleted_retention_days: "Сколько дней хранить удалённых пользователей",
};

export const actions: Typed<typeof english.actions> = {
  restore: "возвращён",
  forget: "удалён окончательно",
};
