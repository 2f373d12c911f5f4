// Long answers go compressed to whoever takes them so.
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { PassThrough } from "node:stream";
import { brotliDecompressSync, createGunzip, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { RawAnswer, route, SESSION_COOKIE } from "../../src/http/index.ts";
import { openPanel, type TestPanel } from "./panel.ts";

let panel: TestPanel;
let lines = new PassThrough();
beforeAll(async () => {
  panel = await openPanel("sqlite", {
    routes: [
      route({
        method: "GET",
        path: "/lines",
        scope: "stats:read",
        summary: "Lines as they come",
        answer: z.string(),
        produces: ["text/csv", "application/octet-stream"],
        query: z.object({ type: z.string().optional() }),
        handle: async ({ query: { type = "text/csv" } }) => new RawAnswer(type, lines),
      }),
    ],
  });
  panel.caller("root", { rateLimit: 1000 });
  panel.caller("tab", { via: "session", tokenId: 0, sessionId: 1 });
  for (let size = 0; size < 150; size++) {
    const payload = { title: `note ${size}`, size };
    const { statusCode } = await panel.api.app.inject({
      method: "POST",
      url: "/api/notes",
      headers: { authorization: "Bearer root" },
      payload,
    });
    expect(statusCode).toBe(200);
  }
});
afterAll(() => panel.dispose());

const ask = (url: string, headers: Record<string, string>, method: "GET" | "HEAD" = "GET") =>
  panel.api.app.inject({ method, url, headers });
const browser = { cookie: `${SESSION_COOKIE}=tab`, "accept-encoding": "gzip, deflate, br, zstd" };

// rule http.path.7
test("a long answer to a session: the same bytes, once they are unpacked", async () => {
  const [packed, plain] = await Promise.all([
    ask("/api/notes", browser),
    ask("/api/notes", { authorization: "Bearer root" }),
  ]);
  expect(packed.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding", "x-total-count": "150" });
  expect(Number(packed.headers["content-length"])).toBe(packed.rawPayload.length);
  expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
});

// rule http.path.7
test.each([
  ["gzip", "gzip", gunzipSync],
  ["br", "br", brotliDecompressSync],
  ["br, gzip;q=0", "br", brotliDecompressSync],
  ["br, gzip", "gzip", gunzipSync],
  ["*", "gzip", gunzipSync],
] as const)("to a token that takes %s it goes as %s", async (accepted, encoding, unpack) => {
  const authorization = "Bearer root";
  const [packed, plain] = await Promise.all([
    ask("/api/notes", { authorization, "accept-encoding": accepted }),
    ask("/api/notes", { authorization }),
  ]);
  expect([packed.headers["content-encoding"], plain.headers["content-encoding"]]).toEqual([encoding, undefined]);
  expect(unpack(packed.rawPayload).toString()).toBe(plain.body);
});

// rule http.path.7
test("a stream goes on as it comes, and one that is no text as it is", async () => {
  await panel.api.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = panel.api.app.server.address() as { port: number };
  const open = async (path: string) => {
    lines = new PassThrough();
    const outgoing = httpRequest({
      port,
      path,
      headers: { authorization: "Bearer root", "accept-encoding": "gzip" },
    }).end();
    lines.write("first\n");
    const [incoming] = await once(outgoing, "response");
    return incoming;
  };
  const packed = await open("/api/lines");
  expect(packed.headers["content-encoding"]).toBe("gzip");
  const unpacked = packed.pipe(createGunzip()).setEncoding("utf8");
  expect((await once(unpacked, "data"))[0]).toBe("first\n");
  lines.end("last\n");
  expect((await once(unpacked, "data"))[0]).toBe("last\n");
  await once(unpacked, "end");
  const raw = await open("/api/lines?type=application/octet-stream");
  expect(raw.headers["content-encoding"]).toBeUndefined();
  lines.end();
  raw.resume();
  await once(raw, "end");
  // Its source ends with a reader that leaves.
  const left = await open("/api/lines");
  const ended = new Promise((resolve) => lines.once("close", resolve));
  left.destroy();
  await ended;
});

// rule http.path.7
test.each([
  ["that is short", "/api/notes?limit=3", browser],
  ["to who asks for none", "/api/notes", { cookie: browser.cookie }],
  ["to who refuses it", "/api/notes", { ...browser, "accept-encoding": "gzip;q=0, identity" }],
])("an answer %s goes as it is", async (_what, url, headers) => {
  const answer = await ask(url, headers);
  expect([answer.statusCode, answer.headers["content-encoding"]]).toEqual([200, undefined]);
  expect(answer.json()).toHaveLength(url.endsWith("3") ? 3 : 150);
});

test("HEAD tells of what goes to everybody", async () => {
  const [head, plain] = await Promise.all([
    ask("/api/notes", browser, "HEAD"),
    ask("/api/notes", { authorization: "Bearer root" }),
  ]);
  expect([head.statusCode, head.headers["content-encoding"], head.body]).toEqual([200, undefined, ""]);
  expect(Number(head.headers["content-length"])).toBe(plain.rawPayload.length);
});
