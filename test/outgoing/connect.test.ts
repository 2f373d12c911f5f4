// The connection below every protocol: which targets, which of a name's addresses, TLS and time.
import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { createServer as createTlsServer, TLSSocket, type TlsOptions } from "node:tls";
import { describe, expect, test } from "vitest";
import { selfSigned } from "../certificate.ts";
import { openOutgoing } from "../../src/outgoing/index.ts";
import { dial, type ConnectRequest } from "../../src/outgoing/testing.ts";
import { afterwards, failureOf, httpServer, httpsServer, reasonOf, tcpServer } from "./servers.ts";

const usual = { allowPrivate: true, timeout: 10_000 } satisfies Partial<ConnectRequest>;
const named = (...addresses: string[]) => openOutgoing({ resolve: async () => addresses });

/** What a connection says first. */
async function greetingOf(socket: Socket): Promise<string> {
  const [data] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return String(data);
}

/** The port of an HTTP proxy that leads to one port of loopback, whatever it is asked for. */
function connectProxy(port: number): Promise<number> {
  return tcpServer((socket) => {
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const target = connectTcp(port, "127.0.0.1").on("error", () => socket.destroy());
      socket.pipe(target).pipe(socket);
    });
  });
}

describe("targets", () => {
  // rule certificates.target.2
  test("private ones are refused after resolving, and in every notation, before anybody is connected to", async () => {
    let connections = 0;
    const port = await tcpServer(() => connections++);
    const closed = { ...usual, allowPrivate: false, port };
    for (const host of ["127.0.0.1", "::1", "10.0.0.1", "localhost", "db.internal"])
      expect(await reasonOf(named("93.184.216.34").connect({ ...closed, host }))).toBe("private");
    expect(await reasonOf(named("127.0.0.1").connect({ ...closed, host: "smtp.example" }))).toBe("private");
    expect(await reasonOf(named("93.184.216.34", "::1").connect({ ...closed, host: "smtp.example" }))).toBe("private");
    expect(connections).toBe(0);
  });

  // rule certificates.target.2
  test("a name is resolved once, and no answer of later leads elsewhere", async () => {
    const right = await tcpServer((socket) => void socket.end("right"));
    const answers = [["127.0.0.1"], ["127.0.0.2"]];
    let asked = 0;
    const { connect } = openOutgoing({ resolve: async () => answers[Math.min(asked++, 1)] ?? [] });
    expect(await greetingOf(await connect({ ...usual, host: "rebind.example", port: right }))).toBe("right");
    expect(asked).toBe(1);
  });

  // rule certificates.target.2
  test("a redirect to a private target is refused, and one to a name that is one", async () => {
    const pair = await selfSigned("public.example");
    const targets = ["https://127.0.0.1/", "https://[::1]/", "https://localhost/", "http://public.example/"];
    let seen = 0;
    const port = await httpsServer(pair, (request, response) => {
      seen++;
      response.writeHead(302, { location: targets[Number(request.url?.slice(1))] }).end();
    });
    // By way of a proxy the first target counts as public, and is a server of this test all the same.
    const proxy = { kind: "http", host: "127.0.0.1", port: await connectProxy(port), name: "", password: "" } as const;
    const { fetch } = named("127.0.0.1");
    const follow = (index: number) => {
      const url = `https://public.example/${index}`;
      const usually = { allowPrivate: false, timeout: 10_000, redirects: 3 };
      return reasonOf(fetch({ ...usually, url, proxy, ca: pair.certificate }));
    };
    expect(await Promise.all([...targets.keys()].map(follow))).toEqual(["private", "private", "private", "https"]);
    expect(seen).toBe(targets.length);
  });

  test("what a resolver answers and is no address is connected to by nobody", async () => {
    expect(await reasonOf(named("localhost").connect({ ...usual, host: "x.example", port: 1 }))).toBe("resolve");
  });

  test("a host with white space or a line break is refused", async () => {
    for (const host of ["", "a b", "a\r\nX: y", "bücher.example"])
      expect(await reasonOf(named("127.0.0.1").connect({ ...usual, host, port: 1 }))).toBe("url");
  });
});

describe("addresses", () => {
  test("all are tried, of both families in turns, until one answers", async () => {
    const port = await tcpServer((socket) => void socket.end("here"), "127.0.0.9");
    const { connect } = named("127.0.0.7", "127.0.0.8", "::1", "127.0.0.9");
    expect(await greetingOf(await connect({ ...usual, host: "many.example", port }))).toBe("here");
  });

  test("one that never answers delays the next, and holds nothing up", async () => {
    const port = await tcpServer((socket) => void socket.end("here"), "127.0.0.9");
    // Documentation addresses lead nowhere; where the machine has no route they fail at once.
    const socket = await dial(["192.0.2.1", "127.0.0.9"], port, new AbortController().signal);
    expect(await greetingOf(socket)).toBe("here");
  });

  test("where all fail the first failure is told", async () => {
    const port = await tcpServer(() => {}, "127.0.0.9");
    const failure = await failureOf(named("127.0.0.7", "127.0.0.8").connect({ ...usual, host: "x.example", port }));
    expect(failure).toMatchObject({ reason: "connect", message: "ECONNREFUSED" });
    expect(String(failure.cause)).toContain("127.0.0.7");
  });
});

