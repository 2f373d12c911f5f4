// What the names of the charts mean, in Chinese.
import type { Typed } from "../language.ts";
import type { meanings as english } from "./en.ts";

export const meanings: Typed<typeof english> = {
  states: {
    node: {
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
    user: {
      enabled: "该账户可以使用。",
      "enabled.deciding": "正在检查各项限制；在同一步内结束。",
      "enabled.waiting": "套餐尚未开始计时：从首次流量开始。",
      "enabled.started": "账户正在使用，未超出限制。",
      disabled: "账户不可使用：由人、自身限制或经销商的限制停用。",
      "disabled.manual": "账户被人停用；面板不会自行恢复。",
      "disabled.volume": "流量已用尽；重置、续期或增加流量后恢复。",
      "disabled.expiry": "已过到期日；续期或延后日期后恢复。",
      "disabled.resaleVolume": "所属经销商的额度已用尽。",
      "disabled.resaleExpiry": "所属经销商的账户已到期。",
    },
  },
  events: {
    node: {
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
    user: {
      due: "达到上限或日期",
      edited: "限制已修改",
      extended: "已增加流量或时间",
      renewed: "已续期",
      switchOff: "已停用",
      switchOn: "已启用",
      usageReset: "用量已重置",
    },
  },
  /** What `due` is called by the state that it led to. */
  dues: {
    node: { "disabled.limit": "已达用量上限", "disabled.licence": "许可证未涵盖该节点" },
    user: {
      "disabled.volume": "已达流量上限",
      "disabled.expiry": "已到结束日期",
      "disabled.resaleVolume": "经销商的额度已用尽",
      "disabled.resaleExpiry": "经销商的账户已到期",
    },
  },
  deadlines: {
    node: {
      dialDeadline: "Agent 未及时应答",
      syncDeadline: "Agent 未及时接收配置",
      backoff: "到了下次尝试的时间",
    },
    user: {},
  },
  effects: { node: { link: "与 Agent 的连接", turn: "等待 Agent" }, user: {} },
};
