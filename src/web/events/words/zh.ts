// Words of the page of events, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "事件",
  search: "搜索名称和内容",
  event: "事件",
  any: "全部事件",
  anyRecord: "全部对象的事件",
  only: (name) => `只看 ${name} 的事件`,
  onlyEvent: "只看这种事件",
  held: "已停住",
  heldLong: "阅读期间列表不会移动。",
  liveLong: "事件发生时立即显示。",
  lostLong: "期间发生的事件会在恢复连接后显示。",
  pause: "暂停",
  follow: "继续跟随",
  fresh: (n) => `${n} 条新事件`,
  freshMany: (n) => `超过 ${n} 条新事件`,
  older: "更早的事件",
  none: "还没有事件",
  noneText: "面板、节点和用户的动作会立即显示在这里。",
  deaf: "您的角色收不到事件。",
};

export const titles: Typed<typeof english.titles> = {
  events: "事件",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  event_retention_days: "事件保留天数",
};
