// Words of backups, in Russian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

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
  format: "Это не резервная копия панели, или она изменена.",
};
