// Why a node is not served, in Chinese.
import type { CauseWords, HereWords } from "../../../fleet/records/cause.schema.ts";

export const messages: CauseWords & { readonly here: HereWords } = {
  /** The same of an address of this machine: no other machine and no firewall stands in between. */
  here: {
    connection_refused: (address) => `${address} 拒绝连接：本机上没有 Agent 在那里监听。`,
    timed_out: (address) => `${address} 没有应答：本机上的 Agent 进程已停止或挂起。`,
    connection_cut: (address) => `${address} 立即关闭了连接：该端口可能被本机的其他程序占用。`,
  },
  connection_refused: (address) => `${address} 拒绝连接：那里没有 Agent 在监听，或被防火墙拒绝。`,
  timed_out: (address) => `${address} 没有应答：服务器已关机，或连接被防火墙丢弃。`,
  no_route: (address) => `没有到 ${address} 的路由。`,
  unknown_name: (host) => `无法解析名称 ${host}。`,
  connection_cut: (address) => `${address} 立即关闭了连接：那里监听的可能不是 Agent。`,
  other_program: (address, status) => `在 ${address} 应答的不是 Agent（HTTP ${status}）。`,
  unreachable: (address, cause) => `无法连接 ${address}：${cause}`,
  no_greeting: (seconds) => `Agent 在 ${seconds} 秒内没有应答。`,
  late_configuration: "Agent 未及时接收配置。",
  not_taken: (cause) => `配置未被接收：${cause}`,
  silent: (count) => `Agent 失去响应：已错过 ${count} 次心跳。`,
  not_connected: "Agent 未连接。",
  no_answer: (seconds) => `Agent 在 ${seconds} 秒内没有应答请求。`,
  unsupported: "此节点的引擎不支持该操作。",
  misbehaved: (count, last) => `Agent 发送了 ${count} 条错误消息，重新连接的间隔会越来越长。最后一条：${last}`,
  ended: (reason) => `连接已结束（${reason}）。`,
  no_agent: "节点地址上没有此面板的 Agent 应答。原因只有可以安装 Agent 的人能看到。",
  no_certificate: "Agent 未出示证书。",
  off: "已停用。",
  limit: "本周期用量已达上限。",
  duplicate: (_holder, name, address) => `此 Agent 已在为 ${name}（${address}）服务。`,
  licence: "节点数超出许可证上限。",
  failed: (why) => why,
  mismatched: (presented, saved) => `应答的密钥不是已保存的密钥：${presented}，而非 ${saved}。`,
};
