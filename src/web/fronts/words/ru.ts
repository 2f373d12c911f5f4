// Words of domain fronts, in Russian.
import { plural } from "../../words/plural.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "Фронты",
  count: (count: number, shown: string) =>
    plural("ru", count, {
      one: `${shown} фронт`,
      few: `${shown} фронта`,
      many: `${shown} фронтов`,
      other: `${shown} фронта`,
    }),
  add: "Добавить фронт",
  create: "Создать фронт",
  gone: "Такого фронта нет",
  search: "Имя, домен, адрес или заметка",
  none: { title: "Фронтов пока нет", text: "Фронт — ещё один путь к инбаунду: через CDN или прокси перед узлом." },
  groups: { front: "Фронт", reaches: "Как до него доходят клиенты", more: "Адрес клиента" },
  fields: {
    name: "Имя",
    domain: "Домен",
    address: "Адрес",
    port: "Порт",
    sni: "Имя в TLS",
    path: "Путь",
    remark: "Заметка",
    enabled: "Вкл.",
    clientHeader: "Заголовок фронта",
    inboundIds: "Инбаунды",
  },
  help: {
    domain: "Его клиенты запрашивают в Host.",
    address: "Сюда подключаются клиенты: адрес CDN, который не заблокирован.",
    sni: "Его клиенты запрашивают в TLS.",
    path: "Если фронт переводит его в путь инбаунда.",
    remark: "Стоит в конце имени сервера у клиента.",
    inboundIds: "Через фронт проходят только ws, httpupgrade, grpc и xhttp без REALITY.",
    clientHeader:
      "Если он есть в запросе, инбаунды xhttp берут адрес клиента из X-Forwarded-For. Пусть до узла доходит только фронт, иначе оставьте поле пустым. Изменение закрывает соединения этих инбаундов.",
  },
  asDomain: "Сам домен",
  usualPort: "443",
  ownPath: "Путь инбаунда",
  ownName: "Имя фронта",
  nobody: "Не доверять никому",
  states: { on: "Вкл.", off: "Выкл." },
  state: "Состояние",
  switchOn: "Включить",
  switchOff: "Выключить",
  switchedOn: (name: string) => `Включено: ${name}. Клиенты получат его при следующем запросе.`,
  switchedOff: (name: string) => `Выключено: ${name}. У клиентов он исчезнет при следующем запросе.`,
  remove: "Удалить",
  removeTitle: (name: string) => `Удалить ${name}?`,
  removeText: (count: number, shown: string) =>
    plural("ru", count, {
      one: `Он уходит из ${shown} инбаунда. У клиентов он исчезнет при следующем запросе.`,
      few: `Он уходит из ${shown} инбаундов. У клиентов он исчезнет при следующем запросе.`,
      many: `Он уходит из ${shown} инбаундов. У клиентов он исчезнет при следующем запросе.`,
      other: `Он уходит из ${shown} инбаундов. У клиентов он исчезнет при следующем запросе.`,
    }),
  removed: (name: string) => `Удалено: ${name}.`,
  saved: (name: string) => `Сохранено: ${name}. Клиенты получат это при следующем запросе.`,
  gives: {
    title: "Что получают клиенты",
    server: "Подключение",
    host: "Host",
    tls: "TLS",
    noTls: "Нет: порт для обычного HTTP",
    path: "Путь",
    entry: "Конец имени",
    off: "Ничего: фронт выключен.",
    nowhere: "Ничего: у него пока нет инбаунда.",
  },
  of: {
    choose: "Добавить фронт",
    newOne: "Новый фронт",
    none: "Клиенты доходят до этого инбаунда только через узлы.",
    order: "Клиенты получают по серверу на каждый, в этом порядке, вместе с узлами.",
    alone: "Клиенты получают по серверу на каждый, в этом порядке, и ни одного узла.",
    unfit: "Сейчас этот инбаунд не может работать за фронтом: его фронты ничего не дают.",
    most: (most: string) => `Не больше ${most}.`,
    moveUp: (name: string) => `Поднять ${name}`,
    moveDown: (name: string) => `Опустить ${name}`,
    take: (name: string) => `Убрать ${name}`,
    saved: (inbound: string) => `Фронты сохранены: ${inbound}.`,
  },
};

export const titles: Typed<typeof english.titles> = {
  fronts: "Фронты",
  newFront: "Новый фронт",
};

export const subjects: Typed<typeof english.subjects> = {
  fronts: "Фронт",
};

export const actions: Typed<typeof english.actions> = {
  fronts: "выбраны фронты",
};

export const refusals: Typed<typeof english.refusals> = {
  too_many_fronts: "У инбаунда может быть не больше 20 фронтов.",
};
