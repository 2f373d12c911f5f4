// Words of the settings, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "设置",
  search: "按名称或值搜索",
  allGroups: "全部",
  none: "没有匹配的设置",
  clear: "显示所有设置",
  empty: "空",
  on: "开",
  off: "关",
  reset: "恢复默认值",
  unsaved: "未保存",
  pending: "需要重启",
  atRestart: "重启后生效",
  unused: "尚未生效",
  unusedText: "面板会保存该值，但尚未使用。",
  mainAdmins: "仅主管理员",
  readOnly: "您的角色只能查看设置，不能更改。",
  secretKept: "已保存一个值。留空则保持不变。",
  secretNone: "未保存任何值。",
  restart: "立即重启",
  restartTitle: "重启面板？",
  restartText: "面板会离线几秒。节点和用户连接不受影响。此页面会自动恢复。",
  restarting: "面板正在重启",
  restarted: "面板已重启",
  moves: "面板正在重启，之后将在另一个地址响应：",
  elsewhere: "面板在此处没有响应。其地址可能已更改：",
  lockTitle: "将自己锁在外面？",
  lockAnyway: "仍然保存",
  changedMeanwhile: (value: string) =>
    value === ""
      ? "期间有其他人修改了此项。再次保存可保留您的值。"
      : `期间有其他人将此项设为 ${value}。再次保存可保留您的值。`,
  default: (value: string) => `默认：${value}`,
  waiting: (_: number, text: string) => `${text} 项设置等待重启`,
  lockOut: (ip: string) => `您的地址 ${ip} 不在列表中：您会被登出且无法再登录。`,
  domainOut: (host: string) => `您通过 ${host} 访问面板。没有基础路径时，该域名只提供订阅。`,
  saved: (_: number, text: string) => `已保存 ${text} 项设置`,
  groups: {
    general: "常规",
    web: "面板及其地址",
    access: "登录",
    subscriptions: "订阅",
    client_apps: "客户端应用",
    certificates: "证书",
    events: "事件和 Webhook",
    records: "数据保留",
    alerts: "告警",
    backups: "备份",
    updates: "更新",
  },
  tlsModes: {
    none: "无：由代理处理",
    self_signed: "面板自签证书",
    files: "文件中的证书",
  },
};

export const titles: Typed<typeof english.titles> = {
  settings: "设置",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  web_domain: "面板域名",
  web_url: "面板的公开地址",
  web_basepath: "基础路径",
  web_cert_file: "证书文件",
  web_key_file: "密钥文件",
  web_listen_ip: "监听地址",
  web_listen_port: "监听端口",
  web_tls_mode: "TLS 模式",
  web_tls_min: "最低 TLS 版本",
  web_cert_id: "使用的证书",
  web_masquerade_dir: "伪装网站的目录",
  acme_directory: "ACME 目录",
  acme_eab_kid: "ACME 账户：密钥 ID",
  acme_eab_key: "ACME 账户：密钥",
  timezone: "时区",
  update_url: "更新地址",
  update_check: "检查更新",
  backup_enabled: "定时备份",
  backup_interval_hours: "备份间隔（小时）",
  backup_dir: "备份目录",
  backup_keep: "保留备份数",
  backup_include_history: "包含用量历史",
  backup_include_audit: "包含审计日志",
};

export const families: Typed<typeof english.families> = { panel: "面板" };

export const raised: Typed<typeof english.raised> = {
  "panel.started": "面板已启动",
  "panel.stopping": "面板正在停止",
  "panel.crashed": "面板内部错误",
  "panel.setup_completed": "面板已完成设置",
  "panel.settings_changed": "设置已更改",
  "panel.restore_applied": "备份已恢复",
  "panel.backup_done": "备份已完成",
  "panel.backup_failed": "备份失败",
  "panel.backup_upload_failed": "备份未能上传",
  "panel.cert_renewed": "证书已续期",
  "panel.cert_renew_failed": "证书续期失败",
  "panel.cert_expiring": "证书即将到期",
  "panel.ruleset_refresh_failed": "规则集更新失败",
  "panel.update_available": "有新版本可用",
  "panel.license_changed": "许可证已变更",
  "panel.license_expiring": "许可证即将到期",
  "panel.license_unverified": "许可证未获确认",
  "panel.addon_registered": "扩展已注册",
  "panel.addon_removed": "扩展已移除",
  "panel.addon_unhealthy": "扩展没有应答",
  "panel.addon_recovered": "扩展已恢复应答",
  "panel.addon_update_waiting": "扩展的更新等待同意",
};

export const subjects: Typed<typeof english.subjects> = {
  panel: "面板",
  settings: "设置",
  setup: "初始设置",
};

export const actions: Typed<typeof english.actions> = {
  restart: "已重启面板",
};
