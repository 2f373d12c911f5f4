// Signing in from a page that is not the panel's own is refused at once, on every way in, and not only what follows.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAccessPanel, PASSWORD, setUp, type AccessPanel } from "./panel.ts";

let panel: AccessPanel;
beforeAll(async () => void (panel = await openAccessPanel("sqlite")));
afterAll(() => panel.dispose());

const FOREIGN = { host: "panel.example", origin: "https://panel.example:8443" };
const refusal = { code: "cross_site", origin: "https://panel.example:8443", expected: "https://panel.example" };

// rule access.session.8
test("setup, passwords, codes and providers: a foreign page is refused with both names, and changes nothing", async () => {
  const setup = "/api/setup?t=the-setup-token-of-the-tests";
  const body = { username: "root", password: PASSWORD, settings: { web_tls_mode: "none" } };
  const early = await panel.send("POST", setup, { body, headers: FOREIGN });
  expect([early.status, early.body]).toEqual([403, expect.objectContaining(refusal)]);
  await setUp(panel);
  for (const [path, sent] of [
    ["/login", { username: "root", password: PASSWORD }],
    ["/login", { username: "root", password: "wrong password" }],
    ["/login/mfa", { token: "x", code: "000000" }],
    ["/login/oidc/start", { provider: 1, redirectUri: "https://panel.example/api/login/oidc/callback" }],
    ["/logout", {}],
  ] as const) {
    for (const headers of [FOREIGN, { ...FOREIGN, "sec-fetch-site": "same-site" }]) {
      const refused = await panel.send("POST", `/api/v1${path}`, { body: sent, headers });
      expect([path, refused.status, refused.body, refused.cookie]).toEqual([
        path,
        403,
        expect.objectContaining(refusal),
        undefined,
      ]);
    }
    const own = await panel.send("POST", `/api/v1${path}`, {
      body: sent,
      headers: { ...FOREIGN, "sec-fetch-site": "same-origin" },
    });
    expect([path, own.body["code"]]).not.toEqual([path, "cross_site"]);
  }
  const login = { username: "root", password: PASSWORD };
  const inside = await panel.send("POST", "/api/login", {
    body: login,
    headers: { "sec-fetch-site": "same-origin", ...FOREIGN },
  });
  expect(inside.status).toBe(200);
  expect((await panel.events()).filter(({ event }) => event === "panel.ip_banned")).toEqual([]);
});
