// Words of the API's reference, in Russian.
import type { Typed } from "../language.ts";
import type { reference as english } from "./en.ts";

export const reference: Typed<typeof english> = {
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
