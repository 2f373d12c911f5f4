// Words of roles, in Russian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  roles: "Роли",
  newRole: "Новая роль",
};

export const subjects: Typed<typeof english.subjects> = {
  roles: "Роль",
};
