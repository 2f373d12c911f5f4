// A hidden panel behind nginx and HAProxy: outside its base path the proxy tells what it would tell of a bare server
// that has nothing, byte for byte.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { quietPorts } from "../quiet-ports.ts";
import { outsideRequests, UNREADABLE } from "../raw-requests.ts";
import { ListeningPanel } from "../system/settings/panel.ts";

const BASE = "/hIdden";

interface Proxy {
  readonly name: string;
  readonly program: string;
  readonly args: (file: string, folder: string) => readonly string[];
  /** Each of `ports` leads to the server of the same place. */
  readonly configuration: (folder: string, ports: readonly number[], servers: readonly number[]) => string;
}

const PROXIES: readonly Proxy[] = [
  {
    name: "nginx",
    program: "/usr/sbin/nginx",
    args: (file, folder) => ["-p", folder, "-c", file],
    configuration: (folder, ports, servers) => {
      const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (name) => `${name}_temp_path ${join(folder, name)};`,
      );
      const sites = ports.map(
        (port, at) => `server {
          listen 127.0.0.1:${port};
          location / {
            proxy_pass http://127.0.0.1:${servers[at]};
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header X-Forwarded-Proto $scheme;
          }
        }`,
      );
      return `daemon off; worker_processes 1; pid ${join(folder, "pid")}; error_log /dev/null;\nevents {}\nhttp { access_log off; ${paths.join(" ")}\n${sites.join("\n")}\n}\n`;
    },
  },
  {
    name: "HAProxy",
    program: "/usr/sbin/haproxy",
    args: (file) => ["-db", "-f", file],
    configuration: (_folder, ports, servers) =>
      [
        "defaults\n  mode http\n  option forwardfor\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s",
        ...ports.map(
          (port, at) =>
            `frontend f${at}\n  bind 127.0.0.1:${port}\n  default_backend b${at}\nbackend b${at}\n  server s 127.0.0.1:${servers[at]}`,
        ),
        "",
      ].join("\n"),
  },
];

const there = PROXIES.filter(({ program }) => existsSync(program) && spawnSync(program, ["-v"]).status === 0);
if (there.length < PROXIES.length) {
  const sentence = `tests behind proxies need ${PROXIES.map(({ name }) => name).join(" and ")}`;
  if (process.env["CI"] === "true") throw new Error(sentence);
  console.warn(`skipped: ${sentence}`);
}

describe.each(there)("behind $name", ({ program, args, configuration }) => {
  let folder: string;
  let panel: ListeningPanel;
  let bare: Server;
  let proxy: ChildProcess;
  let [toPanel, toBare] = [0, 0];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "signalbox-proxy-"));
    panel = await ListeningPanel.open("sqlite", {
      web_tls_mode: "none",
      web_basepath: BASE,
      trusted_proxies: "127.0.0.1",
    });
    bare = createServer((_request, response) => response.writeHead(404, { "Content-Length": "0" }).end());
    bare.keepAliveTimeout = 72_000;
    bare.listen(0, "127.0.0.1");
    await once(bare, "listening");
    [toPanel = 0, toBare = 0] = await quietPorts(2);
    const servers = [Number(new URL(panel.url).port), (bare.address() as AddressInfo).port];
    const file = join(folder, "proxy.conf");
    writeFileSync(file, configuration(folder, [toPanel, toBare], servers));
    proxy = spawn(program, [...args(file, folder)], { stdio: ["ignore", "ignore", "inherit"] });
    for (const port of [toPanel, toBare]) while (!(await isOpen(port))) await pause(20);
  });
  afterAll(async () => {
    if (proxy?.exitCode === null) {
      const gone = once(proxy, "exit");
      proxy.kill("SIGKILL");
      await gone;
    }
    bare?.close();
    await panel?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  // rule http.hidden.1
  test("outside the base path nothing tells the panel from a server that has nothing", async () => {
    for (const { name, bytes } of [...outsideRequests(BASE), ...UNREADABLE])
      expect([name, await raw(toPanel, bytes)]).toEqual([name, await raw(toBare, bytes)]);
  });

  // rule http.hidden.3
  test("nobody hears of its health who asks through the proxy, but below the base path", async () => {
    const ask = (path: string) => fetch(`http://127.0.0.1:${toPanel}${path}`);
    expect((await ask("/healthz")).status).toBe(404);
    expect(await (await ask(`${BASE}/healthz`)).json()).toEqual({ status: "ok" });
    expect((await ask(`${BASE}/api/v1/me`)).status).toBe(401);
  });
});

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.once("connect", () => socket.end());
  });
}

/** What comes back, without its date, until the connection ends or nothing more comes. */
function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.on("data", (piece: Buffer) => {
      answer += piece.toString("latin1");
      // A connection that the proxy keeps has its whole answer with the head: nothing has a body there.
      if (answer.includes("\r\n\r\n") && !/^connection: close/im.test(answer)) socket.end();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(answer.replace(/^date: .*\r\n/gim, "")));
    socket.write(bytes, "latin1");
  });
}
