// Words of roles, in Persian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  roles: "نقش‌ها",
  newRole: "نقش جدید",
};

export const subjects: Typed<typeof english.subjects> = {
  roles: "نقش",
};
