// Words of the API's reference, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "API 参考",
  lead: "本面板的全部操作，取自面板自身的描述。请求发往 /api/v1。",
  search: "按路径、名称或用途搜索",
  chapters: "章节",
  scopes: "权限范围：",
  parameters: "参数",
  body: "请求体",
  answers: "响应",
  events: "Webhook 事件",
  example: "示例",
  required: "必填",
  fields: "字段",
  nothing: "没有找到。",
};

export const titles: Typed<typeof english.titles> = {
  reference: "API 参考",
};
