// Words of backups, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const settingLabels: Typed<typeof english.settingLabels> = {
  backup_rehearse: "试恢复每个定时备份",
};

export const subjects: Typed<typeof english.subjects> = {
  backups: "备份",
};

export const actions: Typed<typeof english.actions> = {
  download: "已下载",
};

export const refusals: Typed<typeof english.refusals> = {
  format: "这不是面板的备份，或者已被改动。",
};
