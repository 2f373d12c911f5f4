// What a browser reads with its session goes compressed; what programs read does not.
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SESSION_COOKIE } from "../../src/http/index.ts";
import { openPanel, type TestPanel } from "./panel.ts";

let panel: TestPanel;
beforeAll(async () => {
  panel = await openPanel("sqlite");
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
  ["of a token", "/api/notes", { authorization: "Bearer root", "accept-encoding": "gzip" }],
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
