// Apps that people use, with what they call themselves: to look at a subscription as one of them gets it.

export interface KnownClient {
  readonly name: string;
  readonly userAgent: string;
}

export const KNOWN_CLIENTS: readonly KnownClient[] = [
  { name: "Happ", userAgent: "Happ/3.12.1" },
  { name: "INCY", userAgent: "INCY/1.4.0" },
  { name: "v2RayTun", userAgent: "v2raytun/ios" },
  { name: "Hiddify", userAgent: "HiddifyNext/2.5.7 (android) like ClashMeta v2ray sing-box" },
  { name: "v2rayNG", userAgent: "v2rayNG/1.10.7" },
  { name: "v2rayN", userAgent: "v2rayN/7.12.7" },
  { name: "Streisand", userAgent: "Streisand/1.6.51" },
  { name: "Shadowrocket", userAgent: "Shadowrocket/2070 CFNetwork/1568 Darwin/24.0.0" },
  { name: "Clash Verge Rev", userAgent: "clash-verge/v2.3.2" },
  { name: "FlClash", userAgent: "FlClash/v0.8.87 clash-verge Platform/android" },
  { name: "Stash", userAgent: "Stash/3.1.0 Clash/1.9.0" },
  { name: "sing-box", userAgent: "SFA/1.13.0 (sing-box 1.13.0)" },
  { name: "sing-box 1.10", userAgent: "SFI/1.10.7 (sing-box 1.10.7)" },
  { name: "Karing", userAgent: "Karing/1.2.8" },
];

/** What a client of none of these names is called in choices. */
export const OTHER = "";

/** The app that calls itself so; `OTHER` for none of them. */
export function clientOf(userAgent: string): string {
  return KNOWN_CLIENTS.find((client) => client.userAgent === userAgent)?.name ?? OTHER;
}
