// Behind a base path the panel answers nothing outside it: whatever is asked, the answer is that of a bare server that
// has nothing, byte for byte.
import { once } from "node:events";
import { createServer as createPlainServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type AddressInfo } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../../database.ts";
import { selfSigned } from "../../certificate.ts";
import { outsideRequests, TWO_HOSTS, UNREADABLE } from "../../raw-requests.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { startStopwatch } from "../../stopwatch.ts";
import { ListeningPanel } from "./panel.ts";

const BASE = "/hIdden";
const PANEL_WORDS =
  /x-request-id|x-frame|nosniff|referrer|cross-origin|content-security|no-store|"code"|json|signalbox/i;

const places = dialects.flatMap((dialect) => (["none", "self_signed"] as const).map((tls) => ({ dialect, tls })));

describe.each(places)("outside the base path on $dialect, TLS $tls", ({ dialect, tls }) => {
  let panel: ListeningPanel;
  let bare: Server;
  let link: string;
  let further: number;
  beforeAll(async () => {
    panel = await ListeningPanel.open(dialect, { web_tls_mode: tls, web_basepath: BASE });
    bare = await bareServer(tls === "self_signed");
    const made = await panel.ask("POST", `${BASE}/api/v1/users`, { body: { name: "anna" } });
    link = `/sub/${made.body.subId}`;
    [further = 0] = await quietPorts(1);
    expect(await panel.put("sub_listen", `127.0.0.1:${further}`, BASE)).toMatchObject({ status: 200 });
  });
  afterAll(async () => {
    bare.close();
    await panel.dispose();
  });

  const port = () => Number(new URL(panel.url).port);

  /** What comes back, without its date, until the connection ends or the answer is whole. */
  function raw(to: number, bytes: string, from = "127.0.0.1"): Promise<string> {
    return new Promise((resolve, reject) => {
      const place = { port: to, host: "127.0.0.1", localAddress: from };
      const socket = tls === "none" ? connect(place) : connectTls({ ...place, rejectUnauthorized: false });
      let answer = "";
      socket.on("data", (piece: Buffer) => {
        answer += piece.toString("latin1");
        if (/keep-alive/i.test(answer) && answer.endsWith("\r\n\r\n")) socket.end();
      });
      // What the other side has not read when it closes is a reset here, after its answer.
      socket.on("error", (error) => (answer === "" ? reject(error) : undefined));
      socket.on("close", () => resolve(answer.replace(/^date: .*\r\n/gim, "")));
      socket.write(bytes, "latin1");
    });
  }

  // rule http.hidden.1
  test("every request is answered as by a server that has nothing", async () => {
    const { port: bareAt } = bare.address() as AddressInfo;
    const told: unknown[] = [];
    for (const { name, bytes } of [...outsideRequests(BASE), ...UNREADABLE]) {
      const [ours, theirs] = [await raw(port(), bytes), await raw(bareAt, bytes)];
      told.push([name, ours]);
      expect([name, ours]).toEqual([name, theirs]);
      expect(ours).not.toMatch(PANEL_WORDS);
    }
    expect(told.length).toBeGreaterThan(100);
  });

  // rules http.hidden.1, settings.listen.3
  test("on a port of sub_listen everything is outside, the base path too", async () => {
    const { port: bareAt } = bare.address() as AddressInfo;
    const upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n";
    const inside = ["", "/", "/healthz", "/api/v1/me", "/api/openapi.json", "/login", "/api/v1/events/stream"].flatMap(
      (path) => [
        { name: `GET ${path}`, bytes: `GET ${BASE}${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n` },
        {
          name: `upgrade of ${path}`,
          bytes: `GET ${BASE}${path} HTTP/1.1\r\nHost: a\r\n${upgrade}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
        },
      ],
    );
    const health = { name: "health", bytes: "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" };
    // The rest is the main port's matter: nothing but who answers is another here.
    const some = outsideRequests(BASE).filter((_request, index) => index % 6 === 0);
    for (const { name, bytes } of [...some, ...UNREADABLE, ...inside, health]) {
      const [ours, theirs] = [await raw(further, bytes), await raw(bareAt, bytes)];
      expect([name, ours]).toEqual([name, theirs]);
    }
    expect(await raw(further, "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n")).toMatch(/^HTTP\/1\.1 404 /);
    for (const { name, bytes } of TWO_HOSTS(`${BASE}/api/v1/me`))
      expect([name, await raw(further, bytes)]).toEqual([
        name,
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
      ]);
    const fetched = `GET ${link} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const withoutId = (answer: string) => answer.replace(/^x-request-id: .*\r\n/gim, "");
    expect(withoutId(await raw(further, fetched))).toBe(withoutId(await raw(port(), fetched)));
  });

  // rules http.hidden.1, http.path.13
  test("a tunnel is as any other path that is not there, and what names no one host is a bare 400", async () => {
    const nothing = await raw(port(), "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(await raw(port(), "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n")).toBe(nothing);
    expect(await raw(port(), `CONNECT ${BASE}/api HTTP/1.1\r\nHost: a\r\n\r\n`)).toBe(nothing);
    for (const { name, bytes } of TWO_HOSTS("/x"))
      expect([name, await raw(port(), bytes)]).toEqual([
        name,
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
      ]);
  });

  // rule http.hidden.2
  test("inside, and of links that there are, everything is as it is without one", async () => {
    const me = await raw(port(), `GET ${BASE}/api/v1/me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(me).toMatch(/^HTTP\/1\.1 401 [^]*x-request-id: \w{12}\r\n[^]*"code":"unauthenticated"/);
    const whole = await raw(port(), `GET http://a${BASE}/api/v1/me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(whole).toMatch(/^HTTP\/1\.1 401 [^]*"code":"unauthenticated"/);
    for (const { name, bytes } of TWO_HOSTS(`${BASE}/api/v1/me`))
      expect([name, await raw(port(), bytes)]).toEqual([
        name,
        expect.stringMatching(/^HTTP\/1\.1 400 [^]*x-request-id: [^]*"code":"bad_request"/),
      ]);
    expect(await panel.ask("GET", link)).toMatchObject({ status: 200, headers: { "x-request-id": expect.anything() } });
    expect(await panel.ask("GET", `${link}/info`)).toMatchObject({ status: 200 });
    expect((await panel.ask("POST", link)).headers).not.toHaveProperty("x-request-id");
  });

  // rule http.hidden.3
  test("health is told below the base path, and without it to programs of this machine alone", async () => {
    const bareHealth = (headers: Record<string, string> = {}) => panel.ask("GET", "/healthz", { cookie: "", headers });
    expect(await panel.ask("GET", `${BASE}/healthz`)).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await bareHealth()).toMatchObject({ status: 200, body: { status: "ok" } });
    for (const name of ["x-forwarded-for", "x-real-ip", "forwarded", "via", "x-forwarded-proto"])
      expect([name, await bareHealth({ [name]: "203.0.113.7" })]).toMatchObject([name, { status: 404, text: "" }]);
  });

  // rule http.hidden.4
  test("neither the number of tries nor the time tells where subscriptions are", async () => {
    const get = (path: string, from: string) =>
      raw(port(), `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, from);
    const nothing = await get("/nothing", "127.0.0.9");
    const tries = await Promise.all(Array.from({ length: 130 }, (_, n) => get(`/sub/guess-${n}`, "127.0.0.9")));
    expect(new Set(tries)).toEqual(new Set([nothing]));
    // A client that guessed is not told of a right key either.
    expect(await get(link, "127.0.0.9")).toBe(nothing);
    // A client that has fetched with a right key is told to wait.
    const fetched = await Promise.all(Array.from({ length: 250 }, () => get(link, "127.0.0.10")));
    // They arrive together, in an order of their own, and perhaps in two minutes of 120 each.
    expect(fetched.filter((answer) => answer.startsWith("HTTP/1.1 429 ")).length).toBeGreaterThanOrEqual(10);
    const paths = ["/nothing", "/sub/wrong", "/healthz/", `${BASE}x`, "/sub/wrong/html"];
    const times = new Map(paths.map((path): [string, number[]] => [path, []]));
    for (let round = 0; round < 21; round++) {
      for (const [path, taken] of times) {
        const elapsed = startStopwatch();
        await get(path, "127.0.0.11");
        taken.push(elapsed());
      }
    }
    // The least of each: what a busy machine adds to a single answer says nothing.
    const least = [...times.values()].map((taken) => Math.min(...taken));
    expect(Math.max(...least) - Math.min(...least)).toBeLessThan(6);
  });
});

/** What answers to the same bytes and has nothing. */
async function bareServer(tls: boolean): Promise<Server> {
  const { certificate: cert, key } = await selfSigned("panel.example");
  const options = { shouldUpgradeCallback: () => false };
  const server = tls ? createTlsServer({ ...options, cert, key }) : createPlainServer(options);
  server.keepAliveTimeout = 72_000;
  server.on("request", (_request, response) => response.writeHead(404, { "Content-Length": "0" }).end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}
