// Words of the settings, in Russian.
import { plural } from "../../words/plural.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
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
  moves: "Панель перезапускается. После этого она отвечает по другому адресу:",
  elsewhere: "Панель здесь не отвечает. Возможно, её адрес изменился:",
  lockTitle: "Закрыть доступ себе?",
  lockAnyway: "Всё равно сохранить",
  changedMeanwhile: (value: string) =>
    value === ""
      ? "Тем временем это изменил кто-то другой. Сохраните ещё раз, чтобы оставить своё значение."
      : `Тем временем кто-то другой задал здесь ${value}. Сохраните ещё раз, чтобы оставить своё значение.`,
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

export const titles: Typed<typeof english.titles> = {
  settings: "Настройки",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  web_domain: "Домен панели",
  web_url: "Публичный адрес панели",
  web_basepath: "Базовый путь",
  web_cert_file: "Файл сертификата",
  web_key_file: "Файл ключа",
  web_listen_ip: "Адрес прослушивания",
  web_listen_port: "Порт прослушивания",
  web_tls_mode: "TLS",
  web_tls_min: "Наименьшая версия TLS",
  web_cert_id: "Используемый сертификат",
  web_masquerade_dir: "Папка сайта-маскировки",
  acme_directory: "Каталог ACME",
  acme_eab_kid: "Учётная запись ACME: ID ключа",
  acme_eab_key: "Учётная запись ACME: ключ",
  timezone: "Часовой пояс",
  update_url: "Адрес обновлений",
  update_check: "Проверять обновления",
  backup_enabled: "Резервные копии по расписанию",
  backup_interval_hours: "Часов между копиями",
  backup_dir: "Папка копий",
  backup_keep: "Сколько копий хранить",
  backup_include_history: "С историей расхода",
  backup_include_audit: "С журналом изменений",
};

export const families: Typed<typeof english.families> = { panel: "Панель" };

export const raised: Typed<typeof english.raised> = {
  "panel.started": "панель запущена",
  "panel.stopping": "панель останавливается",
  "panel.crashed": "внутренняя ошибка панели",
  "panel.setup_completed": "панель настроена",
  "panel.settings_changed": "настройка изменена",
  "panel.restore_applied": "резервная копия восстановлена",
  "panel.backup_done": "резервная копия создана",
  "panel.backup_failed": "резервная копия не создана",
  "panel.backup_upload_failed": "резервная копия не выгружена",
  "panel.cert_renewed": "сертификат продлён",
  "panel.cert_renew_failed": "сертификат не продлён",
  "panel.cert_expiring": "срок сертификата скоро истечёт",
  "panel.ruleset_refresh_failed": "наборы правил не обновлены",
  "panel.update_available": "вышла новая версия",
  "panel.license_changed": "лицензия изменилась",
  "panel.license_expiring": "срок лицензии скоро истечёт",
  "panel.license_unverified": "лицензия не подтверждена",
  "panel.addon_registered": "дополнение зарегистрировано",
  "panel.addon_removed": "дополнение удалено",
  "panel.addon_unhealthy": "дополнение не отвечает",
  "panel.addon_recovered": "дополнение снова отвечает",
  "panel.addon_update_waiting": "обновление дополнения ждёт согласия",
};

export const subjects: Typed<typeof english.subjects> = {
  panel: "Панель",
  settings: "Настройка",
  setup: "Первый запуск",
};

export const actions: Typed<typeof english.actions> = {
  restart: "панель перезапущена",
};
