// Words of roles, in Russian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  roles: "Роли",
  newRole: "Новая роль",
};

export const subjects: Typed<typeof english.subjects> = {
  roles: "Роль",
};

export const scopeAreas: Typed<typeof english.scopeAreas> = {
  users: "Пользователи",
  nodes: "Узлы",
  tunnels: "Туннели",
  templates: "Шаблоны",
  pool: "Инбаунды и аутбаунды",
  certificates: "Сертификаты",
  settings: "Настройки",
  stats: "Инспектор и журнал аудита",
  tools: "Инструменты ключей",
  admins: "Операторы и роли",
  tokens: "Токены",
  license: "Лицензия",
  backup: "Резервные копии",
  security: "Блокировки",
  webhooks: "Вебхуки",
  services: "Службы",
};
