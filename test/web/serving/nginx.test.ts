// A panel behind nginx as docs/web.md has it: TLS there, a secret base path, a real browser that signs in and follows a
// live view.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openInterface } from "../../../src/interface/index.ts";
import { selfSigned } from "../../certificate.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { ListeningPanel, PASSWORD } from "../../system/settings/panel.ts";
import { hasBrowser, launchBrowser } from "../browser/chromium.ts";
import { BUILD_MS, builtInterface } from "../built.ts";

const NGINX = "/usr/sbin/nginx";
const BASE = "/k7Qx2m9TfZ";

const missing = [...(existsSync(NGINX) ? [] : [NGINX]), ...(hasBrowser ? [] : ["chromium"])];
if (missing.length > 0) {
  const sentence = `tests behind nginx need ${missing.join(" and ")}`;
  if (process.env["CI"] === "true") throw new Error(sentence);
  console.warn(`skipped: ${sentence}`);
}

/**
 * The documented server, with this test's addresses and files; on `careless` one that drops the port from `Host` and
 * appends the visitor's to its address; on `bare` the one for a panel without a base path.
 */
function configuration(folder: string, ports: readonly [number, number, number], panel: URL): string {
  const [port, careless, bare] = ports;
  const document = readFileSync(new URL("../../../docs/web.md", import.meta.url), "utf8");
  const [, server = ""] = /```nginx\n([\s\S]*?)```/.exec(document) ?? [];
  const local = server
    .replace("listen 443", `listen 127.0.0.1:${port}`)
    .replace("/etc/ssl/panel.example.pem", join(folder, "cert.pem"))
    .replace("/etc/ssl/panel.example.key", join(folder, "key.pem"))
    .replaceAll("127.0.0.1:8080", panel.host);
  const other = local
    .slice(local.indexOf("server {"))
    .replace(`127.0.0.1:${port}`, `127.0.0.1:${careless}`)
    .replaceAll("$http_host", "$host")
    .replaceAll("$proxy_add_x_forwarded_for", "$remote_addr:$remote_port");
  const plain = local
    .slice(local.indexOf("server {"))
    .replace(`127.0.0.1:${port}`, `127.0.0.1:${bare}`)
    .replace(/ {2}location \/ \{[^}]*\}/, "")
    .replace(`location ${BASE}/`, "location /");
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return `daemon off; worker_processes 1; pid ${join(folder, "pid")}; error_log stderr;\nevents {}\nhttp { access_log off; ${paths.join(" ")}\n${local}\n${other}\n${plain}\n}\n`;
}

async function listening(port: number): Promise<void> {
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.once("connect", () => socket.end());
    });
    if (open) return;
    await pause(20);
  }
}

