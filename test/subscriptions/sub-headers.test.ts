// Headers of `sub_rules`: a list of what apps read. Nothing that steers a proxy or a cache in front of the panel is
// taken, and what an older version took is not sent.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_HEADERS } from "../../src/subscriptions/documents/app-headers.ts";
import { dialects } from "../database.ts";
import { TestPanel } from "../accounts/panel.ts";

/** Means something to a proxy, a cache, a browser or the connection. */
const STEERING = [
  ..."x-accel-redirect x-accel-buffering x-accel-charset x-accel-expires x-accel-limit-rate x-sendfile".split(" "),
  ..."x-lighttpd-send-file x-litespeed-location x-reproxy-url x-rewrite-url x-original-url x-cache-key".split(" "),
  ..."surrogate-control surrogate-key cdn-cache-control cloudflare-cdn-cache-control cache-tag age".split(" "),
  ..."service-worker-allowed speculation-rules public-key-pins alt-svc alt-used host status early-data".split(" "),
  ..."cache-control set-cookie location content-type content-length content-disposition connection upgrade".split(" "),
  ..."strict-transport-security content-security-policy origin-agent-cluster www-authenticate vary via".split(" "),
  ..."x-hwid-limit x-hwid-active x-request-id x-forwarded-for x-real-ip x-own".split(" "),
];

const row = (headers: Record<string, string>) => ({
  header: "user-agent",
  operator: "startsWith",
  value: "happ/",
  format: "singbox",
  enabled: true,
  headers,
});

// rule admins.point.4
test("the guide names each header of the list", () => {
  const [, told = ""] = readFileSync("docs/subscriptions.md", "utf8").split("### Headers of a row");
  const [section = ""] = told.split("\n## ");
  expect(APP_HEADERS.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

describe.each(dialects)("headers of a row, on %s", (dialect) => {
  let panel: TestPanel;
  let user: { id: number; subId: string };
  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    user = await panel.ok("POST", "/users", { name: "anna" });
  });
  afterAll(() => panel.dispose());

  // rule admins.point.4
  test.each(STEERING)("%s is refused by name", async (name) => {
    expect(APP_HEADERS).not.toContain(name);
    const refused = await panel.call("POST", "/sub/rules/test", {
      rules: [row({ announce: "x" }), row({ [name]: "x" })],
    });
    expect([refused.status, refused.body.field]).toEqual([400, `rules.1.headers.${name}`]);
  });

  // rule admins.point.4
  test("every header of the list is taken and sent", async () => {
    for (const name of APP_HEADERS) {
      panel.settings.set("sub_rules", JSON.stringify([row({ [name]: "1" })]));
      const answer = await panel.api.app.inject({ url: `/sub/${user.subId}`, headers: { "user-agent": "Happ/2.0" } });
      expect([name, answer.statusCode, answer.headers[name]]).toEqual([name, 200, "1"]);
    }
  });

  // rule admins.point.4
  test("what an older version stored is not sent, the row still holds, and previews name it", async () => {
    const stored = {
      "x-accel-redirect": "/protected/secret",
      announce: "hello",
      "set-cookie": "a=b",
      routing: "a\r\nb",
    };
    panel.settings.set("sub_rules", JSON.stringify([row(stored)]));
    const answer = await panel.api.app.inject({ url: `/sub/${user.subId}`, headers: { "user-agent": "Happ/2.0" } });
    expect(answer.json()).toHaveProperty("outbounds");
    expect(answer.headers["announce"]).toBe("hello");
    for (const name of ["x-accel-redirect", "set-cookie", "routing"]) expect(answer.headers).not.toHaveProperty(name);
    const unsent = ["x-accel-redirect", "set-cookie", "routing"];
    const tried = await panel.ok("POST", "/sub/rules/test", { userAgent: "Happ/2.0" });
    expect(tried.rule).toMatchObject({ position: 0, headers: { announce: "hello" }, unsent });
    const preview = await panel.ok("GET", `/users/${user.id}/sub/preview?userAgent=Happ%2F2.0`);
    expect(preview.rule.unsent).toEqual(unsent);
    expect(Object.keys(preview.headers)).not.toContain("x-accel-redirect");
  });
});
