// Words of traffic over time and of reports, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "报表",
  lead: "谁用了多少流量，用量最大的在前。",
  groupBy: "分组方式",
  groups: { user: "用户", node: "节点", admin: "操作员" },
  kinds: { user: "用户", node: "节点", admin: "操作员" },
  plots: { user: "按用户的流量", node: "按节点的流量", admin: "按操作员的流量" },
  download: "全部行存为文件",
  down: "下载",
  up: "上传",
  sum: "合计",
  share: "占比",
  deleted: (id) => `已删除，编号 ${id}`,
  others: (_n, shown) => `其他 ${shown} 项`,
  drawn: (_n, shown) => `图中为流量最大的 ${shown} 项。`,
  days: "按此时区划分天",
  hours: "按此时区划分小时",
  raw: "实际传输的字节，不计倍率。",
  none: "这段时间没有任何记录",
  noneText: "请选择其他时间范围，或等到有流量为止。",
};

export const titles: Typed<typeof english.titles> = {
  reports: "报表",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  history_retention_days: "用量保留天数",
};
