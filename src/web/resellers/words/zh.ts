// Words of resellers, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "经销商",
  count: (_n, shown) => `${shown} 个经销商`,
  search: "名称",
  add: "新建经销商",
  noneTitle: "没有经销商",
  noneText: "经销商登录此处，销售自己的用户，这些用户共用一份配额。",
  missing: "没有这个经销商",
  missingText: "可能已被删除，或已成为操作员。",
  states: {
    open: "开放",
    closing: "正在关闭",
    opening: "正在开放",
    closed: { volume: "已关闭：配额", expiry: "已关闭：到期" },
  },
  filters: { all: "全部", open: "开放", closing: "正在关闭", closed: "已关闭", opening: "正在开放" },
  columns: {
    name: "名称",
    state: "状态",
    allowance: "配额",
    users: "用户",
    period: "重新开始",
    nextReset: "下一周期",
    ends: "到期",
    lastLogin: "上次登录",
  },
  tabs: { overview: "概览", accounts: "用户" },
  explained: {
    open: "其用户正常使用服务。",
    closing: "已没有节点为其用户服务，用户记录正在逐批停用。",
    opening: "节点已重新为其用户服务，用户记录正在逐批启用。",
    volume: "配额已用完：没有节点为其用户服务。提高配额或进入下一周期后会重新开放。",
    expiry: "已过期：没有节点为其用户服务。改为更晚的日期后会重新开放。",
  },
  limits: "上限",
  userLimit: "最多用户数",
  sells: "可销售",
  sellsAll: "不限",
  sellsPlans: (plans) => `仅这些套餐：${plans}`,
  sellsNothing: "还没有套餐：无法创建用户",
  readOnly: "只能查看自己的用户",
  since: "周期开始于",
  edit: "编辑",
  operator: "其登录与权限",
  hisUsers: "在列表中查看其用户",
  chart: "其状态图",
  noUsersTitle: "没有用户",
  noUsersText: "由其创建或转给它的用户会出现在这里。",
  moveAll: "转移全部用户",
  moveAllTitle: (name) => `转移 ${name} 的全部用户？`,
  moveAllNone: "没有用户",
  closedOwner: (name) => `${name}（已关闭）`,
};

export const titles: Typed<typeof english.titles> = {
  resellers: "经销商",
};

export const raised: Typed<typeof english.raised> = {
  "admin.resale_cap_reached": "经销商达到上限",
};

export const refusals: Typed<typeof english.refusals> = {
  reseller_closed: "该经销商的配额已用完：重新开放前不再接收账户。",
};

export const rules: Typed<typeof english.rules> = {
  reseller: "请选择一个经销商",
};

export const actors: Typed<typeof english.actors> = {
  reseller: {
    name: "经销商",
    states: {
      deciding: "正在检查限制；在同一步内离开。",
      open: "该经销商的账户可以获得服务。",
      closing: "已没有节点为该经销商的账户服务；正在逐个关闭其账户记录。",
      closed: "该经销商的账户已关闭。",
      "closed.volume": "配额已用完；新周期或更大的配额会重新开放。",
      "closed.expiry": "经销商已过期；更晚的日期会重新开放。",
      opening: "该经销商的账户可再次获得服务；正在逐个开启其账户记录。",
    },
    events: {
      due: "配额、日期或周期到期",
      edited: "限制或角色已更改",
      followed: "所有账户均已跟上",
    },
    dues: {
      closing: "配额或日期已到",
      opening: "新周期开始",
    },
    deadlines: {
      stall: "账户跟进耗时过长",
    },
    effects: {
      follow: "账户跟进",
    },
    guards: {
      periodOver: "周期已结束",
      expiresUntold: "已过期且尚未通知",
      spentUntold: "配额已用完且尚未通知",
      ends: "另一项限制已到",
      mayServe: "没有限制到期",
      closesStill: "仍有账户待关闭",
      opensStill: "仍有账户待开启",
      isSpent: "配额已用完",
      isExpired: "已过期",
      closesBySpending: "因配额而关闭",
    },
  },
};
