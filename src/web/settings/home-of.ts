// Where the panel's pages are after a restart, as far as this browser can tell. Pure.
import type { Setting } from "./setting.ts";

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i;

/**
 * The address from which the page was opened, as far as nothing moves; where something does, below `web_url`. A page
 * that came through a proxy stays there: neither the listener's port nor its TLS is what a browser sees of it.
 */
export function homeOf(rows: readonly Setting[], base: string): string {
  const valueOf = (key: string) => rows.find((row) => row.key === key)?.value ?? "";
  const moved = (key: string) => rows.some((row) => row.key === key && row.restartPending);
  const url = new URL(base);
  const path = `${valueOf("web_basepath")}/`;
  const listener = moved("web_listen_port") || moved("web_tls_mode");
  if (!moved("web_basepath") && !listener) return url.href;
  if (valueOf("web_url") !== "") return below(valueOf("web_url"), valueOf("web_basepath"));
  if (moved("web_basepath")) url.pathname = path;
  const ip = valueOf("web_listen_ip");
  const proxied = (ip === "" || LOOPBACK.test(ip)) && !LOOPBACK.test(url.hostname);
  if (proxied || valueOf("trusted_proxies") !== "") return url.href;
  if (moved("web_listen_port")) url.port = valueOf("web_listen_port");
  if (moved("web_tls_mode")) url.protocol = valueOf("web_tls_mode") === "none" ? "http:" : "https:";
  return url.href;
}

/** `web_url` may name the base path, or leave it out. */
function below(webUrl: string, basePath: string): string {
  const url = new URL(webUrl);
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = `${path.endsWith(basePath) ? path : `${path}${basePath}`}/`;
  return url.href;
}
