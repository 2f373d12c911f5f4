// HAProxy in front of the panels: health by /healthz, a dead or leaving panel is passed over, a refused connection goes
// to another one.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startChild, type Child } from "./child.ts";

const PROGRAM = "/usr/sbin/haproxy";

/** The configuration that matters. WebSockets pass as they are; answers of up to an hour's silence too. */
export function haproxyConfiguration(
  port: number,
  panels: readonly { readonly name: string; readonly port: number }[],
): string {
  return `defaults
  mode http
  timeout connect 1s
  timeout client 75s
  timeout server 75s
  timeout tunnel 1h
  # A connection that is refused has carried nothing: another panel is asked.
  retries 3
  retry-on conn-failure
  option redispatch 1
  option forwardfor
frontend api
  bind 127.0.0.1:${port}
  default_backend panels
backend panels
  balance roundrobin
  option httpchk GET /healthz
  http-check expect status 200
  default-server inter 500ms fall 1 rise 1
${panels.map((panel) => `  server ${panel.name} 127.0.0.1:${panel.port} check`).join("\n")}
`;
}

/** Throws a sentence where Debian's package is missing. Resolves when it answers. */
export async function startBalancer(
  folder: string,
  port: number,
  panels: readonly { readonly name: string; readonly port: number }[],
  show: (text: string) => void,
): Promise<Child> {
  if (!existsSync(PROGRAM)) throw new Error("HAProxy is not installed: apt-get install haproxy");
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, haproxyConfiguration(port, panels));
  const child = startChild("haproxy", [PROGRAM, "-db", "-f", file], { show });
  for (let tries = 0; child.running && tries < 100; tries++) {
    const answered = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (answered?.status === 200) return child;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("HAProxy does not answer");
}
