// Words of the overview, in Russian.
import type { Typed } from "../language.ts";
import type { overview as english } from "./en.ts";

export const overview: Typed<typeof english> = {
  title: "Обзор",
  users: "Пользователи",
  online: "Сейчас онлайн",
  nodes: "Узлы",
  panel: "Панель",
  uptime: "работает",
  ofUsers: (share) => `${share} всех пользователей`,
  connectedOf: (connected, all) => `${connected} из ${all}`,
  memory: (used) => `${used} памяти`,
  userStatus: { active: "активны", pending: "не начаты", limited: "исчерпаны", expired: "истекли", disabled: "выключены" },
  needs: "Что требует человека",
  oldestFirst: "сначала давние",
  nothingWaits: "Ничто не ждёт вас.",
  allInError: "Все узлы с ошибкой",
  quarantine: "в карантине",
  quarantineWhy: "Его схема трижды подряд дала сбой; его не трогают.",
  quarantineNext: "посмотреть и возобновить",
  lately: "Последние события",
  nothingYet: "Событий пока не было.",
  steps: {
    title: "Первые шаги",
    away: "Убрать",
    done: "сделано",
    serve: { name: "Решите, что обслуживать", text: "Вход и шаблон, в который он входит.", action: "Начать" },
    node: { name: "Подключите узел", text: "Эта машина или другая, одной командой.", action: "Добавить узел" },
    user: { name: "Создайте пользователя", text: "Достаточно имени.", action: "Создать" },
    link: { name: "Передайте ссылку", text: "Готово, когда клиент впервые получит подписку.", action: "Взять ссылку" },
  },
};
