// Words of navigation, in Russian.
import type { Typed } from "../language.ts";
import type { shell as english } from "./en.ts";

export const shell: Typed<typeof english> = {
  title: "Signalbox",
  skip: "К содержанию",
  navigation: "Страницы",
  groups: { overview: "", people: "Люди", network: "Сеть", watch: "Наблюдение", connect: "Связь", system: "Система" },
  more: "Ещё",
  add: "Создать",
  close: "Закрыть",
  search: "Поиск",
  searchFor: "Найти страницу, пользователя, узел, действие",
  found: { pages: "Страницы", actions: "Действия", users: "Пользователи", nodes: "Узлы", actors: "В инспекторе" },
  nothingFound: (text) => `По запросу «${text}» ничего не найдено.`,
  searching: "Поиск…",
  searchRefused: "Не удалось выполнить поиск по пользователям и узлам.",
  keys: {
    title: "Клавиши",
    onThisPage: "На этой странице",
    everywhere: "Везде",
    palette: "Найти и сделать что угодно",
    list: "Список клавиш",
    goTo: (page) => `Перейти: ${page}`,
    close: "Закрыть верхнее окно",
  },
  link: {
    live: "На связи",
    liveLong: "Соединение есть: изменения видны сразу.",
    connecting: "Соединение",
    connectingLong: "Соединение с панелью…",
    paused: "Пауза",
    pausedLong: "Остановлено, пока вкладка была скрыта.",
    lost: "Нет связи",
    lostFor: (since) => `Нет связи ${since}`,
    lostLong: (since) => `Панель недоступна уже ${since}. Попытки продолжаются.`,
    off: "Без обновлений",
    offLong: "Ваша роль не получает изменений сразу; страницы обновляются, когда вы на них смотрите.",
  },
  account: {
    tiers: { sudo: "Главный администратор", admin: "Администратор", resale: "Реселлер" },
    menu: "Учётная запись",
    profile: "Профиль и безопасность",
    language: "Язык",
    theme: "Тема",
    signOut: "Выйти",
  },
  themes: { light: "Светлая", dark: "Тёмная", auto: "Как на устройстве" },
  broken: {
    title: "Страница сломалась",
    text: "Это ошибка интерфейса; саму панель она не затронула.",
    again: "Загрузить снова",
    old: "Панель обновилась. Загрузите страницу заново, чтобы продолжить.",
  },
  missing: { title: "Такой страницы нет", text: "Адрес никуда не ведёт.", home: "К обзору" },
  barred: {
    title: "Ваша роль не открывает эту страницу",
    text: (role, scope) =>
      `Нужно разрешение ${scope}, которого нет у роли ${role}. Изменить это может главный администратор.`,
    account: "Эта страница для того, что вашей учётной записи не разрешено. Изменить это может главный администратор.",
  },
  unreached: { title: "Панель недоступна", retry: "Повторить" },
};
