// Words of the profile, in Russian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

const rules = new Intl.PluralRules("ru");

export const page: Typed<typeof english.page> = {
  title: "Профиль",
  account: {
    title: "Учётная запись",
    username: "Имя пользователя",
    role: "Роль",
    tier: "Вид",
    owner: "Владелец этой панели",
    scopes: "Разрешения",
    scopesCount: (count) =>
      `${String(count)} ${rules.select(count) === "one" ? "разрешение" : rules.select(count) === "few" ? "разрешения" : "разрешений"}`,
  },
  shown: {
    title: "Отображение",
    note: "Хранится с вашей учётной записью и одинаково во всех браузерах.",
    language: "Язык",
    theme: "Тема",
    calendar: "Календарь",
    calendars: { gregory: "Григорианский", persian: "Джалали" },
    zone: "Время в часовом поясе",
    zones: {
      panel: (name) => `панели (${name})`,
      panelUnknown: "панели",
      browser: (name) => `этого браузера (${name})`,
    },
  },
  password: {
    title: "Пароль",
    current: "Текущий пароль",
    next: "Новый пароль",
    repeat: "Новый пароль ещё раз",
    rule: "От 8 до 256 знаков, не совпадает с именем. Остальные ваши сеансы завершатся.",
    differs: "Пароли не совпадают.",
    wrong: "Это не ваш пароль.",
    change: "Сменить пароль",
    done: "Пароль изменён; остальные ваши сеансы завершены.",
  },
  factor: {
    onBadge: "Включён",
    offBadge: "Выключен",
    title: "Двухфакторный вход",
    off: "Украденного пароля хватит, чтобы войти.",
    on: (since) => `С ${since}.`,
    codesLeft: (count) => `Осталось кодов восстановления: ${String(count)}.`,
    begin: "Включить",
    scan: "Отсканируйте код приложением-аутентификатором и введите шесть цифр, которые оно покажет.",
    secret: "Или введите секрет вручную",
    code: "Код",
    cancel: "Отмена",
    wrong: "Код неверен или уже использован. Дождитесь следующего.",
    codesTitle: "Сохраните коды восстановления",
    codesText: "Каждый один раз впустит вас, если аутентификатор потерян. Показываются только сейчас.",
    renew: "Новые коды восстановления",
    renewText: "Десять новых кодов заменят прежние. Введите код из аутентификатора.",
    end: "Выключить",
    endText: "Для входа хватит одного пароля. Введите код из аутентификатора или код восстановления.",
    endConfirm: "Выключить двухфакторный вход",
    ended: "Двухфакторный вход выключен.",
    started: "Двухфакторный вход включён.",
  },
  sessions: {
    title: "Сеансы",
    note: "Где вы вошли.",
    current: "Этот",
    device: (browser, system) => `${browser}, ${system}`,
    unknown: "Неизвестная программа",
    seen: "Последняя активность",
    since: "Вход",
    until: "Завершится",
    remembered: "сохраняется 30 дней",
    via: { password: "по паролю", oidc: "через провайдера входа" },
    end: "Завершить",
    ended: "Сеанс завершён.",
    endOthers: "Завершить остальные",
    endOthersTitle: "Завершить все остальные сеансы?",
    endOthersText: (count) =>
      `${String(count)} ${rules.select(count) === "one" ? "сеанс завершится" : rules.select(count) === "few" ? "сеанса завершатся" : "сеансов завершатся"} сразу, где бы они ни были.`,
    othersEnded: "Все остальные сеансы завершены.",
  },
  links: {
    title: "Провайдеры входа",
    note: "Вход без пароля через учётные записи, которые вы здесь свяжете.",
    none: "Ничего не связано.",
    link: (provider) => `Связать ${provider}`,
    linkText: "Введите пароль; затем провайдер попросит войти у него.",
    password: "Пароль",
    goOn: "Продолжить",
    cancel: "Отмена",
    unlink: "Отвязать",
    unlinkTitle: (provider) => `Отвязать ${provider}?`,
    unlinkText: "Через него больше нельзя будет войти. Сеансы, начатые так, останутся.",
    unlinked: "Связь удалена.",
    used: "Последнее использование",
    never: "никогда",
    landed: {
      linked: "Связано: теперь через этого провайдера можно входить.",
      "link-taken": "Эта учётная запись провайдера уже связана с другой записью панели.",
      "link-error": "Связать не удалось. Попробуйте ещё раз.",
    },
  },
};

export const titles: Typed<typeof english.titles> = {
  profile: "Профиль",
};

export const subjects: Typed<typeof english.subjects> = {
  "oidc-links": "Связанный вход",
  sessions: "Сеанс",
};

export const actions: Typed<typeof english.actions> = {
  login: "вход выполнен",
  logout: "выход выполнен",
  confirm: "второй фактор подтверждён",
  password: "пароль изменён",
  "2fa.enrol": "начата настройка второго фактора",
  "2fa.enable": "второй фактор включён",
  "2fa.disable": "второй фактор выключен",
  "2fa.recovery": "созданы новые коды восстановления",
  "sessions.delete": "сеансы завершены",
  interface: "интерфейс настроен",
  start: "начата привязка",
};
