// Connections by way of a proxy: real ones (sing-box, xray), and ones that misbehave.
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selfSigned } from "../certificate.ts";
import { installedEngines } from "../agent/engines/installed.ts";
import { canConnect, until } from "../agent/engines/rig.ts";
import { quietPorts } from "../quiet-ports.ts";
import { openOutgoing } from "../../src/outgoing/index.ts";
import type { Proxy } from "../../src/outgoing/testing.ts";
import { failureOf, httpServer, httpsServer, reasonOf, tcpServer } from "./servers.ts";

const CREDENTIALS = { name: "panel", password: "a password: with ünicode" };
/** A name that the proxies alone know. */
const NAME = "only-the-proxy.example";

/** Configurations with a SOCKS5 and an HTTP inbound, with the credentials and without; NAME is loopback. */
const CONFIGURATIONS = {
  "sing-box": (ports: readonly number[]) => ({
    log: { level: "fatal" },
    dns: { servers: [{ type: "hosts", tag: "hosts", predefined: { [NAME]: ["127.0.0.1"] } }] },
    inbounds: ports.map((port, index) => ({
      type: index % 2 === 0 ? "socks" : "http",
      listen: "127.0.0.1",
      listen_port: port,
      ...(index < 2 && { users: [{ username: CREDENTIALS.name, password: CREDENTIALS.password }] }),
    })),
    outbounds: [{ type: "direct", domain_resolver: "hosts" }],
  }),
  xray: (ports: readonly number[]) => ({
    log: { loglevel: "none" },
    dns: { hosts: { [NAME]: "127.0.0.1" } },
    inbounds: ports.map((port, index) => ({
      protocol: index % 2 === 0 ? "socks" : "http",
      listen: "127.0.0.1",
      port,
      settings: {
        ...(index % 2 === 0 && { auth: index < 2 ? "password" : "noauth" }),
        ...(index < 2 && { accounts: [{ user: CREDENTIALS.name, pass: CREDENTIALS.password }] }),
      },
    })),
    outbounds: [{ protocol: "freedom", settings: { domainStrategy: "UseIP" } }],
  }),
} as const;

const here = new Set((await installedEngines()).map(({ kind }) => kind));
const engines = (["sing-box", "xray"] as const).filter((name) => here.has(name));

/** Resolves nothing: the proxy must. */
const outgoing = openOutgoing({ resolve: () => Promise.reject(new Error("the panel asked for a name")) });
const usual = { allowPrivate: true, timeout: 20_000 } as const;

async function greetingOf(socket: Socket): Promise<string> {
  const [data] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return String(data);
}

describe.each(engines)("%s", (engine) => {
  let proxies: Proxy[];
  let end: () => Promise<unknown>;

  beforeAll(async () => {
    const ports = await quietPorts(4);
    const child = spawn(engine, ["run", "-c", engine === "xray" ? "stdin:" : "stdin"], {
      stdio: ["pipe", "ignore", "inherit"],
    });
    child.stdin.end(JSON.stringify(CONFIGURATIONS[engine](ports)));
    end = () => {
      child.kill("SIGKILL");
      return child.exitCode === null ? once(child, "exit") : Promise.resolve();
    };
    await until("the proxy listens", async () =>
      (await Promise.all(ports.map((port) => canConnect(port)))).every(Boolean),
    );
    proxies = ports.map((port, index) => ({
      kind: index % 2 === 0 ? "socks5" : "http",
      host: "127.0.0.1",
      port,
      ...(index < 2 ? CREDENTIALS : { name: "", password: "" }),
    }));
  });
  afterAll(() => end());

  // rule certificates.target.5
  test("leads to names that it alone resolves and to addresses, with credentials and without", async () => {
    // It speaks first, as SMTP and SSH do.
    const port = await tcpServer((socket) => void socket.write("220 ready"));
    for (const proxy of proxies)
      for (const host of [NAME, "127.0.0.1"])
        expect(await greetingOf(await outgoing.connect({ ...usual, proxy, host, port }))).toBe("220 ready");
  });

  test("carries HTTP and HTTPS, and bodies both ways", async () => {
    const pair = await selfSigned(NAME);
    const echo: Parameters<typeof httpServer>[0] = (request, response) => void request.pipe(response);
    const plain = await httpServer(echo);
    const secure = await httpsServer(pair, echo);
    const body = Buffer.alloc(3 << 20, "x");
    for (const proxy of proxies)
      for (const url of [`http://${NAME}:${plain}/`, `https://${NAME}:${secure}/`]) {
        const asked = { ...usual, url, method: "POST", body, proxy, ca: pair.certificate, maxBytes: 4 << 20 } as const;
        expect((await outgoing.fetch(asked)).body.equals(body)).toBe(true);
      }
  });

  // rule certificates.target.5
  test("does not hear of private targets", async () => {
    const port = await tcpServer((socket) => void socket.write("private"));
    for (const proxy of proxies)
      for (const host of ["127.0.0.1", "::1", "127.1", "0x7f000001", "localhost", "db.internal", "10.0.0.1"])
        expect(await reasonOf(outgoing.connect({ ...usual, allowPrivate: false, proxy, host, port }))).toBe("private");
  });

  test("refuses a wrong password, and what nobody answers is a failure", async () => {
    const port = await tcpServer((socket) => void socket.write("220 ready"));
    for (const proxy of proxies.slice(0, 2)) {
      const wrong = { ...proxy, password: "wrong" };
      expect(await reasonOf(outgoing.connect({ ...usual, proxy: wrong, host: NAME, port }))).toBe("proxy");
      const without = { ...proxy, name: "", password: "" };
      expect(await reasonOf(outgoing.connect({ ...usual, proxy: without, host: NAME, port }))).toBe("proxy");
    }
    const [closed = 0] = await quietPorts(1);
    for (const proxy of proxies) {
      // A proxy may say that it connected before it has; then the connection ends at once.
      const ended = outgoing.fetch({ ...usual, proxy, url: `http://127.0.0.1:${closed}/` });
      expect(["proxy", "connect"]).toContain(await reasonOf(ended));
    }
  });
});

