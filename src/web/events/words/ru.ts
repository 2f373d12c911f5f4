// Words of the page of events, in Russian.
import { plural } from "../../words/plural.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "События",
  search: "Поиск по имени и тексту",
  event: "Событие",
  any: "Любое событие",
  anyRecord: "События обо всём",
  only: (name) => `Только события: ${name}`,
  onlyEvent: "Только события с этим именем",
  held: "Удержано",
  heldLong: "Пока вы читаете, список не двигается.",
  liveLong: "События появляются сразу.",
  lostLong: "Что произойдёт за это время, появится после восстановления связи.",
  pause: "Пауза",
  follow: "Следить",
  fresh: (n) => plural("ru", n, { one: `${n} новое`, few: `${n} новых`, many: `${n} новых`, other: `${n} новых` }),
  freshMany: (n) => `Больше ${n} новых`,
  older: "Более ранние события",
  none: "Ещё ничего не произошло",
  noneText: "Здесь сразу видно, что делают панель, узлы и пользователи.",
  deaf: "Ваша роль не получает событий.",
};

export const titles: Typed<typeof english.titles> = {
  events: "События",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  event_retention_days: "Сколько дней хранить события",
};
