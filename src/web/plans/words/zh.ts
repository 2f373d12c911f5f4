// Words of the pages of plans, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "套餐",
  add: "新建套餐",
  create: "创建套餐",
  count: (_n, shown) => `${shown} 个套餐`,
  search: "名称、备注或分组",
  noneTitle: "还没有套餐",
  noneText: "套餐就是您出售的内容：流量、天数、限制和服务器。用户按套餐创建和续期。",
  noneGranted: "您没有可用的套餐。",
  missing: "没有这个套餐",
  untouched: "按它创建的用户保持不变。",
  groups: { plan: "套餐", account: "新用户" },
  fields: {
    name: "名称",
    desc: "备注",
    days: "天数",
    onFirstUse: "首次使用时开始",
    onFirstUseHelp: "从首次产生流量起计时。",
    group: "分组",
    groupHelp: "写入每个用户。",
    namePrefix: "名称前缀",
    nameSuffix: "名称后缀",
  },
  dayCount: (_n, shown) => `${shown} 天`,
  fromFirstUse: (_n, shown) => `首次使用起 ${shown} 天`,
  allTemplates: "全部",
  newUser: "新建用户",
  copy: "复制",
  copyOf: (name) => `${name} 2`,
  order: "更改顺序",
  saveOrder: "保存顺序",
  ordered: "已保存顺序",
  moveUp: (name) => `上移 ${name}`,
  moveDown: (name) => `下移 ${name}`,
  made: (name) => `已创建套餐 ${name}`,
  saved: (name) => `已保存套餐 ${name}`,
  remove: "删除",
  removeTitle: (name) => `删除 ${name}？`,
  removeText: "按它创建的用户保持不变。",
  removed: (name) => `已删除套餐 ${name}`,
};

export const titles: Typed<typeof english.titles> = {
  plans: "套餐",
  newPlan: "新建套餐",
};

export const subjects: Typed<typeof english.subjects> = {
  plans: "套餐",
};

export const refusals: Typed<typeof english.refusals> = {
  plan_needed: "请选择套餐：此账户只销售套餐。",
};
