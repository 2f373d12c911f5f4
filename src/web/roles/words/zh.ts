// Words of roles, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  roles: "角色",
  newRole: "新建角色",
};

export const subjects: Typed<typeof english.subjects> = {
  roles: "角色",
};
