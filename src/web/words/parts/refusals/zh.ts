// What the panel refuses, in Chinese.
import type { Typed } from "../../language.ts";
import type { refusals as english } from "./en.ts";
import { refusals as ofFeatures } from "../../catalogues/zh.ts";
import { rules } from "./rules/zh.ts";

export const refusals: Typed<typeof english> = {
  rules,
  crossSite: (origin, expected) =>
    `此页面属于 ${origin}，而面板收到的请求地址是 ${expected}。请用 ${expected} 打开，或让前面的代理连同端口一起转发主机名。`,
  codes: {
    ...ofFeatures,
    account_expired: "此账户已到期。",
    address_refused: "不允许从此地址登录。",
    banned: "此地址被拒绝的尝试过多，请稍候。",
    confirm: "需要新的第二因素验证码。",
    cross_site: "打开面板所用的名称与其自身名称不同。请使用面板自己的地址打开。",
    cursor_expired: "日志中的这个位置已失效，请重新开始。",
    answer_gone: "请求已执行，但其应答不再保留。请查看当前状态。",
    idempotency_reuse: "同一个键下已发送过另一个请求，请重试。",
    in_progress: "第一次尝试仍在进行，请稍后再看。",
    internal: "已记录在面板日志中。",
    rate_limited: "一分钟内的请求超过了允许的数量，请稍候。",
    request_timeout: "请求未能及时到达。网络是否较慢？",
    scope: "此账户的角色无权访问。",
    too_large: "超出了面板一次可接受的大小。",
    too_busy: "正在检查的登录或验证码过多，请稍后重试。",
    disk_full: "数据目录所在的磁盘已满。请腾出空间后重新发送文件。",
    unauthenticated: "请重新登录。",
    unavailable: "面板暂时无法应答：正在启动、停止，或数据库不可用。请稍后重试。",
    wrong_code: "验证码错误或已使用过。",
    changed_meanwhile: "有人同时更改了它。请重新查看后再试。",
    login_ended: "此次登录已结束，请重新开始。",
    wrong_password: "密码错误。",
  },
};
