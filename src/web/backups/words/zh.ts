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
  busy: "另一个恢复正在进行。请等它结束。",
  encrypted: "存档已加密：需要它的密码。",
  format: "这不是面板的存档，或者它被改动过。",
  no_admins: "用存档里的内容，没有人能登录。",
  passphrase: "存档的密码不同，或者它被改动过。",
};

export const actors: Typed<typeof english.actors> = {
  restore: {
    name: "恢复",
    states: {
      snapshotting: "正在为现有内容生成存档。",
      building: "正在检查存档，并在现用数据库旁边建立新的数据库。",
      exchanging: "正在通知存档里没有的节点停止，并交换数据库。",
      staged: "新数据库已在现用数据库旁边就绪；面板下次启动时交换。",
      applied: "面板正在使用存档里的内容。",
      failed: "恢复已放弃；一切保持原样。",
    },
    events: {},
    dues: {},
    deadlines: {
      snapshotDeadline: "现有内容的存档没有按时生成",
      buildDeadline: "新数据库没有按时建成",
      exchangeDeadline: "数据库没有按时交换",
    },
    effects: {
      snapshot: "现有内容的存档",
      build: "新数据库",
      exchange: "交换",
    },
    guards: {
      isRefusal: "存档不被接受",
      isApplied: "已经交换过",
    },
  },
};

export const titles: Typed<typeof english.titles> = {
  backups: "备份",
  backup: "归档",
  backupFile: "归档文件",
  backupSchedule: "备份计划",
};
