// Why an actor or its work failed, and why a chart does not take an event, in Chinese, by the code of the problem.
import type { ProblemWords } from "../../../runtime/problems.schema.ts";

export const problems: ProblemWords = {
  chart_threw: (why) => `状态图出错：${why}`,
  chart_too_new: (written, known) => `由更新的面板写入：状态图版本 ${written}。此面板只认识版本 ${known}。`,
  attempt_failed: (why) => why,
  no_result: (milliseconds) => `${milliseconds / 1000} 秒内没有结果。`,
  result_refused: "状态图无法接受该结果。",
  shard_lost: "此后由另一个进程执行。",
  errand_late: (milliseconds) => `未能在 ${milliseconds / 1000} 秒内完成。`,
  secret_lost: "面板已没有所需的密码或密钥：它们只保存在内存中。",
  quarantined: (why) => `处于隔离状态：${why}`,
  event_not_taken: () => "当前状态不接受此事件。",
  event_changes_nothing: () => "在当前状态下，此事件不会改变任何内容。",
  guarded: (...guards) => `现在不行。需要：${guards.join("；")}`,
};
