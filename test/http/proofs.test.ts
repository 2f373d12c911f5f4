// Proofs for certificate authorities: found where they are in flight, and nowhere else; by the first record of a
// connection the rest goes on as it came.
import { execFile } from "node:child_process";
import { once } from "node:events";
import {
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type ServerResponse,
} from "node:http";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import {
  connect as connectTls,
  createServer as createTlsServer,
  type ConnectionOptions,
  type TLSSocket,
} from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Door } from "../../src/http/index.ts";
import { peekHello } from "../../src/http/listeners/first-record.ts";
import { Proofs } from "../../src/http/listeners/proofs.ts";
import { reachesItself } from "../../src/http/listeners/self-check.ts";
import { selfSigned, type Pair } from "../certificate.ts";
import { hasPrograms } from "../programs.ts";
import { openPanel, type TestPanel } from "./panel.ts";

const PROOF = "/.well-known/acme-challenge/the-token";
const NAME = "proof.example";
const HOST = "127.0.0.1";

interface Told {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

function ask(port: number, path: string, method = "GET"): Promise<Told> {
  return new Promise((resolve, reject) => {
    const asking = httpRequest({ port, host: HOST, path, method, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
    });
    asking.on("error", reject).end();
  });
}

/** The handshake of a client; undefined where it fails. */
function handshake(
  port: number,
  options: ConnectionOptions = {},
): Promise<{ readonly name: string; readonly protocol: string | false | null } | undefined> {
  return new Promise((resolve) => {
    const socket: TLSSocket = connectTls(
      { port, host: HOST, servername: NAME, rejectUnauthorized: false, ...options },
      () => {
        const name = String(socket.getPeerCertificate().subject.CN);
        resolve({ name, protocol: socket.alpnProtocol });
        socket.destroy();
      },
    );
    socket.on("error", () => resolve(undefined)).on("close", () => resolve(undefined));
  });
}

const ACME = { ALPNProtocols: ["acme-tls/1"] };

describe.each(["", "/hidden"])("proofs of a panel below %j", (basePath) => {
  let panel: TestPanel;
  let door: Door;
  let own: Pair;
  let shown: Pair;
  beforeAll(async () => {
    panel = await openPanel("sqlite", { basePath });
    await panel.api.app.ready();
    [own, shown] = await Promise.all([selfSigned("panel.example"), selfSigned(NAME)]);
  });
  afterAll(() => panel.dispose());
  afterEach(() => door.close());

  async function openDoor(tls = false): Promise<number> {
    door = new Door();
    const pair = { cert: own.certificate, key: own.key, minVersion: "TLSv1.2" as const };
    await door.open({ host: HOST, port: 0, basePath, tls: tls ? pair : undefined }, panel.api.app.server);
    return door.port ?? 0;
  }

  // rule certificates.proof.1
  test("a token is found while it is in flight, and is an unknown path before and after", async () => {
    const port = await openDoor();
    const nothing = await ask(port, "/.well-known/acme-challenge/x");
    const unknown = async () => {
      const { status, text, headers } = await ask(port, PROOF);
      return { status, text, names: Object.keys(headers) };
    };
    const expected = { status: 404, text: "", names: Object.keys(nothing.headers) };
    expect(await unknown()).toEqual(expected);
    const takeAway = door.proofs.addText("the-token", "the-token.of-the-account");
    expect(await ask(port, PROOF)).toMatchObject({
      status: 200,
      text: "the-token.of-the-account",
      headers: { "content-type": "application/octet-stream" },
    });
    expect(await ask(port, PROOF, "HEAD")).toMatchObject({ status: 200, text: "" });
    expect((await ask(port, `${PROOF}?x=1`)).status).toBe(200);
    for (const path of [`${PROOF}/`, `${PROOF}x`, "/.well-known/acme-challenge/", PROOF.replace("the", "%74he")])
      expect([path, (await ask(port, path)).status]).toEqual([path, 404]);
    expect((await ask(port, PROOF, "POST")).status).toBe(404);
    takeAway();
    expect(await unknown()).toEqual(expected);
  });

  // rule certificates.proof.2
  test("on a listener that was opened for proofs nothing else answers, and it is gone when it is closed", async () => {
    await openDoor();
    const { port, close } = await door.openFurther({ host: HOST, port: 0, answers: ["proofs"] });
    const takeAway = door.proofs.addText("the-token", "text");
    expect(await ask(port, PROOF)).toMatchObject({ status: 200, text: "text" });
    for (const path of ["/", "/healthz", `${basePath}/healthz`, `${basePath}/api/v1/notes`, `${basePath}/api/setup`]) {
      const { status, text, headers } = await ask(port, path);
      expect([path, status, text, Object.keys(headers)]).toEqual([
        path,
        404,
        "",
        ["content-length", "date", "connection"],
      ]);
    }
    // A proof needs no panel behind the door.
    await door.shut();
    expect((await ask(port, PROOF)).status).toBe(200);
    expect((await ask(port, "/")).status).toBe(503);
    takeAway();
    await close();
    await expect(ask(port, PROOF)).rejects.toThrow("ECONNREFUSED");
  });

  test("a place that is taken is refused", async () => {
    const port = await openDoor();
    await expect(door.openFurther({ host: HOST, port, answers: ["proofs"] })).rejects.toThrow("EADDRINUSE");
  });

  // rule certificates.proof.3
  test.each(["main", "further"] as const)(
    "a certificate is shown to acme-tls/1 of its name alone: %s",
    async (which) => {
      let port = await openDoor(true);
      if (which === "further")
        ({ port } = await door.openFurther({ host: HOST, port: 0, answers: ["proofs"], tls: "panel" }));
      expect(await handshake(port, ACME)).toBeUndefined();
      const takeAway = door.proofs.addCertificate(NAME.toUpperCase(), { cert: shown.certificate, key: shown.key });
      expect(await handshake(port, ACME)).toEqual({ name: NAME, protocol: "acme-tls/1" });
      expect(await handshake(port, { ...ACME, ecdhCurve: "X25519MLKEM768" })).toMatchObject({ name: NAME });
      const ordinary = { name: "panel.example", protocol: "http/1.1" };
      const offers = { ALPNProtocols: ["http/1.1"] };
      expect(await handshake(port, offers)).toEqual(ordinary);
      expect(await handshake(port, { ...offers, ecdhCurve: "X25519MLKEM768" })).toEqual(ordinary);
      expect(await handshake(port, { ...offers, maxVersion: "TLSv1.2" })).toEqual(ordinary);
      expect(await handshake(port)).toMatchObject({ name: "panel.example" });
      // Another name's proof is nobody's here, and who offers more than the one protocol asks for no proof.
      expect(await handshake(port, { ...ACME, servername: "other.example" })).toBeUndefined();
      expect(await handshake(port, { ALPNProtocols: ["acme-tls/1", "http/1.1"] })).toEqual(ordinary);
      takeAway();
      expect(await handshake(port, ACME)).toBeUndefined();
      expect(await handshake(port, offers)).toEqual(ordinary);
    },
  );

  test("a listener for handshakes alone has nothing for others", async () => {
    await openDoor();
    const { port } = await door.openFurther({ host: HOST, port: 0, answers: ["proofs"], tls: "proofs" });
    const takeAway = door.proofs.addCertificate(NAME, { cert: shown.certificate, key: shown.key });
    expect(await handshake(port, ACME)).toMatchObject({ name: NAME });
    expect(await handshake(port)).toBeUndefined();
    await expect(ask(port, PROOF)).rejects.toThrow();
    takeAway();
    expect(await handshake(port, ACME)).toBeUndefined();
  });

  test("requests over TLS are answered as ever while a proof is in flight", async () => {
    const port = await openDoor(true);
    door.proofs.addCertificate(NAME, { cert: shown.certificate, key: shown.key });
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connectTls({ port, host: HOST, rejectUnauthorized: false });
        socket.write(`GET ${basePath}/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
        let text = "";
        for await (const piece of socket) text += String(piece);
        return text;
      }),
    );
    for (const answer of answers) expect(answer).toContain('{"status":"ok"}');
  });

  if (hasPrograms("handshakes of openssl", "openssl"))
    test("openssl sees both certificates", async () => {
      const port = await openDoor(true);
      door.proofs.addCertificate(NAME, { cert: shown.certificate, key: shown.key });
      const seen = (...more: string[]): Promise<string> =>
        new Promise((resolve) => {
          const args = ["s_client", "-connect", `${HOST}:${port}`, "-servername", NAME, ...more];
          const client = execFile("openssl", args, (_error, stdout) => resolve(stdout));
          client.stdin?.end();
        });
      expect(await seen("-alpn", "acme-tls/1")).toMatch(/subject=CN ?= ?proof\.example[^]*ALPN protocol: acme-tls\/1/);
      expect(await seen("-alpn", "http/1.1")).toMatch(/subject=CN ?= ?panel\.example/);
      expect(await seen()).toMatch(/subject=CN ?= ?panel\.example/);
    });
});

// A port that the kernel leads elsewhere, for example to an engine.
test.each([
  ["says nothing of it", (answer: ServerResponse) => answer.writeHead(404).end()],
  ["says another text", (answer: ServerResponse) => answer.end("x".repeat(32))],
  ["talks without end", (answer: ServerResponse) => answer.end("x".repeat(1_000_000))],
  ["hangs up", (answer: ServerResponse) => answer.destroy()],
])("a listener of proofs does not take another program for itself that %s", async (_what, answers) => {
  const other = createHttpServer((_request, response) => void answers(response));
  other.listen(0, HOST);
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const proofs = new Proofs();
  expect(await reachesItself({ host: HOST, port }, proofs)).toBe(false);
  other.close();
  expect(await reachesItself({ host: HOST, port }, proofs)).toBe(false);
});

describe("the first record of a connection", () => {
  /** A TLS server whose connections are looked at first. */
  async function peeking(patience?: number): Promise<{
    readonly port: number;
    readonly seen: unknown[];
    readonly connections: () => Promise<number>;
    close(): void;
  }> {
    const { certificate: cert, key } = await selfSigned("panel.example");
    const inner = createTlsServer({ cert, key }, (socket) => void socket.on("error", () => {}).end("hello"));
    inner.on("tlsClientError", () => {});
    const seen: unknown[] = [];
    const server = createServer((socket: Socket) =>
      peekHello(
        socket,
        (hello) => {
          seen.push(hello);
          inner.emit("connection", socket);
        },
        patience,
      ),
    );
    server.listen(0, HOST);
    await once(server, "listening");
    const connections = () => new Promise<number>((told) => void server.getConnections((_error, count) => told(count)));
    return { port: (server.address() as AddressInfo).port, seen, connections, close: () => void server.close() };
  }

  /** Carries bytes to a port in pieces. */
  async function dribbling(to: number, size: number): Promise<{ readonly port: number; close(): void }> {
    const carry = async (from: Socket, onward: Socket): Promise<void> => {
      for await (const piece of from as AsyncIterable<Buffer>)
        for (let at = 0; at < piece.length; at += size) {
          onward.write(piece.subarray(at, at + size));
          await new Promise(setImmediate);
        }
      onward.end();
    };
    const server = createServer((from) => {
      const onward = connect(to, HOST);
      onward
        .setNoDelay(true)
        .on("error", () => from.destroy())
        .pipe(from);
      carry(from, onward).catch(() => onward.destroy());
    });
    server.listen(0, HOST);
    await once(server, "listening");
    return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
  }

  async function said(port: number): Promise<string> {
    const socket = connectTls({ port, host: HOST, servername: "a.example", rejectUnauthorized: false });
    let text = "";
    for await (const piece of socket) text += String(piece);
    return text;
  }

  test.each([1, 3, 100, 1400])("arrives in pieces of %i bytes, and the server reads it again", async (size) => {
    const server = await peeking();
    const between = await dribbling(server.port, size);
    expect(await said(between.port)).toBe("hello");
    expect(server.seen).toMatchObject([{ serverName: "a.example" }]);
    between.close();
    server.close();
  });

  test("that does not come in time goes on as far as it came", async () => {
    const server = await peeking(30);
    const client = connect(server.port, HOST);
    client.write(Buffer.from([22, 3, 1]));
    await expect.poll(() => server.seen).toEqual([undefined]);
    client.destroy();
    await expect.poll(server.connections).toBe(0);
    server.close();
  });

  test("that is none goes on at once", async () => {
    const server = await peeking();
    const client = connect(server.port, HOST);
    client.on("error", () => {}).write("GET / HTTP/1.1\r\n\r\n");
    await expect.poll(() => server.seen).toEqual([undefined]);
    client.destroy();
    server.close();
  });

  test("of whoever leaves is nobody's", async () => {
    const server = await peeking();
    for (const leave of ["end", "resetAndDestroy"] as const) {
      const client = connect(server.port, HOST);
      await once(client, "connect");
      client.write(Buffer.from([22, 3, 1, 2, 0, 1]));
      await expect.poll(server.connections).toBe(1);
      client.on("error", () => {})[leave]();
      await expect.poll(server.connections).toBe(0);
    }
    expect(server.seen).toEqual([]);
    server.close();
  });
});
