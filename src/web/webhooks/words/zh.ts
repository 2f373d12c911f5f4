// Words of the pages of webhooks, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "Webhook",
  newTitle: "新建 Webhook",
  add: "添加 Webhook",
  create: "创建 Webhook",
  count: (_n, shown) => `${shown} 个 Webhook`,
  search: "名称或地址",
  empty: { title: "还没有 Webhook", text: "Webhook 把这里发生的事件告诉其他程序，例如商店。" },
  gone: "没有这个 Webhook",
  deliveryGone: "没有这次投递",
  groups: { where: "发往" },
  fields: {
    name: "名称",
    url: "地址",
    urlHelp: "每个事件都会发送到该地址。",
    enabled: "启用",
    account: "账户",
    accountHelp: "事件涉及的是谁的用户。",
    ownAccount: "保存此项的账户",
    ownOnly: "只接收自己账户下用户的事件",
  },
  events: "事件",
  event: "事件",
  everything: "全部",
  someEvents: "所选事件",
  allOf: (family) => `${family}：全部`,
  eventCount: (n) => `已选 ${n} 种`,
  signIt: "为投递签名",
  signed: "已签名",
  unsigned: "未签名",
  state: "状态",
  lastStatus: "最近响应",
  lastDelivered: "最近送达",
  standing: { off: "停用", failing: "失败", idle: "尚未发送", ok: "正常送达" },
  test: "发送测试",
  isOff: "已停用。",
  enable: "启用",
  disable: "停用",
  rotate: "更换密钥",
  sign: "为投递签名",
  rotateTitle: (name) => `为 ${name} 更换密钥？`,
  rotateText: "投递会立即使用新密钥签名。接收方获得新密钥之前会拒收。",
  signText: "此后的投递都会签名。",
  secretOf: (name) => `${name} 的密钥`,
  secretText: "接收方用它核对每次投递的签名。",
  remove: "删除",
  removeTitle: (name) => `删除 ${name}？`,
  removeText: "它的投递也会一并删除，包括尚未发送的。",
  settings: "设置",
  deliveries: "投递",
  states: { pending: "等待中", delivered: "已送达", dead: "已放弃" },
  anyState: "全部",
  searchEvents: "事件名称",
  answer: "响应",
  attempts: "尝试次数",
  nextTry: "下次尝试",
  raisedAt: "发生时间",
  resend: "重新发送",
  resendDead: "重新发送全部已放弃的",
  noDeliveries: { title: "尚未发送任何内容", text: "发送一次测试，或等待第一个事件。" },
  sent: "已发送",
  cameBack: "响应",
  took: "耗时",
  headers: "标头",
  body: "正文",
  noBody: "没有正文。",
  withheld: "您的角色不能查看发送内容和响应。",
  failures: {
    status: (status) => `接收方返回 ${status}`,
    redirect: (status) => `接收方返回 ${status}：不跟随重定向`,
    no_answer: (seconds) => `${seconds} 秒内没有响应`,
    unknown_name: (host) => `名称 ${host} 没有地址`,
    private_target: (host) => `${host} 是私有地址，未获允许`,
    plain_http: "只允许 https",
    connection: (code) => `连接失败：${code}`,
    event_gone: "事件已不再保存",
    failed: (text) => text,
  },
  done: {
    created: (name) => `已创建 ${name}`,
    saved: (name) => `已保存 ${name}`,
    enabled: (name) => `已启用 ${name}`,
    disabled: (name) => `已停用 ${name}`,
    removed: (name) => `已删除 ${name}`,
    tested: (name) => `正在向 ${name} 发送测试`,
    resent: (n) => `正在重新发送 ${n} 次投递`,
  },
};

export const titles: Typed<typeof english.titles> = {
  webhooks: "Webhook",
  newWebhook: "新建 Webhook",
  deliveries: "投递",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  webhook_allow_private: "允许私有地址和明文 http",
};

export const raised: Typed<typeof english.raised> = {
  "panel.ping": "测试事件",
};

export const subjects: Typed<typeof english.subjects> = {
  webhooks: "Webhook",
};

export const actions: Typed<typeof english.actions> = {
  ping: "已发送测试事件",
  resend: "已重新投递",
};

export const refusals: Typed<typeof english.refusals> = {
  webhook_off: "此 Webhook 已停用。",
};

export const rules: Typed<typeof english.rules> = {
  event_filter: "请输入事件名称，或 user.* 这样的一类",
};
