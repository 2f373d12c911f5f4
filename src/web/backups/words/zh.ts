// Words of backups, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export { page } from "./page/zh.ts";

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
  encrypted: "存档已加密：需要它的密码。",
  format: "这不是面板的存档，或者它被改动过。",
  no_admins: "用存档里的内容，没有人能登录。",
  passphrase: "存档的密码不同，或者它被改动过。",
};

export const titles: Typed<typeof english.titles> = {
  backups: "备份",
  backup: "归档",
  backupFile: "归档文件",
  backupSchedule: "备份计划",
};
