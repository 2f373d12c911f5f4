// Words of tokens, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  tokens: "API 令牌",
  newToken: "新建令牌",
};

export const subjects: Typed<typeof english.subjects> = {
  tokens: "令牌",
};

export const refusals: Typed<typeof english.refusals> = {
  own_password: "令牌不能设置其自身账户的密码。",
  held_by_addon: "此令牌由一个附加组件持有。",
};
