// Words about the drawings, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  drawing: (kind) => `${kind} 的状态图`,
  here: "当前在此",
  zoomIn: "放大",
  zoomOut: "缩小",
  fit: "显示全部",
  detail: "显示事件与期限",
  whole: "一次显示所有状态",
  centre: "显示当前状态",
  canvas: "状态图。拖动或用双指移动；加号、减号和 0 键调整大小。",
  legend: "线条的含义",
  tones: {
    last: "来时的路径",
    takeable: "可以走的路径",
    ghost: "试探会走的路径",
  },
  outline: "状态列表",
  outdated: "此图属于另一个版本，改以列表显示状态。",
  undrawn: "此状态机没有图，改以列表显示状态。",
  leads: "转到",
  stays: "保持不变",
  anyState: "从任一内部状态",
  perMinute: (count) => `每分钟 ${count} 次`,
};
