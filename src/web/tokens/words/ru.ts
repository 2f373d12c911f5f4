// Words of tokens, in Russian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  tokens: "Токены API",
  newToken: "Новый токен",
};

export const subjects: Typed<typeof english.subjects> = {
  tokens: "Токен",
};

export const refusals: Typed<typeof english.refusals> = {
  own_password: "Токен не задаёт пароль собственной учётной записи.",
  held_by_addon: "Этим токеном владеет дополнение.",
};
