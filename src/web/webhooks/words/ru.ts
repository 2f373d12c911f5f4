// Words of the pages of webhooks, in Russian.
import { plural } from "../../words/plural.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "Вебхуки",
  newTitle: "Новый вебхук",
  add: "Добавить вебхук",
  create: "Создать вебхук",
  count: (n, shown) =>
    plural("ru", n, {
      one: `${shown} вебхук`,
      few: `${shown} вебхука`,
      many: `${shown} вебхуков`,
      other: `${shown} вебхука`,
    }),
  search: "Имя или адрес",
  empty: {
    title: "Вебхуков пока нет",
    text: "Вебхук сообщает другой программе, например магазину или боту, что здесь происходит.",
  },
  gone: "Такого вебхука нет",
  deliveryGone: "Такой доставки нет",
  groups: { where: "Куда" },
  fields: {
    name: "Имя",
    url: "Адрес",
    urlHelp: "Туда отправляется каждое событие.",
    enabled: "Включён",
    account: "Учётная запись",
    accountHelp: "О чьих пользователях сообщать.",
    ownAccount: "Та, что сохраняет вебхук",
    ownOnly: "Только события пользователей своей учётной записи",
  },
  events: "События",
  event: "Событие",
  everything: "Все",
  someEvents: "Выбранные события",
  allOf: (family) => `${family}: все`,
  eventCount: (n) => `Выбрано: ${n}`,
  signIt: "Подписывать доставки",
  signed: "С подписью",
  unsigned: "Без подписи",
  state: "Состояние",
  lastStatus: "Последний ответ",
  lastDelivered: "Последняя доставка",
  standing: { off: "выкл.", failing: "сбой", idle: "ещё ничего не отправлено", ok: "доставляет" },
  test: "Отправить пробное событие",
  isOff: "Вебхук отключён.",
  enable: "Включить",
  disable: "Отключить",
  rotate: "Сменить секрет",
  sign: "Подписывать доставки",
  rotateTitle: (name) => `Новый секрет для ${name}?`,
  rotateText: "Доставки сразу подписываются новым секретом. Пока получатель его не знает, он их отклоняет.",
  signText: "С этого момента доставки подписываются.",
  secretOf: (name) => `Секрет вебхука ${name}`,
  secretText: "По нему получатель проверяет подпись каждой доставки.",
  remove: "Удалить",
  removeTitle: (name) => `Удалить ${name}?`,
  removeText: "Вместе с ним удаляются его доставки, также ещё не отправленные.",
  settings: "Настройки",
  deliveries: "Доставки",
  states: { pending: "ожидает", delivered: "доставлено", dead: "не доставлено" },
  anyState: "Все",
  searchEvents: "Имя события",
  answer: "Ответ",
  attempts: "Попытки",
  nextTry: "Следующая попытка",
  raisedAt: "Произошло",
  resend: "Отправить снова",
  resendDead: "Отправить снова все недоставленные",
  noDeliveries: { title: "Ещё ничего не отправлено", text: "Отправьте пробное событие или дождитесь первого." },
  sent: "Отправлено",
  cameBack: "Ответ",
  took: "Заняло",
  headers: "Заголовки",
  body: "Тело",
  noBody: "Без тела.",
  withheld: "Ваша роль не видит, что было отправлено и что пришло в ответ.",
  failures: {
    status: (status) => `Получатель ответил ${status}`,
    redirect: (status) => `Получатель ответил ${status}: перенаправления не выполняются`,
    no_answer: (seconds) => `Нет ответа за ${seconds} с`,
    unknown_name: (host) => `У имени ${host} нет адреса`,
    private_target: (host) => `${host} – частный адрес, такие адреса не разрешены`,
    plain_http: "Разрешён только https",
    connection: (code) => `Соединение не удалось: ${code}`,
    event_gone: "Событие больше не хранится",
    failed: (text) => text,
  },
  done: {
    created: (name) => `Вебхук ${name} создан`,
    saved: (name) => `Вебхук ${name} сохранён`,
    enabled: (name) => `Вебхук ${name} включён`,
    disabled: (name) => `Вебхук ${name} отключён`,
    removed: (name) => `Вебхук ${name} удалён`,
    tested: (name) => `Пробное событие отправляется: ${name}`,
    resent: (n) =>
      plural("ru", n, {
        one: `${n} доставка отправляется снова`,
        few: `${n} доставки отправляются снова`,
        many: `${n} доставок отправляются снова`,
        other: `${n} доставки отправляются снова`,
      }),
  },
};

export const titles: Typed<typeof english.titles> = {
  webhooks: "Вебхуки",
  newWebhook: "Новый вебхук",
  deliveries: "Доставки",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  webhook_allow_private: "Разрешить внутренние адреса и http",
};

export const raised: Typed<typeof english.raised> = {
  "panel.ping": "проверочное событие",
};

export const subjects: Typed<typeof english.subjects> = {
  webhooks: "Вебхук",
};

export const actions: Typed<typeof english.actions> = {
  ping: "отправлено проверочное событие",
  resend: "доставка повторена",
};

export const refusals: Typed<typeof english.refusals> = {
  webhook_off: "Вебхук выключен.",
};

export const rules: Typed<typeof english.rules> = {
  event_filter: "Введите имя события или семейство, например user.*",
};
