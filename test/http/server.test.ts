// The server on a real socket: base path, sockets, draining, downloads.
import { Readable } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { Facts } from "../../src/db/index.ts";
import { CREDENTIALS_ENDED, okAnswer, RawAnswer, route } from "../../src/http/index.ts";
import { openPanel, scopes, type TestPanel } from "./panel.ts";

let panel: TestPanel;
afterEach(() => panel.dispose());

async function listen(): Promise<string> {
  return panel.api.app.listen({ host: "127.0.0.1", port: 0 });
}

function opened(url: string, headers: Record<string, string>): Promise<{ ws: WebSocket; closed: Promise<number> }> {
  return new Promise((resolve, reject) => {
    // Node's WebSocket takes headers, which its type does not say.
    const ws = new WebSocket(url.replace("http", "ws"), { headers });
    const closed = new Promise<number>((end) => ws.addEventListener("close", (event) => end(event.code)));
    ws.addEventListener("open", () => resolve({ ws, closed }));
    ws.addEventListener("error", () => reject(new Error("refused")));
  });
}

// rule http.path.1
test("routes live under the base path on both prefixes; HEAD answers; keys outside are 404", async () => {
  panel = await openPanel("sqlite", { basePath: "/panel" });
  const base = await listen();
  const headers = { authorization: "Bearer root" };
  expect((await fetch(`${base}/panel/api/notes`, { headers })).status).toBe(200);
  expect((await fetch(`${base}/panel/api/v1/notes`, { headers, method: "HEAD" })).status).toBe(200);
  expect((await fetch(`${base}/api/notes`, { headers })).status).toBe(404);
  expect(await (await fetch(`${base}/healthz`)).json()).toEqual({ status: "ok" });
  expect((await fetch(`${base}/panel/api/notes`, { method: "PATCH", headers })).headers.get("allow")).toBe(
    "GET, HEAD, POST",
  );
});

// rule access.session.9
test("a socket is checked like a route, refused to other sites by cookie, and closed when its credential's rights change", async () => {
  panel = await openPanel("sqlite");
  panel.caller("cookie", { via: "session", tokenId: 0, sessionId: 4 });
  panel.caller("narrow", { scopes: scopes("users:read"), tokenId: 2 });
  const url = `${await listen()}/api/v1/echo`;
  await expect(opened(url, {})).rejects.toThrow("refused");
  await expect(opened(url, { authorization: "Bearer narrow" })).rejects.toThrow("refused");
  await expect(opened(url, { cookie: "panel_session=cookie", origin: "https://evil.example" })).rejects.toThrow(
    "refused",
  );
  const { ws, closed } = await opened(url, { cookie: "panel_session=cookie" });
  const heard = new Promise((resolve) => ws.addEventListener("message", (event) => resolve(String(event.data))));
  ws.send("hello");
  expect(["hello", "[object Blob]"]).toContain(await heard);
  panel.caller("cookie", { via: "session", tokenId: 0, sessionId: 4, scopes: scopes("users:read") });
  await panel.database.commits.execute({
    name: "test.end",
    statements: [],
    facts: new Facts().add(CREDENTIALS_ENDED, 4),
  });
  expect(await closed).toBe(4403);
});

// rules http.error.7, process.health.1
test("while draining, running requests end and new ones are 503", async () => {
  panel = await openPanel("sqlite");
  const base = await listen();
  const slow = fetch(`${base}/api/notes`, {
    method: "POST",
    headers: { authorization: "Bearer root", "content-type": "application/json", connection: "close" },
    body: JSON.stringify({ title: "last", slow: true }),
  });
  const ready = await opened(`${base}/api/echo`, { authorization: "Bearer root" });
  await expect.poll(panel.waiting).toBe(1);
  const closing = panel.api.close();
  const [refused, health] = await Promise.all([
    panel.api.app.inject({ method: "GET", url: "/api/notes", headers: { authorization: "Bearer root" } }),
    panel.api.app.inject({ method: "GET", url: "/healthz" }),
  ]);
  expect([refused.statusCode, refused.headers["retry-after"], health.statusCode]).toEqual([503, "1", 503]);
  expect(await ready.closed).toBe(1001);
  panel.release();
  expect((await slow).status).toBe(200);
  await closing;
});

test("a stream goes in and out unread by the server, whatever its type", async () => {
  const upload = route({
    method: "POST",
    path: "/upload",
    scope: "backup:write",
    summary: "Upload",
    stream: true,
    bodyLimit: 4 * 1024 * 1024,
    answer: z.object({ bytes: z.int() }),
    handle: async ({ stream }) => {
      let bytes = 0;
      for await (const chunk of stream) bytes += (chunk as Uint8Array).length;
      return { bytes };
    },
  });
  const download = route({
    method: "GET",
    path: "/download",
    scope: "backup:read",
    summary: "Download",
    answer: okAnswer,
    produces: "application/gzip",
    handle: () =>
      new RawAnswer("application/gzip", Readable.from([Buffer.from("abc"), Buffer.from("def")]), 200, {
        "content-disposition": "attachment",
      }),
  });
  panel = await openPanel("sqlite", { routes: [upload, download] });
  const base = await listen();
  const headers = { authorization: "Bearer root", "content-type": "application/gzip" };
  const sent = await fetch(`${base}/api/upload`, { method: "POST", headers, body: new Uint8Array(2 * 1024 * 1024) });
  expect(await sent.json()).toEqual({ bytes: 2 * 1024 * 1024 });
  const got = await fetch(`${base}/api/download`, { headers });
  expect([await got.text(), got.headers.get("content-type"), got.headers.get("content-disposition")]).toEqual([
    "abcdef",
    "application/gzip",
    "attachment",
  ]);
});
