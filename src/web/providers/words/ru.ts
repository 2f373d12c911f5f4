// Words of providers, in Russian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  providers: "Провайдеры входа",
  newProvider: "Новый провайдер",
};

export const subjects: Typed<typeof english.subjects> = {
  "oidc-providers": "Провайдер входа",
};

export const refusals: Typed<typeof english.refusals> = {
  provider_reach:
    "Тот, кто настроил этого провайдера, имеет меньше прав, чем эта учётная запись. Его должен заново сохранить главный администратор с большими правами.",
  provider_off: "Этот провайдер входа выключен.",
};

export const rules: Typed<typeof english.rules> = {
  openid: "Среди областей должна быть openid",
  subject_field: "Введите имя поля, например id или data.id",
  issuer: "Введите только издателя, без /.well-known/, параметров и фрагмента",
};
