// Words of the overview, in Chinese.
import type { Typed } from "../language.ts";
import type { overview as english } from "./en.ts";

export const overview: Typed<typeof english> = {
  title: "概览",
  users: "用户",
  online: "当前在线",
  nodes: "节点",
  panel: "面板",
  uptime: "已运行",
  ofUsers: (share) => `占全部用户的 ${share}`,
  connectedOf: (connected, all) => `${connected} / ${all}`,
  memory: (used) => `内存 ${used}`,
  userStatus: { active: "有效", pending: "未开始", limited: "已用尽", expired: "已过期", disabled: "已关闭" },
  needs: "需要人处理",
  oldestFirst: "最早的在前",
  nothingWaits: "没有等待您处理的事项。",
  allInError: "所有出错的节点",
  quarantine: "已隔离",
  quarantineWhy: "其状态图连续三次失败；已停止处理。",
  quarantineNext: "查看后恢复",
  lately: "最近发生的事",
  nothingYet: "还没有发生任何事件。",
  steps: {
    title: "第一步",
    away: "收起",
    done: "已完成",
    serve: { name: "确定提供什么", text: "一个入站以及包含它的模板。", action: "开始" },
    node: { name: "连接一个节点", text: "本机，或用一条命令接入另一台机器。", action: "添加节点" },
    user: { name: "创建用户", text: "只需一个名称。", action: "创建用户" },
    link: { name: "交付链接", text: "客户端首次获取订阅后即完成。", action: "复制链接" },
  },
};