describe.skipIf(missing.length > 0)("behind nginx", () => {
  let folder: string;
  let panel: ListeningPanel;
  let nginx: ChildProcess;
  let browser: Browser;
  let page: Page;
  let url: string;
  /** By the server that drops the port. */
  let careless: string;
  /** By the server without a base path. */
  let plain: string;
  /** What the browser's policy kept a page from doing. */
  const violations: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "signalbox-nginx-"));
    mkdirSync(join(folder, "logs"));
    const web = openInterface({ web: await builtInterface(), dataDirectory: folder, log: pino({ level: "silent" }) });
    panel = await ListeningPanel.open(
      "sqlite",
      { web_tls_mode: "none", web_basepath: BASE, web_domain: "panel.example", trusted_proxies: "127.0.0.1" },
      web,
    );
    const { certificate, key } = await selfSigned("panel.example");
    writeFileSync(join(folder, "cert.pem"), certificate);
    writeFileSync(join(folder, "key.pem"), key);
    const [port = 0, other = 0, bare = 0] = await quietPorts(3);
    writeFileSync(join(folder, "nginx.conf"), configuration(folder, [port, other, bare], new URL(panel.url)));
    nginx = spawn(NGINX, ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: ["ignore", "ignore", "inherit"] });
    await listening(port);
    url = `https://panel.example:${port}`;
    careless = `https://panel.example:${other}`;
    plain = `https://panel.example:${bare}`;
    browser = await launchBrowser(["--ignore-certificate-errors", "--host-resolver-rules=MAP panel.example 127.0.0.1"]);
    page = await browser.newPage({ ignoreHTTPSErrors: true });
    page.on("console", (message) => {
      if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
    });
  }, BUILD_MS);
  afterAll(async () => {
    await browser?.close();
    if (nginx?.exitCode === null) {
      const gone = new Promise((resolve) => nginx.once("exit", resolve));
      nginx.kill("SIGQUIT");
      await gone;
    }
    await panel?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test("the page opens under the secret path, from the panel alone; nothing is beside it", async () => {
    const asked: string[] = [];
    page.on("request", (each) => asked.push(each.url()));
    const opened = await page.goto(`${url}${BASE}/login`);
    expect(opened?.status()).toBe(200);
    await page.waitForSelector("#root > *", { state: "attached" });
    expect(asked.length).toBeGreaterThan(2);
    for (const address of asked) expect(address.startsWith(`${url}${BASE}/`)).toBe(true);
    expect((await ask("GET", "/login", { headers: { accept: "text/html" } })).status).toBe(404);
    expect(violations).toEqual([]);
  });

  test("the browser signs in over TLS and follows a live view over a WebSocket", async () => {
    const body = JSON.stringify({ username: "root", password: PASSWORD });
    const login = await page.evaluate<number>(
      `fetch(new URL("api/login", document.baseURI), { method: "POST", headers: { "content-type": "application/json" }, body: ${JSON.stringify(body)} })
        .then(({ status }) => status)`,
    );
    expect(login).toBe(200);
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === "panel_session");
    expect(cookie).toMatchObject({ secure: true, httpOnly: true, path: BASE, sameSite: "Lax" });
    const frame = await page.evaluate<string>(
      `new Promise((resolve, reject) => {
        const socket = new WebSocket(new URL("api/actors/stream", document.baseURI));
        socket.addEventListener("message", ({ data }) => (resolve(data), socket.close()));
        socket.addEventListener("error", () => reject(new Error("the socket was refused")));
      })`,
    );
    expect(JSON.parse(frame)).toHaveProperty("counts");
    expect(violations).toEqual([]);
  });

  test("the panel knows the visitor's address, whatever the visitor claims, and files come compressed", async () => {
    const body = JSON.stringify({ username: "root", password: PASSWORD });
    const headers = { "content-type": "application/json", "x-forwarded-for": "203.0.113.9" };
    const login = await ask("POST", `${BASE}/api/login`, { headers, body, localAddress: "127.0.0.2" });
    const cookie = login.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    const sessions = await ask("GET", `${BASE}/api/me/sessions`, { headers: { cookie } });
    expect(JSON.parse(sessions.text)).toContainEqual(expect.objectContaining({ ip: "127.0.0.2" }));
    const html = await ask("GET", `${BASE}/login`, { headers: { accept: "text/html" } });
    const [, script = ""] = /type="module" crossorigin src="\.(\/assets\/[^"]+\.js)"/.exec(html.text) ?? [];
    const file = await ask("GET", `${BASE}${script}`, { headers: { "accept-encoding": "br" } });
    expect(file.headers).toMatchObject({
      "content-encoding": "br",
      "cache-control": "public, max-age=31536000, immutable",
    });
  });

  test("where the proxy drops the port, the panel's own page signs in and writes, one of another port does neither", async () => {
    const attempt = (path: string, body: object): Promise<[number, Record<string, unknown>]> =>
      page.evaluate(
        `fetch(${JSON.stringify(`${careless}${BASE}/api/${path}`)}, { method: "POST", credentials: "include", headers: { "content-type": "application/json" }, body: ${JSON.stringify(JSON.stringify(body))} })
          .then(async (answer) => [answer.status, await answer.json()])`,
      );
    const login = { username: "root", password: PASSWORD };
    await page.goto(`${careless}${BASE}/login`);
    expect((await attempt("login", login))[0]).toBe(200);
    // A write with the cookie: refused for its code, and not for the page.
    expect(await attempt("me/confirm", { code: "000000" })).toMatchObject([400, { error: "two-factor is off" }]);
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const sessions = await ask("GET", `${BASE}/api/me/sessions`, { headers: { cookie } });
    expect(JSON.parse(sessions.text)).toContainEqual(expect.objectContaining({ current: true, ip: "127.0.0.1" }));
    // A page of the same host without a policy of its own: the browser sends what it posts, with the cookie.
    for (const path of ["login", "logout"]) {
      await page.goto(`${url}/elsewhere`);
      const answering = page.waitForResponse((answer) => answer.request().method() === "POST");
      await page.evaluate(
        `{ const form = document.body.appendChild(document.createElement("form"));
           form.method = "post"; form.action = ${JSON.stringify(`${careless}${BASE}/api/${path}`)}; form.submit(); }`,
      );
      const answer = await answering;
      const site = (await answer.request().allHeaders())["sec-fetch-site"];
      expect([path, site, answer.status(), await answer.json()]).toEqual([
        path,
        "same-site",
        403,
        expect.objectContaining({ code: "cross_site", origin: url, expected: "https://panel.example" }),
      ]);
    }
    await page.goto(`${careless}${BASE}/login`);
  });

  // rule subscriptions.key.8
  test("customers are given what they can reach, with a base path and without, by settings and by what nginx says", async () => {
    const { cookie } = panel;
    const made = await panel.ask("POST", `${BASE}/api/users`, { body: { name: "ann" } });
    const path = `/sub/${made.body.subId}`;
    for (const [at, base] of [
      [url, BASE],
      [plain, ""],
    ] as const) {
      if (base === "") {
        await panel.put("web_basepath", "", BASE);
        await panel.restart();
      }
      const links = async (headers: Readonly<Record<string, string>> = {}) => {
        const record = await ask("GET", `${base}/api/users/${made.body.id}`, { at, headers: { cookie, ...headers } });
        const fetched = await ask("GET", path, { at, headers });
        const shown = await ask("GET", `${path}/html`, { at, headers });
        expect([record.status, fetched.status, shown.status]).toEqual([200, 200, 200]);
        expect(shown.text).toContain(JSON.parse(record.text).subUrl);
        return [JSON.parse(record.text).subUrl, fetched.headers["profile-web-page-url"]];
      };
      const both = (link: string) => [link, link];
      expect(await links()).toEqual(both(`${at}${path}`));
      // nginx overwrites what a visitor says, and the link that is given opens.
      expect(await links({ "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" })).toEqual(
        both(`${at}${path}`),
      );
      // Past nginx, on the panel's own machine.
      const beside = await panel.ask("GET", `${base}/api/users/${made.body.id}`);
      expect(beside.body.subUrl).toBe(`https://panel.example${path}`);
      await panel.put("sub_url", "https://sub.example:8443", base);
      expect(await links()).toEqual(both(`https://sub.example:8443${path}`));
      await panel.put("sub_url", "", base);
    }
  });

  interface Asked {
    /** In place of the first server. */
    readonly at?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Where the visitor comes from. */
    readonly localAddress?: string;
  }

  function ask(
    method: string,
    path: string,
    { at = url, headers = {}, body, localAddress }: Asked = {},
  ): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
    const { host, port } = new URL(at);
    const options = {
      host: "127.0.0.1",
      port,
      method,
      path,
      agent: false,
      rejectUnauthorized: false,
      headers: { host, ...headers },
      ...(localAddress && { localAddress }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(options, (incoming) => {
        let text = "";
        incoming.setEncoding("latin1").on("data", (part: string) => (text += part));
        incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
      });
      outgoing.on("error", reject).end(body);
    });
  }
});
