// Words of users, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export { page } from "./page/zh.ts";

export const titles: Typed<typeof english.titles> = {
  users: "用户",
  newUser: "新建用户",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  alert_user_volume_percent: "流量用量超过（%）",
  alert_user_expiry_days: "到期前天数",
};

export const families: Typed<typeof english.families> = { user: "用户" };

export const raised: Typed<typeof english.raised> = {
  "user.created": "账户已创建",
  "user.updated": "已更改",
  "user.deleted": "账户已删除",
  "user.restored": "已删除的账户已恢复",
  "user.enabled": "面板已重新启用",
  "user.disabled": "面板已停用",
  "user.suspended": "被人停用",
  "user.resumed": "被人启用",
  "user.quota_reached": "流量已用尽：自身流量或其经销商的配额",
  "user.expired": "日期已过：自身或其经销商的日期",
  "user.quota_warning": "流量即将用尽",
  "user.expiring": "即将到期",
  "user.renewed": "已续期",
  "user.activated": "套餐已开始",
  "user.first_fetch": "链接首次被获取",
  "user.device_limit_reached": "拒绝了一台设备：已达上限",
};

export const raisedFor: Typed<typeof english.raisedFor> = {
  "user.disabled": {
    volume: "被面板停用：其流量已用尽",
    expiry: "被面板停用：其日期已过",
    "resale-volume": "被面板停用：其经销商的配额已用完",
    "resale-expiry": "被面板停用：其经销商的账户已到期",
  },
  "user.quota_reached": { volume: "其流量已用尽", "resale-volume": "其经销商的配额已用完" },
  "user.expired": { expiry: "其日期已过", "resale-expiry": "其经销商的账户已到期" },
};

export const subjects: Typed<typeof english.subjects> = {
  users: "用户",
};

export const actions: Typed<typeof english.actions> = {
  renew: "已续期",
  extend: "已延长",
  "reset-usage": "用量已重置",
  "sub.rotate": "已更换订阅链接",
  "device.delete": "已移除设备",
  batch: "已批量更改",
  "connections.close": "已关闭连接",
};

export const refusals: Typed<typeof english.refusals> = {
  nothing_to_extend: "没有可延后的结束日期：请先设置一个。",
  nothing_to_renew: "没有可续期的内容：请先设置结束日期或流量，或按天数或套餐续期。",
  no_term: "不知道它当初售出的期限。请按天数或套餐续期，此后即以此为期限。",
};

export const actors: Typed<typeof english.actors> = {
  user: {
    name: "用户",
    states: {
      enabled: "该账户可以使用。",
      "enabled.deciding": "正在检查各项上限；在同一步内结束。",
      "enabled.waiting": "套餐尚未开始计时：从首次流量开始。",
      "enabled.started": "账户正在使用，未超出上限。",
      disabled: "账户不可使用：由人、自身上限或经销商的上限停用。",
      "disabled.manual": "账户被人停用；面板不会自行恢复。",
      "disabled.deciding": "正在检查账户为何停用；在同一步内离开。",
      "disabled.volume": "流量已用尽；重置、续期或增加流量后恢复。",
      "disabled.expiry": "已过到期日；续期或延后日期后恢复。",
      "disabled.resaleVolume": "所属经销商的额度已用尽。",
      "disabled.resaleExpiry": "所属经销商的账户已到期。",
    },
    events: {
      due: "达到上限或日期",
      edited: "上限已修改",
      extended: "已增加流量或时间",
      renewed: "已续期",
      switchOff: "已停用",
      switchOn: "已启用",
      usageReset: "用量已重置",
    },
    dues: {
      "disabled.volume": "已达流量上限",
      "disabled.expiry": "已到结束日期",
      "disabled.resaleVolume": "经销商的额度已用尽",
      "disabled.resaleExpiry": "经销商的账户已到期",
    },
    deadlines: {},
    effects: {},
    guards: {
      startsOff: "创建时为停用",
      resetDue: "用量重置时间已到",
      hasTraffic: "已有流量",
      notStarted: "套餐尚未开始",
      expired: "已过结束日期",
      limited: "流量已用尽",
      limitedUnwarned: "流量在提醒之前已用完",
      quotaFar: "用量又回到提醒线以下",
      quotaNear: "用量已达到提醒比例",
      dateNear: "已进入到期前的提醒期",
      resaleVolume: "经销商的额度已用尽",
      resaleExpiry: "经销商的账户已到期",
      resetDueWhileOpen: "用量重置已到期，账户未过期，且经销商允许",
      withinLimits: "未达任何上限",
    },
  },
};
