// Where this panel is reached from outside: what `web_url` says, else the proxy before a request, else its listener.
// `sub_url` is read where links are made.
import type { ProxiedOrigin } from "../http/index.ts";
import type { SettingsReader } from "../feature/index.ts";
import { baseOfSetting, isLoopbackHost, type PublicAddress, type PublicOrigin } from "../lib/public-address.ts";

/** Where a panel listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

type Settings = SettingsReader<"trusted_proxies" | "web_domain" | "web_url">;

/**
 * The address of a panel that listens at `place`, for whoever asked through `proxied`. What a proxy says counts where
 * the panel speaks plain HTTP: under a certificate of its own the visitor's connection ends here.
 */
export function publicAddress(place: Place, settings: Settings, proxied?: ProxiedOrigin): PublicAddress {
  const { host, port, tls } = place;
  const hidden = isLoopbackHost(host) || (!tls && settings.text("trusted_proxies") !== "");
  const listener = { scheme: tls ? "https" : "http", port, hidden } as const;
  const hosted =
    baseOfSetting(settings.text("web_url")) ?? (proxied && !tls ? toldBy(proxied, place, settings) : undefined);
  return hosted ? { hosted, listener } : { listener };
}

/**
 * The origin that a proxy names. Where it names no host, `Host` is the visitor's if it agrees with the panel's name;
 * else it may be the proxy's own name for the panel, which nobody outside knows.
 */
function toldBy({ scheme, named, asked }: ProxiedOrigin, { port }: Place, settings: Settings): PublicOrigin {
  if (named) return { scheme, ...named };
  const domain = settings.text("web_domain").toLowerCase();
  const isOwn = asked !== undefined && isLoopbackHost(asked.host) && asked.port === port;
  if (asked && !isOwn && (domain === "" || domain === asked.host)) return { scheme, ...asked };
  return { scheme, host: "", port: 0 };
}
