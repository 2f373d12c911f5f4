// Words of backups, in Russian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export { page } from "./page/ru.ts";

export const settingLabels: Typed<typeof english.settingLabels> = {
  backup_rehearse: "Проверять каждую копию по расписанию",
};

export const subjects: Typed<typeof english.subjects> = {
  backups: "Резервная копия",
};

export const actions: Typed<typeof english.actions> = {
  download: "скачано",
};

export const refusals: Typed<typeof english.refusals> = {
  busy: "Уже идёт другое восстановление. Дождитесь его конца.",
  encrypted: "Архив зашифрован: нужна его парольная фраза.",
  format: "Это не архив панели, или он изменён.",
  no_admins: "С тем, что есть в архиве, никто не смог бы войти.",
  passphrase: "У архива другая парольная фраза, или он изменён.",
};

export const actors: Typed<typeof english.actors> = {
  restore: {
    name: "Восстановления",
    states: {
      snapshotting: "Создаётся архив того, что есть сейчас.",
      building: "Архив проверяется, и из него строится новая база рядом с используемой.",
      exchanging: "Узлам, которых нет в архиве, велено остановиться, и базы меняются местами.",
      staged: "Новая база ждёт рядом с используемой; следующий запуск панели поменяет их местами.",
      applied: "Панель работает с тем, что было в архиве.",
      failed: "Восстановление прекращено; всё осталось как было.",
    },
    events: {},
    dues: {},
    deadlines: {
      snapshotDeadline: "архив того, что есть, не был готов вовремя",
      buildDeadline: "новая база не была построена вовремя",
      exchangeDeadline: "базы не поменялись местами вовремя",
    },
    effects: {
      snapshot: "архив того, что есть",
      build: "новая база",
      exchange: "замена базы",
    },
    guards: {
      isRefusal: "архив не принят",
      isApplied: "замена уже сделана",
    },
  },
};

export const titles: Typed<typeof english.titles> = {
  backups: "Резервные копии",
  backup: "Архив",
  backupFile: "Файл архива",
  backupSchedule: "Расписание резервных копий",
};
