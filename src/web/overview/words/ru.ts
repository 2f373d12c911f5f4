// Words of the overview, in Russian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  nodeStatus: { connected: "на связи", connecting: "подключается", error: "ошибка", disabled: "выключен" },
  title: "Обзор",
  tiles: {
    users: "Пользователи",
    online: "Сейчас онлайн",
    nodes: "Узлы",
    panel: "Панель",
    ending: "Кончаются за 7 дней",
    spent: "Объём исчерпан",
  },
  proxy: {
    title: "Прокси нет среди доверенных",
    text: (address) =>
      `Запросы приходят через ${address}: он сообщает, от чьего имени обращается, но ему не верят. Если это ваш прокси, добавьте его к доверенным: до тех пор все посетители считаются одним адресом с одним лимитом на всех.`,
    open: "Доверенные прокси",
  },
  closed: {
    title: "Адрес не прослушивается",
    text: (places) =>
      `Подписки должны отвечать на ${places}, но эта панель не может там слушать. Она повторит попытку сама: проверьте, какая программа заняла порт, или измените настройку.`,
    open: "Дополнительные адреса",
  },
  chooseTiles: "Выбрать плитки",
  tileUp: (name) => `Поднять: ${name}`,
  tileDown: (name) => `Опустить: ${name}`,
  uptime: "в работе",
  ofUsers: (share) => `${share} всех пользователей`,
  connectedOf: (connected, all) => `${connected} из ${all}`,
  memory: (used) => `${used} памяти`,
  userStatus: {
    active: "активны",
    pending: "не начаты",
    limited: "исчерпаны",
    expired: "истекли",
    disabled: "выключены",
    reseller: "выключены из-за реселлера",
  },
  needs: "Требует внимания",
  oldestFirst: "сначала старые",
  nothingWaits: "Вашего внимания ничто не требует.",
  allInError: "Все узлы с ошибкой",
  quarantine: "в карантине",
  quarantineWhy: "Диаграмма трижды подряд дала сбой; объект остановлен.",
  quarantineNext: "посмотреть и возобновить",
  lately: "Последние события",
  allEvents: "Все события",
  nothingYet: "Событий пока не было.",
  allowance: {
    title: "Ваш объём",
    left: "Осталось",
    nextReset: "Начнётся заново",
    ends: "Ваша учётная запись кончается",
    users: "Пользователи",
    spent: "Ваш объём исчерпан: ни один узел не обслуживает ваших пользователей. Попросите больший.",
    spentUntil: (date) =>
      `Ваш объём исчерпан: ни один узел не обслуживает ваших пользователей до начала нового периода ${date}.`,
    ended: (date) => `Ваша учётная запись кончилась ${date}: ни один узел не обслуживает ваших пользователей.`,
  },
  figures: {
    traffic: "Трафик по узлам",
    topUsers: "Самые активные пользователи",
    growth: "Движение пользователей",
    ends: "Скоро кончаются",
    range: "Период",
    ranges: { "24h": "24 ч", "7d": "7 дн", "30d": "30 дн", "90d": "90 дн" },
    before: (share) => `${share} к прошлому периоду`,
    comparison: "В сравнении с прошлым периодом",
    more: "больше",
    less: "меньше",
    rest: (_, text, bytes) => `ещё ${text}: ${bytes}`,
    noTraffic: "О трафике за этот период ничего не известно.",
    same: "как прежде",
    perHour: "По часам",
    perDay: "По дням",
    deeds: {
      created: "созданы",
      renewed: "продлены",
      expired: "истекли",
      limited: "исчерпаны",
      deleted: "удалены",
    },
    notCounted: "Счёт только начался.",
    endsWeek: "за 7 дней",
    endsMonth: "за 30 дней",
    noEnds: "За 30 дней ни у кого срок не кончится.",
  },
  steps: {
    title: "Первые шаги",
    away: "Скрыть",
    done: "сделано",
    begun: (name) => `${name}: ещё не подключён.`,
    seeBegun: "Почему",
    serve: { name: "Решите, что обслуживать", text: "Инбаунд и шаблон, в который он входит.", action: "Начать" },
    node: { name: "Подключите узел", text: "Этот сервер или другой, одной командой.", action: "Добавить узел" },
    user: { name: "Создайте пользователя", text: "Достаточно имени.", action: "Создать пользователя" },
    link: {
      name: "Передайте ссылку",
      text: "Готово, когда клиент впервые получит подписку.",
      action: "Копировать ссылку",
    },
  },
};

export const titles: Typed<typeof english.titles> = {
  overview: "Обзор",
};

export const actions: Typed<typeof english.actions> = {
  dashboard: "обзор настроен",
};

export const rules: Typed<typeof english.rules> = {
  tiles: "Не больше 64 имён из a-z, 0-9 и -",
};
