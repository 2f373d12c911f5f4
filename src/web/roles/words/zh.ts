// Words of roles, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const titles: Typed<typeof english.titles> = {
  roles: "角色",
  newRole: "新建角色",
};

export const subjects: Typed<typeof english.subjects> = {
  roles: "角色",
};

export const scopeAreas: Typed<typeof english.scopeAreas> = {
  users: "用户",
  nodes: "节点",
  tunnels: "隧道",
  templates: "模板",
  pool: "入站与出站",
  certificates: "证书",
  settings: "设置",
  stats: "检查器与审计日志",
  tools: "密钥工具",
  admins: "操作员与角色",
  tokens: "令牌",
  license: "许可证",
  backup: "备份",
  security: "封禁",
  webhooks: "Webhook",
  services: "服务",
};
