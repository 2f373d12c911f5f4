// Words of domain fronts, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "前置",
  count: (_count: number, shown: string) => `${shown} 个前置`,
  add: "添加前置",
  create: "创建前置",
  gone: "没有这个前置",
  search: "名称、域名、地址或备注",
  none: { title: "还没有前置", text: "前置是到达入站的另一条路：经由 CDN，或节点前的代理。" },
  groups: { front: "前置", reaches: "客户端如何到达", more: "客户端的地址" },
  fields: {
    name: "名称",
    domain: "域名",
    address: "地址",
    port: "端口",
    sni: "TLS 中的名称",
    path: "路径",
    remark: "备注",
    enabled: "启用",
    clientHeader: "前置的请求头",
    inboundIds: "入站",
  },
  help: {
    domain: "客户端在 Host 中请求的名称。",
    address: "客户端连接到这里：未被封锁的 CDN 地址。",
    sni: "客户端在 TLS 中请求的名称。",
    path: "如果前置会把它转到入站自己的路径。",
    remark: "放在客户端服务器名称的末尾。",
    inboundIds: "只有不带 REALITY 的 ws、httpupgrade、grpc 和 xhttp 能通过前置。",
    clientHeader:
      "请求带有它时，xhttp 入站从 X-Forwarded-For 取客户端的地址。请只让前置能到达节点，否则留空。更改会断开这些入站的连接。",
  },
  asDomain: "与域名相同",
  usualPort: "443",
  ownPath: "入站自己的路径",
  ownName: "与名称相同",
  nobody: "不信任任何人",
  states: { on: "启用", off: "停用" },
  state: "状态",
  switchOn: "启用",
  switchOff: "停用",
  switchedOn: (name: string) => `${name} 已启用，客户端下次获取时得到它。`,
  switchedOff: (name: string) => `${name} 已停用，客户端下次获取时不再有它。`,
  remove: "删除",
  removeTitle: (name: string) => `删除 ${name}？`,
  removeText: (_count: number, shown: string) => `它会从 ${shown} 个入站中移除，客户端下次获取时不再有它。`,
  removed: (name: string) => `${name} 已删除。`,
  saved: (name: string) => `${name} 已保存，客户端下次获取时得到它。`,
  gives: {
    title: "客户端得到什么",
    server: "连接到",
    host: "Host",
    tls: "TLS",
    noTls: "无：普通 HTTP 端口",
    path: "路径",
    entry: "名称末尾",
    off: "没有：前置已停用。",
    nowhere: "没有：它还没有入站。",
  },
  of: {
    choose: "添加前置",
    newOne: "新建前置",
    none: "客户端只能在节点处到达此入站。",
    order: "客户端按此顺序为每个前置得到一个服务器，节点的也保留。",
    alone: "客户端按此顺序为每个前置得到一个服务器，没有节点的。",
    unfit: "此入站现在不能使用前置：它的前置不起作用。",
    most: (most: string) => `最多 ${most} 个。`,
    moveUp: (name: string) => `上移 ${name}`,
    moveDown: (name: string) => `下移 ${name}`,
    take: (name: string) => `移除 ${name}`,
    saved: (inbound: string) => `${inbound} 的前置已保存。`,
  },
};

export const titles: Typed<typeof english.titles> = {
  fronts: "前置",
  newFront: "新建前置",
};

export const subjects: Typed<typeof english.subjects> = {
  fronts: "前置",
};

export const actions: Typed<typeof english.actions> = {
  fronts: "已选择前置",
};

export const refusals: Typed<typeof english.refusals> = {
  too_many_fronts: "每个入站最多有 20 个前置。",
};
