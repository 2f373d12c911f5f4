// Words of the page about who may sign in, in Russian.
import { plural } from "../../format/plural.ts";
import type { Words } from "../language.ts";

export const security: Words["security"] = {
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
