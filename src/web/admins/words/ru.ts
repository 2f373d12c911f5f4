// Words of admins, in Russian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  admins: "Операторы",
  newAdmin: "Новый оператор",
};

export const families: Typed<typeof english.families> = { admin: "Администраторы" };

export const raised: Typed<typeof english.raised> = {
  "admin.login": "вход выполнен",
  "admin.login_failed": "во входе отказано",
  "admin.login_new_ip": "вход с нового адреса",
  "admin.2fa_changed": "двухфакторный вход изменён",
  "admin.owner_changed": "теперь владеет панелью",
};

export const subjects: Typed<typeof english.subjects> = {
  admins: "Администратор",
};

export const actions: Typed<typeof english.actions> = {
  owner: "владение передано",
};