describe("TLS", () => {
  async function tlsServer(options: TlsOptions, listener: (socket: TLSSocket) => void): Promise<number> {
    const server = createTlsServer(options, (socket) => listener(socket.on("error", () => {})));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    afterwards(() => new Promise((resolve) => server.close(resolve)));
    const address = server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  // rule certificates.target.4
  test("a certificate of a private authority is trusted where that is given, under its name alone", async () => {
    const { certificate, key } = await selfSigned("mail.example", "127.0.0.1");
    const hellos: unknown[] = [];
    const port = await tlsServer({ cert: certificate, key }, (socket) => {
      hellos.push(socket.servername);
      socket.end("secured");
    });
    const { connect } = named("127.0.0.1");
    const reach = (host: string, tls: ConnectRequest["tls"] = {}) => connect({ ...usual, host, port, tls });
    expect(await greetingOf(await reach("mail.example", { ca: certificate }))).toBe("secured");
    expect(await greetingOf(await reach("127.0.0.1", { ca: certificate }))).toBe("secured");
    const servername = "mail.example";
    expect(await greetingOf(await reach("any.example", { ca: certificate, servername }))).toBe("secured");
    expect(hellos).toEqual(["mail.example", false, "mail.example"]);
    expect(await failureOf(reach("mail.example"))).toMatchObject({ message: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    expect(await failureOf(reach("other.example", { ca: certificate }))).toMatchObject({
      message: "ERR_TLS_CERT_ALTNAME_INVALID",
    });
  });

  test("an HTTPS request trusts the given authority too", async () => {
    const pair = await selfSigned("hook.example");
    const port = await httpsServer(pair, (request, response) => void response.end(request.headers.host));
    const { fetch } = named("127.0.0.1");
    const url = `https://hook.example:${port}/`;
    const got = await fetch({ ...usual, url, ca: pair.certificate });
    expect(String(got.body)).toBe(`hook.example:${port}`);
    expect(await reasonOf(fetch({ ...usual, url }))).toBe("connect");
  });
});

describe("time", () => {
  // rule certificates.target.3
  test("bounds the name, the TCP connection and TLS together", async () => {
    const silent = await tcpServer(() => {});
    const asking = openOutgoing({ resolve: () => new Promise(() => {}) });
    const { connect } = named("127.0.0.1");
    expect(await reasonOf(asking.connect({ ...usual, timeout: 100, host: "x.example", port: 1 }))).toBe("timeout");
    const hello = { ...usual, timeout: 100, host: "x.example", port: silent, tls: {} };
    expect(await failureOf(connect(hello))).toMatchObject({
      reason: "timeout",
      message: "no connection within 0.1 s",
    });
  });

  test("a signal ends the attempt and closes what was begun; a connection that is there stays", async () => {
    const closed: Promise<unknown>[] = [];
    const begun = Promise.withResolvers<void>();
    const port = await tcpServer((socket) => {
      closed.push(once(socket, "close"));
      socket.resume();
      begun.resolve();
    });
    const { connect } = named("127.0.0.1");
    const ending = new AbortController();
    const attempt = reasonOf(connect({ ...usual, host: "x.example", port, tls: {}, signal: ending.signal }));
    await begun.promise;
    ending.abort();
    expect(await attempt).toBe("aborted");
    await Promise.all(closed);
    const early = new AbortController();
    const socket = await connect({ ...usual, host: "x.example", port, signal: early.signal });
    early.abort();
    expect(socket.destroyed).toBe(false);
    socket.destroy();
    expect(await reasonOf(connect({ ...usual, host: "x.example", port, signal: AbortSignal.abort() }))).toBe("aborted");
  });

  test("a request has one time for its connection and another for the whole", async () => {
    const silent = await tcpServer(() => {});
    const { fetch } = named("127.0.0.1");
    const asked = { ...usual, url: `https://x.example:${silent}/`, connectTimeout: 100 };
    expect(await failureOf(fetch(asked))).toMatchObject({ reason: "timeout", message: "no connection within 0.1 s" });
    const slow = await httpServer((_, response) => void setTimeout(() => response.end("late"), 1500));
    const got = await fetch({ ...usual, url: `http://x.example:${slow}/`, connectTimeout: 1000 });
    expect(String(got.body)).toBe("late");
  });
});
