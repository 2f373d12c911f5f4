// Words of the page about who may sign in, in Russian.
import { plural } from "../../words/plural.ts";
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "Безопасность",
  text: "Кто не может войти и до какого времени.",
  bans: "Заблокированные адреса",
  none: "Никто не заблокирован",
  noneText: "Пять отклонённых входов за десять минут блокируют адрес на пятнадцать.",
  reasons: { "refused sign-ins": "Неверные пароли или коды", "wrong setup token": "Неверный токен первого запуска" },
  attempts: (n: number, text: string) =>
    plural("ru", n, {
      one: `${text} попытка`,
      few: `${text} попытки`,
      many: `${text} попыток`,
      other: `${text} попытки`,
    }),
  left: "Осталось",
  lift: "Снять",
  liftOf: (ip: string) => `Снять блокировку ${ip}`,
  liftTitle: (ip: string) => `Снять блокировку ${ip}?`,
  liftText: "С этого адреса сразу можно будет войти снова.",
  lifted: (ip: string) => `Адрес ${ip} снова может входить`,
};

export const titles: Typed<typeof english.titles> = {
  security: "Безопасность",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  trusted_proxies: "Доверенные прокси",
  login_allowlist: "Адреса, с которых можно войти",
};

export const raised: Typed<typeof english.raised> = {
  "panel.ip_banned": "адрес заблокирован",
};

export const subjects: Typed<typeof english.subjects> = {
  bans: "Блокировка",
};
