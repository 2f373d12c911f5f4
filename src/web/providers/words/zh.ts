// Words of providers, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  providers: "登录提供方",
  newProvider: "新建提供方",
};

export const subjects: Typed<typeof english.subjects> = {
  "oidc-providers": "登录提供方",
};

export const refusals: Typed<typeof english.refusals> = {
  provider_reach: "设置此提供方的人权限小于此账户。须由权限更大的主管理员重新保存它。",
  provider_off: "此身份提供方已停用。",
};

export const rules: Typed<typeof english.rules> = {
  openid: "范围中必须包含 openid",
  subject_field: "请输入字段名，例如 id 或 data.id",
  issuer: "请只输入签发者，不带 /.well-known/、参数或片段",
};
