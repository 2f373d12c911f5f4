// Words of deleted users, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "已删除的用户",
  total: (_, shown) => `${shown} 个已删除的用户`,
  search: "名称、分组、链接",
  none: "最近没有删除任何用户",
  noneText: "被删除的用户会出现在这里，在面板清除之前都可以恢复。",
  columns: {
    name: "名称",
    deleted: "删除时间",
    by: "操作者",
    until: "保留至",
    usage: "用量",
    ends: "到期",
    owner: "所有者",
  },
  panel: "面板本身",
  restore: "恢复",
  restoreTitle: (name) => `恢复 ${name}？`,
  restoreText: "链接、凭据、计数和设备都会恢复。除非达到上限，服务器会立即为其服务。",
  ended: (date) => `已于 ${date} 到期，恢复后处于关闭状态。`,
  usedUp: "流量已用完，恢复后处于关闭状态。",
  wasOff: "之前已关闭，恢复后仍然关闭。",
  taken: "有些值现在已被他人使用，请另选：",
  name: "名称",
  subId: "链接名称",
  subIdText: "原来的链接现在属于他人。",
  externalId: "商店编号",
  credentials: "将获得新的凭据：应用需要重新获取链接。",
  restored: (name) => `${name} 已恢复`,
  restoredMany: (done, total) => `已恢复 ${done} / ${total}`,
  restoreManyTitle: (n) => `恢复 ${n} 个用户？`,
  restoreManyText: "名称或链接已被他人使用的用户会留在这里并保持选中。",
  refused: (n, reason) => `${n} 个未恢复：${reason}`,
  forget: "彻底删除",
  forgetTitle: (name) => `彻底删除 ${name}？`,
  forgetText: "之后将无法恢复。",
  forgotten: (name) => `${name} 已彻底删除`,
  back: "用户",
};

export const titles: Typed<typeof english.titles> = {
  deletedUsers: "已删除的用户",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  deleted_retention_days: "已删除用户保留天数",
};

export const actions: Typed<typeof english.actions> = {
  restore: "已恢复",
  forget: "已彻底删除",
};
