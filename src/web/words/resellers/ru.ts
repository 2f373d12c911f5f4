// Words of resellers, in Russian.
import { plural } from "../../format/plural.ts";
import type { Typed } from "../language.ts";
import type { resellers as english } from "./en.ts";

const count = (n: number, one: string, few: string, many: string) => plural("ru", n, { one, few, many, other: many });

export const resellers: Typed<typeof english> = {
  title: "Реселлеры",
  count: (n, shown) => count(n, `${shown} реселлер`, `${shown} реселлера`, `${shown} реселлеров`),
  search: "Имя",
  add: "Новый реселлер",
  noneTitle: "Реселлеров нет",
  noneText: "Реселлер входит сюда, продаёт своим пользователям, и у них общий объём.",
  missing: "Такого реселлера нет",
  missingText: "Возможно, он удалён или стал оператором.",
  states: {
    open: "Открыт",
    closing: "Закрывается",
    opening: "Открывается",
    closed: { volume: "Закрыт: объём", expiry: "Закрыт: срок" },
  },
  filters: { all: "Все", open: "Открыты", closing: "Закрываются", closed: "Закрыты", opening: "Открываются" },
  columns: {
    name: "Имя",
    state: "Состояние",
    allowance: "Объём",
    users: "Пользователи",
    period: "Начинается заново",
    nextReset: "Следующий период",
    ends: "Истекает",
    lastLogin: "Последний вход",
  },
  tabs: { overview: "Обзор", accounts: "Пользователи" },
  explained: {
    open: "Его пользователи обслуживаются.",
    closing: "Ни один узел больше не обслуживает его пользователей. Их записи отключаются.",
    opening: "Его пользователи снова обслуживаются. Их записи включаются.",
    volume:
      "Объём исчерпан: ни один узел не обслуживает его пользователей. Откроет больший объём или следующий период.",
    expiry: "Срок истёк: ни один узел не обслуживает его пользователей. Откроет более поздняя дата.",
  },
  limits: "Лимиты",
  userLimit: "Пользователей не больше",
  sells: "Продаёт",
  sellsAll: "Что угодно",
  sellsPlans: (plans) => `Только эти тарифы: ${plans}`,
  sellsNothing: "Тарифов пока нет: создавать пользователей нельзя",
  readOnly: "Только просматривает своих пользователей",
  since: "Период начался",
  edit: "Изменить",
  operator: "Его вход и права",
  hisUsers: "Его пользователи в списке",
  chart: "Его диаграмма",
  noUsersTitle: "Пользователей нет",
  noUsersText: "Пользователи появляются здесь, когда он их создаёт или когда их ему передают.",
  moveAll: "Передать всех пользователей",
  moveAllTitle: (name) => `Передать всех пользователей ${name}?`,
  moveAllNone: "Пользователей нет",
  closedOwner: (name) => `${name} (закрыт)`,
};
