// Words of the page about who may sign in, in Chinese.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  title: "安全",
  text: "谁不能登录，以及到何时。",
  bans: "被封禁的地址",
  none: "没有被封禁的地址",
  noneText: "十分钟内五次登录被拒，该地址会被封禁十五分钟。",
  reasons: { "refused sign-ins": "密码或验证码错误", "wrong setup token": "设置令牌错误" },
  attempts: (_: number, text: string) => `${text} 次尝试`,
  left: "剩余",
  lift: "解除",
  liftOf: (ip: string) => `解除 ${ip} 的封禁`,
  liftTitle: (ip: string) => `解除 ${ip} 的封禁？`,
  liftText: "该地址可立即重新登录。",
  lifted: (ip: string) => `${ip} 可以再次登录`,
};

export const titles: Typed<typeof english.titles> = {
  security: "安全",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  trusted_proxies: "受信任的代理",
  login_allowlist: "允许登录的地址",
};

export const raised: Typed<typeof english.raised> = {
  "panel.ip_banned": "一个地址已被封禁",
};

export const subjects: Typed<typeof english.subjects> = {
  bans: "封禁",
};
