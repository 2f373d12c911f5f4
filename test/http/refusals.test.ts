// Refusals: their bodies, their statuses and their order.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { route } from "../../src/http/route.ts";
import { okAnswer } from "../../src/http/wire.ts";
import { openPanel, request, scopes, type TestPanel } from "./panel.ts";

const counted = route({
  method: "GET",
  path: "/notes/count",
  scope: "users:read",
  summary: "How many notes",
  answer: okAnswer,
  handle: () => Promise.resolve({ ok: true as const }),
});

describe("refusals", () => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await openPanel("sqlite", { routes: [counted] });
    panel.caller("reader", { scopes: scopes("users:read"), base: "admin", tokenId: 2 });
    panel.caller("cookie", { via: "session", tokenId: 0, sessionId: 5 });
    panel.caller("stale", { via: "session", tokenId: 0, sessionId: 6, twoFactor: true, confirmedUntil: 1 });
    panel.caller("late", { base: "resale", expired: true, tokenId: 3 });
  });
  afterAll(() => panel.dispose());

  // rule http.error.4
  test("an unknown path is a JSON 404, a known one with another method 405 with Allow", async () => {
    const unknown = await panel.api.app.inject(request("GET", "/api/v1/nothing"));
    expect([unknown.statusCode, unknown.json()]).toEqual([404, { error: "not found", code: "not_found" }]);
    expect((await panel.api.app.inject(request("GET", "/api/v1/notes/"))).statusCode).toBe(404);
    const wrong = await panel.api.app.inject(request("PUT", "/api/notes/4", {}));
    expect([wrong.statusCode, wrong.headers["allow"], wrong.json().code]).toEqual([
      405,
      "DELETE, GET, HEAD",
      "method_not_allowed",
    ]);
    expect((await panel.api.app.inject({ method: "OPTIONS", url: "/api/notes" })).statusCode).toBe(405);
  });

  // rule http.error.4
  test("a path of its own is not another's parameter: /notes/count knows no DELETE, and says so", async () => {
    for (const method of ["DELETE", "POST"] as const) {
      const wrong = await panel.api.app.inject(request(method, "/api/v1/notes/count"));
      expect([method, wrong.statusCode, wrong.headers["allow"]]).toEqual([method, 405, "GET, HEAD"]);
    }
    expect((await panel.api.app.inject(request("DELETE", "/api/v1/notes/4"))).statusCode).not.toBe(405);
  });

  // rule http.error.1
  test("each refusal has a name of its own in X-Request-Id", async () => {
    const names = await Promise.all(
      ["/api/v1/nothing", "/api/v1/notes?limit=x"].map(
        async (path) => (await panel.api.app.inject(request("GET", path))).headers["x-request-id"],
      ),
    );
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9]{12}$/);
    expect(new Set(names).size).toBe(2);
  });

  // rule http.body.1
  test("bodies: malformed 400, another type 415, too large 413, NUL 400", async () => {
    const malformed = await panel.api.app.inject(request("POST", "/api/v1/notes", "{"));
    expect([malformed.statusCode, malformed.json().code]).toEqual([400, "malformed_json"]);
    const type = await panel.api.app.inject(
      request("POST", "/api/v1/notes", "a=b", { "content-type": "application/x-www-form-urlencoded" }),
    );
    expect([type.statusCode, type.json().code]).toEqual([415, "media_type"]);
    const text = await panel.api.app.inject(
      request("POST", "/api/v1/notes", '{"title":"t"}', { "content-type": "text/plain" }),
    );
    expect([text.statusCode, text.json().code]).toEqual([415, "media_type"]);
    const large = await panel.api.app.inject(
      request("POST", "/api/v1/notes", JSON.stringify({ title: "x".repeat(1024 * 1024) })),
    );
    expect([large.statusCode, large.json().code]).toEqual([413, "too_large"]);
    const nul = await panel.api.app.inject(request("POST", "/api/v1/notes", { title: "a\u0000b" }));
    expect([nul.statusCode, nul.json().field]).toEqual([400, "title"]);
    const half = await panel.api.app.inject(request("POST", "/api/v1/notes", '{"title":"a","tags":["\\ud800"]}'));
    expect([half.statusCode, half.json().field]).toEqual([400, "tags.0"]);
    const nested = (depth: number) => `{"title":"depth ${depth}","x":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`;
    const deep = await panel.api.app.inject(request("POST", "/api/v1/notes", nested(100_000)));
    expect([deep.statusCode, deep.json().error]).toEqual([
      400,
      expect.stringContaining("nested deeper than 64 levels"),
    ]);
    expect((await panel.api.app.inject(request("POST", "/api/v1/notes", nested(60)))).statusCode).toBe(200);
    const utf8 = await panel.api.app.inject({
      ...request("POST", "/api/v1/notes", {}),
      payload: Buffer.from([0x22, 0xff, 0x22]),
    });
    expect([utf8.statusCode, utf8.json().code]).toEqual([400, "malformed_json"]);
  });

  // rule http.path.5
  test("outside the API an unknown path is an empty 404 that says nothing", async () => {
    const unknown = await panel.api.app.inject(request("GET", "/sub/nobody"));
    expect([unknown.statusCode, unknown.body]).toEqual([404, ""]);
  });

  // rule admins.reseller.7
  test("a reseller that may only look is refused a change of users before the body is read", async () => {
    panel.caller("looker", { base: "resale", usersReadOnly: true, tokenId: 4, scopes: scopes("users:write") });
    const refused = await panel.api.app.inject(
      request("POST", "/api/v1/notes", { title: 4 }, { authorization: "Bearer looker" }),
    );
    expect([refused.statusCode, refused.json().error]).toEqual([403, "this account may only read users"]);
    expect(
      (await panel.api.app.inject(request("GET", "/api/v1/notes", undefined, { authorization: "Bearer looker" })))
        .statusCode,
    ).toBe(200);
  });

  // rule http.error.1
  test("validation names the field and lists the issues", async () => {
    const answer = await panel.api.app.inject(request("POST", "/api/v1/notes", { title: 4, size: 1.5 }));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: "validation",
      field: "title",
      issues: [{ path: "title" }, { path: "size" }],
    });
    const empty = await panel.api.app.inject(request("POST", "/api/v1/notes"));
    expect(empty.json()).toMatchObject({ code: "validation", field: "title" });
    const id = await panel.api.app.inject(request("GET", "/api/v1/notes/first"));
    expect(id.json()).toMatchObject({ code: "validation", field: "id" });
  });

  // rule http.error.3
  test("a duplicate is 400 with the field", async () => {
    await panel.api.app.inject(request("POST", "/api/v1/notes", { title: "twice" }));
    const again = await panel.api.app.inject(request("POST", "/api/v1/notes", { title: "twice" }));
    expect([again.statusCode, again.json()]).toEqual([
      400,
      { error: "title: the value is taken", code: "duplicate", field: "title" },
    ]);
  });

  // rule http.error.2
  test("the order: 401, 403, 429, 400, 428", async () => {
    const post = (authorization: string) =>
      panel.api.app.inject(request("POST", "/api/v1/notes", { title: 4 }, { authorization }));
    const anonymous = await post("Bearer nobody");
    expect([anonymous.statusCode, anonymous.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
    expect((await post("Basic cm9vdA==")).statusCode).toBe(401);
    const scope = await post("Bearer reader");
    expect([scope.statusCode, scope.json().code]).toEqual([403, "scope"]);
    expect((await post("Bearer root")).statusCode).toBe(400);
    panel.caller("spent", { tokenId: 9, rateLimit: 1 });
    expect((await post("Bearer spent")).statusCode).toBe(400);
    expect((await post("Bearer spent")).statusCode).toBe(429);
    const tier = await panel.api.app.inject(
      request("DELETE", "/api/v1/notes/1", undefined, { authorization: "Bearer reader" }),
    );
    expect([tier.statusCode, tier.json().code]).toEqual([403, "forbidden"]);
    const stale = (url: string) =>
      panel.api.app.inject({ method: "DELETE", url, headers: { cookie: "panel_session=stale" } });
    expect((await stale("/api/v1/notes/x")).statusCode).toBe(400);
    expect((await stale("/api/v1/notes/424242")).statusCode).toBe(404);
    const made = await panel.api.app.inject(request("POST", "/api/v1/notes", { title: "to confirm" }));
    const confirm = await stale(`/api/v1/notes/${made.json().id}`);
    expect([confirm.statusCode, confirm.json()["confirm"]]).toEqual([428, "totp"]);
  });

  // rule admins.reseller.6
  test("a token cannot reach a session-only route; an expired reseller only reads", async () => {
    const closed = await panel.api.app.inject(request("POST", "/api/restart"));
    expect([closed.statusCode, closed.json().code]).toEqual([403, "token_closed"]);
    const write = await panel.api.app.inject(
      request("POST", "/api/notes", { title: "a" }, { authorization: "Bearer late" }),
    );
    expect([write.statusCode, write.json().code]).toEqual([403, "account_expired"]);
    expect(
      (await panel.api.app.inject(request("GET", "/api/notes", undefined, { authorization: "Bearer late" })))
        .statusCode,
    ).toBe(200);
  });

  // rule http.error.5
  test("a defect answers 500 without its text", async () => {
    const answer = await panel.api.app.inject({
      method: "POST",
      url: "/api/restart",
      headers: { cookie: "panel_session=cookie" },
    });
    expect([answer.statusCode, answer.json()]).toEqual([500, { error: "internal error", code: "internal" }]);
  });

  // rule access.session.8
  test("a session's write from another site is refused, from the panel's own pages not", async () => {
    const write = (headers: Record<string, string>) =>
      panel.api.app.inject({
        ...request("POST", "/api/notes", { title: `n${Math.random()}` }),
        headers: {
          cookie: "panel_session=cookie",
          host: "panel.example",
          "content-type": "application/json",
          ...headers,
        },
      });
    expect((await write({ origin: "https://evil.example" })).json().code).toBe("cross_site");
    expect((await write({ origin: "null" })).statusCode).toBe(403);
    expect((await write({ "sec-fetch-site": "cross-site" })).statusCode).toBe(403);
    expect((await write({ origin: "http://panel.example" })).statusCode).toBe(200);
    expect((await write({})).statusCode).toBe(200);
    expect(
      (
        await panel.api.app.inject(
          request("POST", "/api/notes", { title: "by token" }, { origin: "https://evil.example" }),
        )
      ).statusCode,
    ).toBe(200);
  });

  // rule http.path.6
  test("security headers are on every answer", async () => {
    for (const url of ["/api/notes", "/api/nothing", "/healthz", "/elsewhere"]) {
      const { headers } = await panel.api.app.inject(request("GET", url));
      expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "x-frame-options": "DENY" });
    }
  });
});

// rules setup.pending.1, process.health.1
test("while setup is pending everything under /api is 404 without the token, and /healthz answers", async () => {
  const panel = await openPanel("sqlite", { pending: true });
  try {
    for (const url of ["/api/notes", "/api/v1/notes", "/api/openapi.json", "/api/nothing"])
      expect((await panel.api.app.inject(request("GET", url))).statusCode).toBe(404);
    expect((await panel.api.app.inject({ method: "GET", url: "/api/notes?t=setup-token" })).statusCode).toBe(401);
    expect((await panel.api.app.inject({ method: "GET", url: "/api/notes?t=wrong" })).statusCode).toBe(404);
    expect((await panel.api.app.inject({ method: "GET", url: "/healthz" })).json()).toEqual({ status: "ok" });
  } finally {
    await panel.dispose();
  }
});
