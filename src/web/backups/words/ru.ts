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
  encrypted: "Архив зашифрован: нужна его парольная фраза.",
  format: "Это не архив панели, или он изменён.",
  no_admins: "С тем, что есть в архиве, никто не смог бы войти.",
  passphrase: "У архива другая парольная фраза, или он изменён.",
};

export const titles: Typed<typeof english.titles> = {
  backups: "Резервные копии",
  backup: "Архив",
  backupFile: "Файл архива",
  backupSchedule: "Расписание резервных копий",
};
