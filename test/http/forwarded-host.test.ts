// The name under which the panel was asked is the `Host` of the request: `X-Forwarded-Host` is ignored, also from a
// trusted proxy.
import { expect, test } from "vitest";
import { openPanel } from "./panel.ts";

// rule access.session.8
test("a write with a session is judged by Host alone", async () => {
  const panel = await openPanel("sqlite");
  try {
    panel.caller("cookie", { via: "session", tokenId: 0, sessionId: 5, rateLimit: 0 });
    const post = async (headers: Record<string, string>) =>
      (
        await panel.api.app.inject({
          method: "POST",
          url: "/api/notes",
          // A trusted proxy of this panel.
          remoteAddress: "127.0.0.1",
          headers: { cookie: "panel_session=cookie", host: "panel.example", ...headers },
          payload: { title: `note ${Math.random()}` },
        })
      ).statusCode;
    expect(await post({ origin: "https://panel.example", "x-forwarded-host": "evil.example" })).toBe(200);
    expect(await post({ origin: "https://evil.example", "x-forwarded-host": "evil.example" })).toBe(403);
    for (const site of ["same-origin", "same-site", "none"])
      expect(
        await post({ origin: "https://evil.example", "x-forwarded-host": "evil.example", "sec-fetch-site": site }),
      ).toBe(403);
  } finally {
    await panel.dispose();
  }
});
