// What a connected node does not serve, in Chinese, by the code of the notice.
import { agentNotices } from "../agent-notices/zh.ts";
import { roughSpan } from "../../../protocol/notices/index.ts";
import type { NoticeWords } from "../../../fleet/records/notice.schema.ts";

export const notices: NoticeWords = {
  ...agentNotices,
  reaches_host: (...paths) => `已略去，因为它可能触及节点本身：${paths.join(", ")}`,
  on_loopback: "它只在回环地址上监听，也没有任何东西通向它：订阅不会列出它。",
  relapsing: "Agent 持续报告与所接收不同的配置，将以越来越长的间隔重新比较。",
  clock_ahead: (seconds) => `节点时钟比面板快${roughSpan(seconds, "zh-CN")}，请校准时间（NTP）。`,
  clock_behind: (seconds) => `节点时钟比面板慢${roughSpan(seconds, "zh-CN")}，请校准时间（NTP）。`,
  ledgers: (most) => `该节点一天内开始了 ${most} 个用量账本，暂不接收更多账本的用量。`,
  more: (warnings) => `还有 ${warnings} 条警告，见 Agent 日志。`,
  agent_too_old: (key) => `已略去，因为节点的 Agent 版本太旧，不支持：${key}。请更新 Agent。`,
  usage_refused: "该节点最近一天报告的部分用量被拒绝，详见其被拒用量。",
};
