// Words of users, in Russian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export { page } from "./page/ru.ts";

export const titles: Typed<typeof english.titles> = {
  users: "Пользователи",
  newUser: "Новый пользователь",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  alert_user_volume_percent: "Израсходовано объёма более, %",
  alert_user_expiry_days: "За сколько дней до истечения",
};

export const families: Typed<typeof english.families> = { user: "Пользователи" };

export const raised: Typed<typeof english.raised> = {
  "user.created": "учётная запись создана",
  "user.updated": "изменена",
  "user.deleted": "учётная запись удалена",
  "user.restored": "удалённая учётная запись восстановлена",
  "user.enabled": "снова включён панелью",
  "user.disabled": "выключен панелью",
  "user.suspended": "выключена человеком",
  "user.resumed": "включена человеком",
  "user.quota_reached": "трафик исчерпан: собственный объём или лимит реселлера",
  "user.expired": "дата прошла: собственная или реселлера",
  "user.quota_warning": "объём почти исчерпан",
  "user.expiring": "срок скоро истечёт",
  "user.renewed": "продлён",
  "user.activated": "тариф начался",
  "user.first_fetch": "ссылка получена впервые",
  "user.device_limit_reached": "устройству отказано: лимит исчерпан",
};

export const raisedFor: Typed<typeof english.raisedFor> = {
  "user.disabled": {
    volume: "выключено панелью: его объём исчерпан",
    expiry: "выключено панелью: его срок истёк",
    "resale-volume": "выключено панелью: лимит его реселлера исчерпан",
    "resale-expiry": "выключено панелью: срок учётной записи его реселлера истёк",
  },
  "user.quota_reached": { volume: "его объём исчерпан", "resale-volume": "лимит его реселлера исчерпан" },
  "user.expired": { expiry: "его срок истёк", "resale-expiry": "срок учётной записи его реселлера истёк" },
};

export const subjects: Typed<typeof english.subjects> = {
  users: "Пользователь",
};

export const actions: Typed<typeof english.actions> = {
  renew: "продлено",
  extend: "увеличено",
  "reset-usage": "трафик обнулён",
  "sub.rotate": "ссылка подписки заменена",
  "device.delete": "устройство забыто",
  batch: "изменено вместе с другими",
  "connections.close": "соединения закрыты",
};

export const refusals: Typed<typeof english.refusals> = {
  nothing_to_extend: "Срока, который можно сдвинуть, нет: сначала задайте его.",
  nothing_to_renew: "Продлевать нечего: сначала задайте срок или объём, либо продлите на число дней или по тарифу.",
  no_term:
    "Неизвестно, на какой срок он был продан. Продлите на число дней или по тарифу: дальше это и будет его срок.",
};

export const actors: Typed<typeof english.actors> = {
  user: {
    name: "Пользователи",
    states: {
      enabled: "Учётной записью можно пользоваться.",
      "enabled.deciding": "Проверяются лимиты; длится один шаг.",
      "enabled.waiting": "Срок тарифа ещё не пошёл: он начнётся с первого трафика.",
      "enabled.started": "Учётная запись используется в пределах лимитов.",
      disabled: "Учётной записью пользоваться нельзя: её выключил человек, её лимиты или лимиты реселлера.",
      "disabled.manual": "Учётную запись выключил человек; панель сама её никогда не включит.",
      "disabled.deciding": "Проверяется, что держит учётную запись выключенной; состояние покидается на том же шаге.",
      "disabled.volume": "Объём исчерпан; запись вернётся с обнулением, продлением или большим объёмом.",
      "disabled.expiry": "Срок прошёл; запись вернётся с продлением или более поздней датой.",
      "disabled.resaleVolume": "Реселлер-владелец израсходовал свой лимит.",
      "disabled.resaleExpiry": "Срок учётной записи реселлера-владельца истёк.",
    },
    events: {
      due: "достигнут лимит или дата",
      edited: "изменены лимиты",
      extended: "добавлен объём или срок",
      renewed: "продлён",
      switchOff: "выключен",
      switchOn: "включён",
      usageReset: "расход обнулён",
    },
    dues: {
      "disabled.volume": "достигнут лимит объёма",
      "disabled.expiry": "наступила дата окончания",
      "disabled.resaleVolume": "объём реселлера исчерпан",
      "disabled.resaleExpiry": "учётная запись реселлера истекла",
    },
    deadlines: {},
    effects: {},
    guards: {
      startsOff: "создан выключенным",
      resetDue: "пора обнулить расход",
      hasTraffic: "был трафик",
      notStarted: "срок ещё не начался",
      expired: "срок истёк",
      limited: "объём исчерпан",
      limitedUnwarned: "объём израсходован раньше, чем было предупреждение",
      quotaFar: "до исчерпания объёма снова далеко",
      quotaNear: "достигнута доля объёма для предупреждения",
      dateNear: "началось окно перед датой окончания",
      resaleVolume: "объём реселлера исчерпан",
      resaleExpiry: "учётная запись реселлера истекла",
      resetDueWhileOpen: "пора сбросить расход, срок не истёк, и реселлер это позволяет",
      withinLimits: "ни один лимит не достигнут",
    },
  },
};
