// Why a node is not served, in Chinese.
import type { Typed } from "../language.ts";
import type { messages as english } from "./en.ts";

export const messages: Typed<typeof english> = {
  refused: (address) => `${address} 拒绝连接：那里没有 Agent 在监听，或被防火墙拒绝。`,
  silent: (address) => `${address} 没有应答：服务器已关机，或连接被防火墙丢弃。`,
  noRoute: (address) => `没有到 ${address} 的路由。`,
  unknownName: (host) => `无法解析名称 ${host}。`,
  cut: (address) => `${address} 立即关闭了连接：那里监听的可能不是 Agent。`,
  otherProgram: (address, status) => `在 ${address} 应答的不是 Agent（HTTP ${status}）。`,
  unreachable: (address, cause) => `无法连接 ${address}：${cause}`,
  noGreeting: (seconds) => `Agent 在 ${seconds} 秒内没有应答。`,
  lateConfiguration: "Agent 未及时接收配置。",
  notTaken: (cause) => `配置未被接收：${cause}`,
  heartbeats: (count) => `Agent 失去响应：已错过 ${count} 次心跳。`,
  wrongMessages: (count, last) => `Agent 发送了 ${count} 条错误消息，重新连接的间隔会越来越长。最后一条：${last}`,
  ended: "连接已结束。",
  endedWith: (reason) => `连接已结束（${reason}）。`,
  noCertificate: "Agent 未出示证书。",
  off: "已停用。",
  limit: "本周期用量已达上限。",
  duplicate: (name, address) => `此 Agent 已在为 ${name}（${address}）服务。`,
  licence: "节点数超出许可证上限。",
};
