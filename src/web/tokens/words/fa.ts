// Words of tokens, in Persian.
import { ltr } from "../../words/isolate.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  tokens: `توکن‌های ${ltr("API")}`,
  newToken: "توکن جدید",
};

export const subjects: Typed<typeof english.subjects> = {
  tokens: "توکن",
};

export const refusals: Typed<typeof english.refusals> = {
  own_password: "توکن گذرواژهٔ حساب خودش را تعیین نمی‌کند.",
  held_by_addon: "یک افزونه این توکن را در اختیار دارد.",
};
