// What reaches the panel as bytes on a socket: requests that are none, odd addresses and methods, bodies at their
// limits, slow senders.
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { okAnswer, openRoute, route } from "../../src/http/index.ts";
import { TWO_HOSTS } from "../raw-requests.ts";
import { openPanel, type TestPanel } from "./panel.ts";

const KNOCK = openRoute({
  method: "POST",
  path: "/knock",
  summary: "Open to everybody",
  body: z.object({ name: z.string() }),
  answer: okAnswer,
  handle: () => ({ ok: true }) as const,
});
const COUNT = route({
  method: "GET",
  path: "/notes/count",
  scope: "users:read",
  summary: "A path of its own",
  answer: okAnswer,
  handle: () => ({ ok: true }) as const,
});

const AUTH = "Host: panel\r\nAuthorization: Bearer root\r\n";

describe("bytes on the wire", () => {
  let panel: TestPanel;
  let port: number;
  beforeAll(async () => {
    panel = await openPanel("sqlite", { routes: [KNOCK, COUNT] });
    port = Number(new URL(await panel.api.app.listen({ host: "127.0.0.1", port: 0 })).port);
  });
  afterAll(() => panel.dispose());

  /** Sends bytes and reads until the connection ends; `Connection: close` is asked for by the caller. */
  function exchange(...parts: (string | Uint8Array)[]): Promise<{ status: number; head: string; body: string }> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect(port, "127.0.0.1", () => {
        for (const part of parts) socket.write(part);
      });
      socket.on("data", (chunk) => chunks.push(chunk));
      socket.on("error", reject);
      socket.on("close", () => {
        const [head = "", ...body] = Buffer.concat(chunks).toString().split("\r\n\r\n");
        resolve({ status: Number(head.split(" ")[1]), head: head.toLowerCase(), body: body.join("\r\n\r\n") });
      });
    });
  }
  /** The same, up to the first piece of the answer. */
  async function firstAnswer(...parts: string[]): Promise<{ status: number }> {
    const socket = connect(port, "127.0.0.1");
    for (const part of parts) socket.write(part);
    const [piece] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    return { status: Number(piece.toString("latin1").split(" ")[1]) };
  }
  const get = (target: string, headers = "") =>
    exchange(`GET ${target} HTTP/1.1\r\n${AUTH}${headers}Connection: close\r\n\r\n`);
  const post = (body: string | Uint8Array, headers = "Content-Type: application/json\r\n") =>
    exchange(
      `POST /api/v1/notes HTTP/1.1\r\n${AUTH}${headers}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`,
      body,
    );

  // rule http.path.6
  test("what is no HTTP is a 400, too large a header a 431: in the shape of every refusal, with the security headers", async () => {
    const garbage = await exchange("\u0016\u0003\u0001 no HTTP\r\n\r\n");
    expect([garbage.status, JSON.parse(garbage.body)]).toMatchObject([400, { code: "bad_request" }]);
    const large = await get("/api/notes", `X-Large: ${"x".repeat(20_000)}\r\n`);
    expect([large.status, JSON.parse(large.body)]).toMatchObject([431, { code: "headers_too_large" }]);
    const address = await get(`/api/notes?q=${"x".repeat(20_000)}`);
    expect(address.status).toBe(431);
    for (const { head } of [garbage, large, address]) expect(head).toContain("x-content-type-options: nosniff");
  });

  // rule http.error.1
  test.each([
    ["/api/%zz", 400],
    ["/api/v1/notes/%", 400],
    ["//api/notes", 404],
    ["/api//notes", 404],
    ["/api/notes/", 404],
    ["/api/notes/../notes", 404],
    ["/api/%2e%2e/healthz", 404],
    ["/api/notes/%00", 404],
    ["/API/notes", 404],
    ["/api/v2/notes", 404],
    ["/api", 404],
    [`/api/notes/${"9".repeat(600)}`, 404],
    ["/api/notes/1%0d%0aX-Injected:%20yes", 400],
    ["/api/v1/notes?q=%0d%0aX-Injected:%20yes", 200],
    ["/api/v1/notes?q=%ff%fe", 200],
    ["/api/v1/notes?__proto__=1&constructor=2&limit=1", 200],
  ])("%s is %i, without a stack and with the security headers", async (target, status) => {
    const answer = await get(target);
    expect([target, answer.status]).toEqual([target, status]);
    expect(answer.head).toContain("x-frame-options: deny");
    expect(answer.head).not.toContain("x-injected");
    expect(answer.body).not.toMatch(/node_modules|\.ts:|\n\s+at /);
    if (status >= 400 && target.startsWith("/api/"))
      expect(JSON.parse(answer.body)).toMatchObject({ error: expect.any(String), code: expect.any(String) });
  });

  // rule http.path.2
  test("HEAD answers like GET without a body; methods that no route has are 405 with Allow, or 404", async () => {
    const head = await exchange(`HEAD /api/v1/notes HTTP/1.1\r\n${AUTH}Connection: close\r\n\r\n`);
    expect([head.status, head.body, head.head.includes("x-total-count: ")]).toEqual([200, "", true]);
    for (const method of ["OPTIONS", "PATCH", "TRACE", "PROPFIND"]) {
      const answer = await exchange(`${method} /api/v1/notes HTTP/1.1\r\n${AUTH}Connection: close\r\n\r\n`);
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.head).toContain("allow: get, head, post");
      expect(answer.head).not.toContain("access-control-allow");
    }
  });

  // rule http.body.1
  test("a body of exactly 1 MiB is read, one byte more is 413, also where its length is not announced", async () => {
    const limit = 1024 * 1024;
    const body = (size: number) => `{"title":"t${size}","x":"${"x".repeat(size)}"}`;
    const exact = body(limit - body(0).length - 6);
    expect(Buffer.byteLength(exact)).toBe(limit);
    expect((await post(exact)).status).toBe(200);
    expect((await post(`${exact} `)).status).toBe(413);
    const chunked = `POST /api/v1/notes HTTP/1.1\r\n${AUTH}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    const over = await exchange(chunked, `${(limit + 1).toString(16)}\r\n${"x".repeat(limit + 1)}\r\n0\r\n\r\n`);
    expect(over.status).toBe(413);
  });

  // rule http.body.6
  test("of a body that an open route does not take nothing is waited for; 16 KiB are read", async () => {
    const start = (length: number) =>
      `POST /api/v1/knock HTTP/1.1\r\nHost: panel\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
    const exact = JSON.stringify({ name: "x".repeat(16 * 1024 - 11) });
    expect(exact.length).toBe(16 * 1024);
    expect((await exchange(start(exact.length), exact)).status).toBe(200);
    // Not a byte of it is sent.
    expect((await firstAnswer(start(16 * 1024 + 1))).status).toBe(413);
    expect((await firstAnswer(start(1_000_000_000))).status).toBe(413);
    const chunked = start(0).replace("Content-Length: 0", "Transfer-Encoding: chunked");
    const half = `${(9000).toString(16)}\r\n${"x".repeat(9000)}\r\n`;
    expect((await firstAnswer(chunked, half, half)).status).toBe(413);
  });

  // rule http.path.13
  test("a request names one host and one path, and has few parameters", async () => {
    for (const { name, bytes } of TWO_HOSTS("/api/v1/notes")) {
      const { status, body } = await exchange(bytes);
      expect([name, status, JSON.parse(body).code]).toEqual([name, 400, "bad_request"]);
    }
    const whole = `GET http://panel/api/v1/notes?limit=1 HTTP/1.1\r\n${AUTH}Connection: close\r\n\r\n`;
    expect((await exchange(whole)).status).toBe(200);
    // However it is written, it is one path: with no DELETE, which is not another's parameter.
    for (const path of ["/api/v1/notes/count", "/api/v1/notes/%63ount"]) {
      const { status } = await exchange(`DELETE ${path} HTTP/1.1\r\n${AUTH}Connection: close\r\n\r\n`);
      expect([path, status]).toEqual([path, 405]);
    }
    const query = (count: number) => `/api/v1/notes?${Array.from({ length: count }, (_, n) => `x${n}=1`).join("&")}`;
    expect((await get(query(256))).status).toBe(200);
    expect(JSON.parse((await get(query(257))).body)).toMatchObject({ code: "bad_request" });
  });

  test("encoded bodies are no JSON, of members with one name the last counts, and a GET's body is left unread", async () => {
    const encoded = await post(
      new Uint8Array([0x1f, 0x8b, 8, 0]),
      "Content-Type: application/json\r\nContent-Encoding: gzip\r\n",
    );
    expect(encoded.status).toBe(400);
    expect(JSON.parse((await post('{"title":"first","title":"second"}')).body)).toMatchObject({ title: "second" });
    const read = await exchange(
      `GET /api/notes HTTP/1.1\r\n${AUTH}Content-Type: text/x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc`,
    );
    expect(read.status).toBe(200);
  });

  test("an announced length that the body does not have, twice announced, or both ways at once is refused", async () => {
    const start = `POST /api/v1/notes HTTP/1.1\r\n${AUTH}Content-Type: application/json\r\n`;
    expect(
      (await exchange(`${start}Content-Length: 2\r\nContent-Length: 3\r\nConnection: close\r\n\r\n{}`)).status,
    ).toBe(400);
    expect(
      (await exchange(`${start}Content-Length: 2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{}`)).status,
    ).toBe(400);
    expect((await exchange(`${start}Content-Length: x\r\nConnection: close\r\n\r\n{}`)).status).toBe(400);
  });
});
