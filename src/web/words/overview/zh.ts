// Words of the overview, in Chinese.
import type { Typed } from "../language.ts";
import type { overview as english } from "./en.ts";

export const overview: Typed<typeof english> = {
  nodeStatus: { connected: "已连接", connecting: "连接中", error: "错误", disabled: "已停用" },
  title: "概览",
  tiles: { users: "用户", online: "当前在线", nodes: "节点", panel: "面板", ending: "7 天内到期", spent: "流量用尽" },
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
  steps: {
    title: "第一步",
    away: "收起",
    done: "已完成",
    serve: { name: "确定提供什么", text: "一个入站以及包含它的模板。", action: "开始" },
    node: { name: "连接一个节点", text: "本机，或用一条命令接入另一台服务器。", action: "添加节点" },
    user: { name: "创建用户", text: "只需一个名称。", action: "创建用户" },
    link: { name: "交付链接", text: "客户端首次获取订阅后即完成。", action: "复制链接" },
  },
};
