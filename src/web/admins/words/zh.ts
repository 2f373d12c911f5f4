// Words of admins, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  admins: "操作员",
  newAdmin: "新建操作员",
};

export const families: Typed<typeof english.families> = { admin: "管理员" };

export const raised: Typed<typeof english.raised> = {
  "admin.login": "已登录",
  "admin.login_failed": "登录被拒绝",
  "admin.login_new_ip": "从新地址登录",
  "admin.2fa_changed": "两步登录已更改",
  "admin.owner_changed": "现为面板所有者",
};

export const subjects: Typed<typeof english.subjects> = {
  admins: "管理员",
};

export const actions: Typed<typeof english.actions> = {
  owner: "已移交所有权",
};
