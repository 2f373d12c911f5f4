// Words of the settings, in Russian.
import { plural } from "../../format/plural.ts";
import type { Words } from "../language.ts";

export const settings: Words["settings"] = {
  title: "Настройки",
  search: "Поиск по названию или значению",
  allGroups: "Все",
  none: "Ничего не найдено",
  clear: "Показать все настройки",
  empty: "пусто",
  on: "вкл.",
  off: "выкл.",
  reset: "Вернуть по умолчанию",
  unsaved: "не сохранено",
  pending: "Нужен перезапуск",
  atRestart: "Действует после перезапуска",
  unused: "Пока не действует",
  unusedText: "Панель хранит это значение, но пока не использует.",
  mainAdmins: "Только главный администратор",
  readOnly: "Ваша роль видит настройки, но не меняет их.",
  secretKept: "Значение сохранено. Оставьте пустым, чтобы не менять.",
  secretNone: "Значения нет.",
  restart: "Перезапустить",
  restartTitle: "Перезапустить панель?",
  restartText: "Несколько секунд она не отвечает. Узлы и соединения пользователей работают. Страница вернётся сама.",
  restarting: "Панель перезапускается",
  restarted: "Панель перезапущена",
  elsewhere: "Панель здесь не отвечает. Возможно, её адрес изменился:",
  lockTitle: "Закрыть доступ себе?",
  lockAnyway: "Всё равно сохранить",
  default: (value: string) => `По умолчанию: ${value}`,
  waiting: (n: number, text: string) =>
    plural("ru", n, {
      one: `${text} настройка ждёт перезапуска`,
      few: `${text} настройки ждут перезапуска`,
      many: `${text} настроек ждут перезапуска`,
      other: `${text} настройки ждут перезапуска`,
    }),
  lockOut: (ip: string) => `Вашего адреса ${ip} нет в списке: вы выйдете и не сможете войти снова.`,
  domainOut: (host: string) =>
    `Вы открываете панель по имени ${host}. Без базового пути оно будет отдавать только подписки.`,
  saved: (n: number, text: string) =>
    plural("ru", n, {
      one: `${text} настройка сохранена`,
      few: `${text} настройки сохранены`,
      many: `${text} настроек сохранено`,
      other: `${text} настройки сохранены`,
    }),
  groups: {
    general: "Общее",
    web: "Панель и её адрес",
    access: "Вход",
    subscriptions: "Подписки",
    client_apps: "Приложения",
    certificates: "Сертификаты",
    events: "События и вебхуки",
    records: "Хранение данных",
    alerts: "Оповещения",
    backups: "Резервные копии",
    updates: "Обновления",
  },
  tlsModes: {
    none: "Нет: этим занят прокси",
    self_signed: "Собственный сертификат",
    files: "Сертификат из файлов",
  },
};
