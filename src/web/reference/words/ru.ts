// Words of the API's reference, in Russian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "Справочник API",
  lead: "Все операции этой панели из её собственного описания. Запросы идут на /api/v1.",
  search: "Поиск по пути, имени или назначению",
  chapters: "Разделы",
  scopes: "Области доступа:",
  parameters: "Параметры",
  body: "Тело",
  answers: "Ответы",
  events: "События для вебхуков",
  example: "Пример",
  required: "обязательно",
  fields: "поля",
  nothing: "Ничего не найдено.",
};

export const titles: Typed<typeof english.titles> = {
  reference: "Справочник API",
};
