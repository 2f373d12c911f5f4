// Words of the pages of plans, in Russian.
import { plural } from "../../words/plural.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "Тарифы",
  add: "Новый тариф",
  create: "Создать тариф",
  count: (n, shown) =>
    plural("ru", n, {
      one: `${shown} тариф`,
      few: `${shown} тарифа`,
      many: `${shown} тарифов`,
      other: `${shown} тарифа`,
    }),
  search: "Название, заметка или группа",
  noneTitle: "Тарифов пока нет",
  noneText:
    "Тариф содержит то, что вы продаёте: объём, дни, ограничения и серверы. По нему создаются и продлеваются пользователи.",
  noneGranted: "Вам не выдан ни один тариф.",
  missing: "Такого тарифа нет",
  untouched: "Пользователи, созданные по нему, остаются как есть.",
  groups: { plan: "Тариф", account: "Новые пользователи" },
  fields: {
    name: "Название",
    desc: "Заметка",
    days: "Дни",
    onFirstUse: "Начало с первого использования",
    onFirstUseHelp: "Отсчёт начинается с первого трафика.",
    group: "Группа",
    groupHelp: "Записывается каждому пользователю.",
    namePrefix: "Перед именем",
    nameSuffix: "После имени",
  },
  dayCount: (n, shown) =>
    plural("ru", n, { one: `${shown} день`, few: `${shown} дня`, many: `${shown} дней`, other: `${shown} дня` }),
  fromFirstUse: (n, shown) =>
    plural("ru", n, {
      one: `${shown} день с первого использования`,
      few: `${shown} дня с первого использования`,
      many: `${shown} дней с первого использования`,
      other: `${shown} дня с первого использования`,
    }),
  allTemplates: "все",
  newUser: "Новый пользователь",
  copy: "Копировать",
  copyOf: (name) => `${name} 2`,
  order: "Изменить порядок",
  saveOrder: "Сохранить порядок",
  ordered: "Порядок сохранён",
  moveUp: (name) => `Переместить ${name} выше`,
  moveDown: (name) => `Переместить ${name} ниже`,
  made: (name) => `Тариф ${name} создан`,
  saved: (name) => `Тариф ${name} сохранён`,
  remove: "Удалить",
  removeTitle: (name) => `Удалить ${name}?`,
  removeText: "Пользователи, созданные по нему, остаются как есть.",
  removed: (name) => `Тариф ${name} удалён`,
};

export const titles: Typed<typeof english.titles> = {
  plans: "Тарифы",
  newPlan: "Новый тариф",
};

export const subjects: Typed<typeof english.subjects> = {
  plans: "Тариф",
};

export const refusals: Typed<typeof english.refusals> = {
  plan_needed: "Выберите тариф: эта учётная запись продаёт только тарифы.",
};
