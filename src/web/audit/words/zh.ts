// Words of the audit log, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "审计日志",
  count: (_: number, text: string) => `${text} 条更改`,
  search: "按人员、记录或操作搜索",
  who: "谁",
  what: "对象",
  deed: "操作",
  when: "时间",
  how: "途径",
  token: "令牌",
  address: "地址",
  record: "记录",
  onlyRecord: "记录",
  anyRecord: "所有记录的更改",
  allOfRecord: "此记录的所有更改",
  happened: "发生了什么",
  changes: "更改前后",
  noDetail: "此更改没有字段。",
  missing: "没有此更改",
  missingText: "它可能已超过日志保留期。",
  none: "还没有更改",
  noneText: "人员、令牌或命令行的每次更改都会显示在这里。",
  spans: { hour: "最近一小时", day: "最近 24 小时", week: "最近 7 天", month: "最近 30 天" },
  via: { session: "在浏览器中", token: "通过令牌", cli: "在命令行", system: "面板自身" },
};

export const titles: Typed<typeof english.titles> = {
  audit: "审计日志",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  changes_logging: "记录审计日志",
  changes_retention_days: "审计日志保留天数",
};

export const subjects: Typed<typeof english.subjects> = {
  changes: "审计日志",
};

export const actions: Typed<typeof english.actions> = {
  create: "已创建",
  update: "已更改",
  delete: "已删除",
  enable: "已启用",
  disable: "已停用",
  order: "已更改顺序",
};
