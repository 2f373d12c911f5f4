// What an agent leaves out, or serves with less, in Chinese, by the code of the notice.
import { engineName } from "../../../protocol/notices/catalogue.ts";
import type { AgentNoticeWords } from "../../../protocol/notices/index.ts";

const named = (engine: string): string => (engine === "embedded" ? "内置引擎" : engineName(engine));
const others = (by: string): string => (by === "" ? "" : `可用：${by.split(",").map(named).join("、")}。`);
const users = (shown: string, more: number): string => `用户 ${shown}${more > 0 ? ` 及另外 ${more} 个` : ""}`;
const ticked = (paths: readonly string[]): string => paths.map((path) => `\`${path}\``).join("、");
const MAP = "端口映射需要 nft 和 CAP_NET_ADMIN";

export const agentNotices: AgentNoticeWords = {
  unserved: (engine, what, by) => `${named(engine)} 不支持 ${what}。${others(by)}`,
  unserved_with: (engine, what, together, by) =>
    `${named(engine)} 不支持 ${what} 与 ${together} 一起使用。${others(by)}`,
  unserved_action: (engine, action, by) => `${named(engine)} 不支持动作 ${action}。${others(by)}`,
  unserved_outbound_type: (type, by) => `内置引擎不支持类型 ${type}，发往该处的流量被拒绝。${others(by)}`,
  upstream_tls: "内置引擎不支持经 TLS 的上游代理，发往该处的流量被拒绝。可用：sing-box、Xray。",
  socks_version: "仅支持 SOCKS 5；sing-box 支持 4 和 4a。",
  invalid: (path, why) => `\`${path}\` 有误：${why}`,
  malformed: (path, value, form) => `\`${path}\`：“${value}”不符合格式 ${form}`,
  missing: (path) => `缺少 \`${path}\``,
  replaced: (path, instead) => `\`${path}\` 属于旧语法，请改用 ${instead}`,
  removed: (path) => `sing-box 已移除 \`${path}\``,
  panels_own: (path) => `\`${path}\` 由面板设置`,
  tag_twice: "标签重复",
  port_twice: (port, tag) => `端口 ${port} 已被入站 ${tag} 使用`,
  own_tag: "以 signalbox. 开头的标签归 Agent 所有",
  no_certificate: "已启用 TLS，但没有证书和密钥",
  not_pem: (paths) => `必须是 PEM 格式：${paths}`,
  other_key: "`tls.key` 与 `tls.certificate` 不匹配",
  not_key: (path, method, bytes) => `\`${path}\` 必须是 ${method} 的密钥：${bytes} 字节的 base64`,
  needs_tls: (what) => `${what} 需要 TLS`,
  takes_no_tls: (what) => `${what} 不能使用 TLS 或传输层`,
  no_reality: (what) => `REALITY 不能用于 ${what}`,
  flow_needs_tls: "`flow` 仅适用于 TLS 或 REALITY，且不带传输层",
  unchecked_certificate: "Xray 不连接无法验证证书的服务器：请设置 `tls.certificate`；sing-box 支持 `tls.insecure`。",
  needs_build: (what, tag) => `${what} 需要带标签 ${tag} 构建的 sing-box`,
  no_users: (what) => `${what} 没有用户，因此无法计量或停用任何人`,
  shadowtls_version: "`version`：只有 shadowtls 版本 3 支持用户",
  shadowtls_detour: "`detour`：缺少 shadowtls 所承载的入站",
  slash_in_service: "以斜杠开头的 `transport.service_name` 在 Xray 中是另一条路径",
  direct_target: "缺少 `override_address`：Xray 不知道连接去向",
  names_unserved: (path, tag) => `\`${path}\`：“${tag}”未被提供`,
  names_nothing: (path, tag) => `\`${path}\`：“${tag}”不存在`,
  outbound_unserved: (outbound) => `出站“${outbound}”未被提供，符合该规则的流量被拒绝`,
  final_unserved: (outbound) => `\`final\` 的出站“${outbound}”未被提供，不符合任何规则的流量被拒绝`,
  no_outbound: (tag) => `没有出站 ${tag}，发往该处的流量被拒绝`,
  loops: "指向自身",
  no_choice: "`outbounds`：全部未被提供",
  nothing_to_choose: "`outbounds`：没有可选项",
  rule_unserved: (rule, why) => `内置引擎不支持规则 ${rule}（${why}）。可用：sing-box、Xray。`,
  matches_all: "该规则匹配一切；请用 `final`",
  matches_nothing: (engine) => `${named(engine)} 不支持没有名称的规则`,
  rule_set_kind: (engine, tag) => `${named(engine)} 不支持非 inline 的规则集“${tag}”。可用：sing-box。`,
  named_twice: (engine, field) => `${named(engine)} 不支持两次写 \`${field}\` 的规则。可用：sing-box。`,
  many_alternatives: (engine) => `${named(engine)} 不支持分支这么多的规则。可用：sing-box。`,
  engine_refused: (why) => `引擎拒绝：${why}`,
  not_for_nodes: (...paths) => `节点上不可设置：${ticked(paths)}`,
  type_not_for_nodes: (type) => `类型 \`${type}\` 不能用于节点`,
  private_target: (...paths) => `指向此处已关闭的私有地址：${ticked(paths)}`,
  no_engine: "该节点没有引擎",
  port_taken: (port, holder) =>
    holder === ""
      ? `端口 ${port} 被其他程序占用（以 root 运行 \`ss -ltunp 'sport = :${port}'\` 可查看）`
      : `端口 ${port} 被其他程序占用：${holder}`,
  port_denied: (port) => `没有 CAP_NET_BIND_SERVICE 的程序不能使用端口 ${port}`,
  no_address: (address) => `${address} 不是本机地址`,
  ignored: (engine, path, by) => `${named(engine)} 不使用 \`${path}\`。${others(by)}`,
  system_resolver: (engine) => `${named(engine)} 用系统解析域名，不使用 \`dns\``,
  no_resolver: "`default_domain_resolver` 没有指向 DNS 服务器，改用系统解析",
  asked_directly: (outbound) => `出站“${outbound}”未被提供，其服务器被直接查询`,
  log_kept: "sing-box 只在日志中说明连接属于谁，因此 `log` 保持 Agent 所读的样子",
  multiplex_off: (engine) => `${named(engine)} 不支持多路复用，客户端须关闭它`,
  upstream_multiplex_off: "Xray 不支持 sing-box 服务器的多路复用，已关闭",
  early_data: "Xray 只在 Sec-WebSocket-Protocol 头中接收早期数据，客户端须关闭它",
  anonymous: (engine, protocol) =>
    `${named(engine)} 不说明 ${protocol} 上的连接属于谁：打开的连接不列出，` +
    "被移除的用户继续时，该入站的所有连接都会被切断。内置引擎可区分。",
  tcp_alone: (engine, protocol) =>
    `${named(engine)} 会不计量地转发 UDP，因此 ${protocol} 只承载 TCP。内置引擎两者都支持。`,
  uncounted: "其连接不属于任何人，也不计入任何用户",
  counted_late: "使用 `flow` 时，Xray 在连接结束时才计入 vision、socks 和 http 用户的下载量",
  alpn_made: (engine, alpn) => `在 ${named(engine)} 上 \`tls.alpn\` 必须是 ${alpn}，已照此设置`,
  httpupgrade_loses: "sing-box 的 httpupgrade 会丢失部分新连接（最多 100 个中 4 个）；Xray 和 ws 不会。",
  grpc_unclosable: "此 sing-box 带 with_grpc 构建，无法关闭单个 grpc 连接",
  udp_source: "在有多个地址的服务器上，`listen` 必须写客户端使用的地址，否则 UDP 回包可能从另一地址发出",
  counted_elsewhere: "用户由接收这些连接的入站区分并计量",
  group_fixed: (engine, type, tag, member) =>
    `${named(engine)} 不切换 ${type} 组；“${tag}”使用“${member}”。可用：sing-box。`,
  group_alike: (tag, stranger, member) =>
    `Xray 会把“${stranger}”也当作成员，因为标签开头相同；“${tag}”使用“${member}”。`,
  one_probe: (url, ...tags) => `Xray 用同一地址 ${url} 测量所有组：${tags.join("、")}`,
  choice_unserved: (choice) => `所选“${choice}”未被提供，发往该处的流量被拒绝`,
  choices_left_out: (...tags) => `以下未被提供，已从可选项中去除：${tags.join("、")}`,
  rule_set_fetched: "每次启动都要下载，无法下载时失败；inline 规则集始终可用。",
  counted_together: (engine, ...tags) =>
    `${named(engine)} 把入站 ${tags.join("、")} 的用户合并计量，流量记在 ${tags[0] ?? ""}`,
  key_search: (count) =>
    `每个连接最多要尝试 ${count} 个用户的密钥；` +
    "2022-blake3-aes-128-gcm 和 2022-blake3-aes-256-gcm 可立即找到用户。",
  one_user: (engine) => `${named(engine)} 的 shadowsocks 入站只服务一个用户：id 最小的`,
  flow_unserved: (engine) => `${named(engine)} 不支持用户的 flow，须不带它连接`,
  uuid_unusable: (shown, more, protocols) =>
    `${users(shown, more)}：uuid 无效或属于他人，不在这些入站上服务：${protocols}`,
  password_unusable: (shown, more, protocols) =>
    `${users(shown, more)}：密码为空或属于他人，不在这些入站上服务：${protocols}`,
  secret_unusable: (shown, more, secret, protocols) =>
    `${users(shown, more)}：${secret} 缺失、无效或属于他人，不在这些入站上服务：${protocols}`,
  uuid_alike: (shown, more) =>
    `${users(shown, more)}：uuid 与他人的仅第三组不同，而 Xray 不看该组；不在 vless 入站上服务`,
  key_unusable: (shown, more, bytes, ...tags) =>
    `${users(shown, more)}：shadowsocks 密钥不是 ${bytes} 字节的 base64；不在这些入站上服务：${tags.join("、")}`,
  flow_unknown: (shown, more) => `${users(shown, more)}：Xray 没有这种 flow，须不带它连接`,
  uuid_malformed: (user) => `用户 ${user}：uuid 无效，vless 不为其服务`,
  ip_limit_unheld: "此处无法执行 ipLimit：不能切断连接（`ss -K` 需要 CAP_NET_ADMIN）",
  ip_limit_anonymous: "此处无法执行 ipLimit：引擎不说明连接属于谁",
  ip_limit_udp: `UDP 上无法执行 ipLimit：不能丢弃流（${MAP}）`,
  speed_limit_unheld: (count, why) => `${count} 个用户有限速，此处无法执行（${why}）；内置引擎可以。`,
  speed_limit_anonymous: (count) => `${count} 个用户有限速，此处无法执行：连接无法区分。`,
  speed_limit_partly: (count, ...tags) =>
    `${count} 个用户有限速，在 UDP 上以及引擎不说明连接归属处无效：${tags.join("、")}`,
  removed_stay: "无法切断被移除用户的已有连接（`ss -K` 需要 CAP_NET_ADMIN），它们会持续到结束",
  change_cuts: (...tags) => `更改入站 ${tags.join("、")} 之一会切断其连接：${MAP}`,
  every_change_cuts: (...tags) => `每次更改都会切断入站 ${tags.join("、")} 的连接：${MAP}`,
  udp_first_target: `UDP 上客户端的套接字只能到达第一个目标：${MAP}`,
  names_reach_private: (engine) =>
    `${named(engine)} 会再次解析域名，因此解析结果多变的域名可到达私有目标；要关闭它，内核需要 nft，Agent 需要 CAP_NET_ADMIN`,
  names_reach_engine: (engine) =>
    `${named(engine)} 会再次解析域名，因此解析结果多变的域名可到达引擎接口；要关闭它，内核需要 nft，Agent 需要 CAP_NET_ADMIN`,
  disk_refuses_state: "节点磁盘拒绝写入配置：重启后会使用旧配置",
  disk_refuses_ledger: "节点磁盘拒绝写入用量账本：流量仅在内存中计量",
  disk_refuses_fence: "节点磁盘拒绝写入面板标记：重启后旧的面板进程可能被放入",
  disk_refuses_engine: "节点磁盘拒绝写入引擎状态：Agent 此时被杀会重启引擎",
};
