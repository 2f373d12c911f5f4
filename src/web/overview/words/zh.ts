// Words of the overview, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  nodeStatus: { connected: "已连接", connecting: "连接中", error: "错误", disabled: "已停用" },
  title: "概览",
  tiles: { users: "用户", online: "当前在线", nodes: "节点", panel: "面板", ending: "7 天内到期", spent: "流量用尽" },
  proxy: {
    title: "有代理不受信任",
    text: (address) =>
      `请求经由 ${address} 到达，它说明了代谁请求，但不被采信。如果这是您的代理，请将其加入受信任的代理：在此之前，所有访客都算作同一个地址，共用一个上限。`,
    open: "受信任的代理",
  },
  closed: {
    title: "有地址未能监听",
    text: (places) =>
      `订阅应在 ${places} 上应答，但此面板无法在那里监听。它会自行重试：请检查哪个程序占用了端口，或更改该设置。`,
    open: "其他监听地址",
  },
  chooseTiles: "选择卡片",
  tileUp: (name) => `上移 ${name}`,
  tileDown: (name) => `下移 ${name}`,
  uptime: "运行时长",
  ofUsers: (share) => `占全部用户的 ${share}`,
  connectedOf: (connected, all) => `${connected} / ${all}`,
  memory: (used) => `内存 ${used}`,
  userStatus: {
    active: "正常",
    pending: "未开始",
    limited: "已用尽",
    expired: "已到期",
    disabled: "已停用",
    reseller: "因经销商停用",
  },
  needs: "待处理",
  oldestFirst: "最早的在前",
  nothingWaits: "没有等待您处理的事项。",
  allInError: "所有出错的节点",
  quarantine: "已隔离",
  quarantineWhy: "其状态图连续三次失败；已停止处理。",
  quarantineNext: "查看后恢复",
  lately: "最近事件",
  allEvents: "全部事件",
  nothingYet: "还没有发生任何事件。",
  allowance: {
    title: "您的配额",
    left: "剩余",
    nextReset: "重新开始",
    ends: "您的账户到期",
    users: "用户",
    spent: "您的配额已用完：没有节点为您的用户服务。请申请更大的配额。",
    spentUntil: (date) => `您的配额已用完：在 ${date} 重新开始之前，没有节点为您的用户服务。`,
    ended: (date) => `您的账户已于 ${date} 到期：没有节点为您的用户服务。`,
  },
  figures: {
    traffic: "各节点流量",
    topUsers: "用量最大的用户",
    growth: "用户增减",
    ends: "即将到期",
    range: "范围",
    ranges: { "24h": "24 小时", "7d": "7 天", "30d": "30 天", "90d": "90 天" },
    before: (share) => `与上一时段相比 ${share}`,
    comparison: "与上一时段相比",
    more: "增加",
    less: "减少",
    rest: (_, text, bytes) => `另有 ${text} 个：${bytes}`,
    noTraffic: "此范围内没有已知的流量。",
    same: "持平",
    perHour: "按小时",
    perDay: "按天",
    deeds: { created: "新建", renewed: "续期", expired: "到期", limited: "用尽", deleted: "删除" },
    notCounted: "刚刚开始计数。",
    endsWeek: "7 天内",
    endsMonth: "30 天内",
    noEnds: "30 天内没有人到期。",
  },
  steps: {
    title: "第一步",
    away: "收起",
    done: "已完成",
    begun: (name) => `${name} 尚未连接。`,
    seeBegun: "查看原因",
    serve: { name: "确定提供什么", text: "一个入站以及包含它的模板。", action: "开始" },
    node: { name: "连接一个节点", text: "本机，或用一条命令接入另一台服务器。", action: "添加节点" },
    user: { name: "创建用户", text: "只需一个名称。", action: "创建用户" },
    link: { name: "交付链接", text: "客户端首次获取订阅后即完成。", action: "复制链接" },
  },
};

export const titles: Typed<typeof english.titles> = {
  overview: "概览",
};

export const actions: Typed<typeof english.actions> = {
  dashboard: "已调整概览",
};

export const rules: Typed<typeof english.rules> = {
  tiles: "最多 64 个由 a-z、0-9 和 - 组成的名称",
};
