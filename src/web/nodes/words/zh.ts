// Words of nodes, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export { page } from "./page/zh.ts";

export const titles: Typed<typeof english.titles> = {
  nodes: "节点",
  firstNode: "第一步",
  newNode: "添加节点",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  node_health_retention_days: "节点状态保留天数",
  ip_limit_newest: "超出地址数上限时，以最新地址为准",
  alert_disk_percent: "磁盘占用超过（%）",
  alert_memory_percent: "内存占用超过（%）",
  alert_rejected_per_hour: "每小时被拒连接数",
};

export const families: Typed<typeof english.families> = { node: "节点" };

export const raised: Typed<typeof english.raised> = {
  "node.connected": "已连接",
  "node.disconnected": "连接已断开",
  "node.limit_reached": "用量达到上限，已停用",
  "node.usage_refused": "用量被拒绝：节点上报了它不可能传输的流量",
  "node.disk_high": "磁盘即将占满",
  "node.disk_recovered": "磁盘空间已恢复",
  "node.memory_high": "内存即将占满",
  "node.memory_recovered": "内存已恢复",
  "node.rejections_high": "大量连接被拒绝",
};

export const subjects: Typed<typeof english.subjects> = {
  nodes: "节点",
};

export const actions: Typed<typeof english.actions> = {
  sync: "已比对并推送配置",
  reconnect: "已请求重新连接",
  repin: "已信任新密钥",
  move: "已迁移到其他服务器",
};

export const refusals: Typed<typeof english.refusals> = {
  node_off: "节点已停用：由人工、用量上限或许可证所致。",
  node_on: "已启用节点的地址只能通过迁移更改。",
  agent_taken: "另一个已启用的节点使用此地址和端口。",
};

export const actors: Typed<typeof english.actors> = {
  node: {
    name: "节点",
    states: {
      deciding: "正在判断节点是否应当运行；在同一步内结束。",
      disabled: "节点未运行：由人、用量上限或许可证停用。",
      "disabled.manual": "节点被人停用。",
      "disabled.limit": "本周期用量已达上限；进入新周期或提高上限后恢复。",
      "disabled.licence": "节点超出许可证的数量上限；扩大许可证后恢复。",
      linked: "节点应当运行：与其 Agent 的连接已建立或正在建立。",
      "linked.connecting": "正在建立连接：先联系 Agent，再下发配置。",
      "linked.connecting.dialing": "正在联系 Agent：TLS、核对密钥、握手。",
      "linked.connecting.syncing": "Agent 正在接收配置。",
      "linked.connected": "Agent 有应答，除警告所列内容外均按要求运行。",
      "linked.refused": "Agent 有应答，但其引擎拒绝该配置；之前运行的内容继续运行。",
      "linked.refused.waiting": "引擎拒绝了配置；稍后会再次询问，配置一有变化则立即询问。",
      "linked.refused.trying": "正在再次询问引擎是否接受该配置。",
      restarting: "放弃当前连接，改建新连接；在同一步内结束。",
      error: "节点与 Agent 没有连接；Agent 仍按最后收到的配置运行。",
      "error.waiting": "未能联系 Agent；已安排下次尝试。",
      "error.duplicate": "应答的 Agent 正为另一个节点服务，并仍归它所有；已安排下次查看，那个节点一放手就立即查看。",
      "error.mismatched": "应答的 Agent 的密钥与已保存的不同；面板等待信任新密钥或迁移节点。",
    },
    events: {
      due: "上限或周期到时",
      edited: "设置已修改",
      "link.lost": "无法联系 Agent",
      "link.mismatched": "应答的是另一个密钥",
      "link.refused": "引擎拒绝了配置",
      "link.duplicate": "Agent 正为另一个节点服务",
      "link.freed": "Agent 已空出",
      "link.opened": "Agent 已应答",
      "link.synced": "Agent 已接收配置",
      "link.warned": "警告有变化",
      moved: "已迁移到另一台服务器",
      reconnect: "要求重新连接",
      repinned: "已信任新密钥",
      switchOff: "已停用",
      switchOn: "已启用",
    },
    dues: { "disabled.limit": "已达用量上限", "disabled.licence": "许可证未涵盖该节点" },
    deadlines: {
      dialDeadline: "Agent 未及时应答",
      syncDeadline: "Agent 未及时接收配置",
      backoff: "到了下次尝试的时间",
    },
    effects: { link: "与 Agent 的连接", turn: "等待 Agent" },
    guards: {
      off: "已被人工停用",
      limited: "已达用量上限",
      unlicensed: "许可证未涵盖",
      mayRun: "没有使其停用的原因",
    },
  },
};
