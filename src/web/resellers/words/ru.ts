// Words of resellers, in Russian.
import { plural } from "../../words/plural.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

const count = (n: number, one: string, few: string, many: string) => plural("ru", n, { one, few, many, other: many });

export const page: Typed<typeof english.page> = {
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

export const titles: Typed<typeof english.titles> = {
  resellers: "Реселлеры",
};

export const raised: Typed<typeof english.raised> = {
  "admin.resale_cap_reached": "реселлер достиг лимита",
};

export const refusals: Typed<typeof english.refusals> = {
  reseller_closed: "Объём реселлера исчерпан: новых учётных записей он не принимает, пока не откроется снова.",
};

export const rules: Typed<typeof english.rules> = {
  reseller: "Выберите реселлера",
};

export const actors: Typed<typeof english.actors> = {
  reseller: {
    name: "Реселлеры",
    states: {
      deciding: "Лимиты проверяются; состояние покидается на том же шаге.",
      open: "Учётные записи реселлера могут обслуживаться.",
      closing: "Ни один узел больше не обслуживает учётные записи реселлера; одна за другой они выключаются.",
      closed: "Учётные записи реселлера выключены.",
      "closed.volume": "Объём исчерпан; его откроет новый период или больший объём.",
      "closed.expiry": "Срок реселлера истёк; его откроет более поздняя дата.",
      opening: "Учётные записи реселлера снова могут обслуживаться; одна за другой они включаются.",
    },
    events: {
      due: "подошёл объём, срок или конец периода",
      edited: "изменились лимиты или роль",
      followed: "все учётные записи приведены в соответствие",
    },
    dues: {
      closing: "закончился объём или срок",
      opening: "начался новый период",
    },
    deadlines: {
      stall: "учётные записи долго приводятся в соответствие",
    },
    effects: {
      follow: "приведение учётных записей в соответствие",
    },
    guards: {
      periodOver: "период закончился",
      expiresUntold: "срок истёк, об этом ещё не сообщалось",
      spentUntold: "объём исчерпан, об этом ещё не сообщалось",
      ends: "закончился другой лимит",
      mayServe: "ни один лимит не закончился",
      closesStill: "ещё не все учётные записи выключены",
      opensStill: "ещё не все учётные записи включены",
      isSpent: "объём исчерпан",
      isExpired: "срок истёк",
      closesBySpending: "закрывается из-за объёма",
    },
  },
};
