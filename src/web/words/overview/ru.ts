// Words of the overview, in Russian.
import type { Typed } from "../language.ts";
import type { overview as english } from "./en.ts";

export const overview: Typed<typeof english> = {
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
  steps: {
    title: "Первые шаги",
    away: "Скрыть",
    done: "сделано",
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