describe.each(["socks5", "http"] as const)("a %s proxy", (kind) => {
  const through = (port: number, more: Partial<Parameters<typeof outgoing.connect>[0]> = {}) =>
    outgoing.connect({
      ...usual,
      host: NAME,
      port: 443,
      proxy: { kind, host: "127.0.0.1", port, name: "", password: "" },
      ...more,
    });

  test("that stalls is a timeout, and its connection is closed", async () => {
    const closed: Promise<unknown>[] = [];
    for (const said of ["", kind === "socks5" ? "\u0005" : "HTTP/1.1 2"]) {
      const port = await tcpServer((socket) => {
        closed.push(once(socket, "close"));
        socket.resume().write(said);
      });
      expect(await reasonOf(through(port, { timeout: 200 }))).toBe("timeout");
    }
    await Promise.all(closed);
    expect(closed).toHaveLength(2);
  });

  test("that hangs up, speaks something else, or never ends its answer is a failure of the proxy", async () => {
    const mute = await tcpServer((socket) => void socket.end());
    const other = await tcpServer((socket) => void socket.resume().write("220 mail.example ESMTP\r\n\r\n"));
    const endless = await tcpServer((socket) => {
      socket.resume();
      void pipeline(
        Readable.from(
          (function* () {
            for (;;) yield Buffer.alloc(1 << 16, 5);
          })(),
        ),
        socket,
      ).catch(() => {});
    });
    for (const port of [mute, other, endless]) expect(await reasonOf(through(port))).toBe("proxy");
    const [closed = 0] = await quietPorts(1);
    expect(await failureOf(through(closed))).toMatchObject({
      reason: "proxy",
      message: "the proxy 127.0.0.1: ECONNREFUSED",
    });
  });

  test("may have a name, and a private address although private targets are refused", async () => {
    const reached = Promise.withResolvers<string>();
    const port = await tcpServer(
      (socket) => void socket.once("data", (data) => reached.resolve(data.toString("latin1"))),
    );
    const asked: string[] = [];
    const { connect } = openOutgoing({
      resolve: async (host) => {
        asked.push(host);
        return ["127.0.0.1"];
      },
    });
    const proxy: Proxy = { kind, host: "proxy.internal", port, name: "", password: "" };
    const ending = new AbortController();
    const attempt = connect({ ...usual, allowPrivate: false, proxy, host: NAME, port: 25, signal: ending.signal });
    const said = await reached.promise;
    if (kind === "http") expect(said).toMatch(/^CONNECT only-the-proxy\.example:25 /);
    else expect([...Buffer.from(said, "latin1")]).toEqual([5, 1, 0]);
    ending.abort();
    expect(await reasonOf(attempt)).toBe("aborted");
    expect(asked).toEqual(["proxy.internal"]);
  });
});
