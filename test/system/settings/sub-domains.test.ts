// `sub_domain`: on its names subscriptions are served, and the panel only under its base path; at once.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../../database.ts";
import { ListeningPanel } from "./panel.ts";

describe.each(dialects)("subscription domains on %s", (dialect) => {
  let panel: ListeningPanel;
  let key: string;
  let link: string;
  beforeAll(async () => {
    panel = await ListeningPanel.open(dialect, { web_tls_mode: "none", web_domain: "panel.example" });
    const created = await panel.ask("POST", "/api/users", { body: { name: "ann" } });
    key = String(created.body.subId);
    link = `/sub/${key}`;
  });
  afterAll(() => panel.dispose());

  const status = async (host: string, path: string) => (await panel.ask("GET", path, { host })).status;

  test("without any, subscriptions and panel are under every name", async () => {
    expect([await status("any.example", link), await status("any.example", "/api/me")]).toEqual([200, 200]);
  });

  // rule subscriptions.key.5
  test("every listed name serves subscriptions and nothing of the panel, other names the panel alone", async () => {
    await panel.put("sub_domain", "one.example,*.w.example");
    for (const host of ["one.example", "ONE.example:8443", "abc.w.example", "one.example."]) {
      expect([host, await status(host, link)]).toEqual([host, 200]);
      for (const path of ["/api/me", "/api/v1/unknown", "/api/setup", "/api/openapi.json", "/"]) {
        const answer = await panel.ask("GET", path, { host });
        expect([host, path, answer.status, answer.text]).toEqual([host, path, 404, ""]);
      }
      expect((await panel.ask("POST", "/api/login", { host, body: {} })).text).toBe("");
    }
    expect([await status("panel.example", "/api/me"), await status("panel.example", link)]).toEqual([200, 404]);
  });

  // rule subscriptions.key.5
  test("a wildcard stands for exactly one label", async () => {
    await panel.put("sub_domain", "*.w.example");
    expect(
      await Promise.all(["w.example", "a.b.w.example", ".w.example", "xw.example"].map((host) => status(host, link))),
    ).toEqual([404, 404, 404, 404]);
    expect(await status("a.b.w.example", "/api/me")).toBe(200);
  });

  // rule subscriptions.key.6
  test("links are published on the first, under a wildcard on a name of the subscriber's own", async () => {
    const subUrl = async () => String((await panel.ask("GET", "/api/users?q=ann")).body[0].subUrl);
    const first = new URL(await subUrl());
    expect(first.host.endsWith(".w.example") || first.hostname.endsWith(".w.example")).toBe(true);
    expect(await subUrl()).toBe(first.href);
    expect(await status(first.host, first.pathname)).toBe(200);
    await panel.put("sub_domain", "two.example,*.w.example");
    expect(new URL(await subUrl()).hostname).toBe("two.example");
    expect(await status(first.host, first.pathname)).toBe(200);
    await panel.put("sub_domain", "two.example");
    expect(await status(first.host, first.pathname)).toBe(404);
  });

  // rule process.health.1
  test("a load balancer finds /healthz under every name", async () => {
    expect(await status("two.example", "/healthz")).toBe(200);
  });

  // rule subscriptions.key.5
  test("with a base path the panel is under it on every name", async () => {
    await panel.put("web_basepath", "/p");
    await panel.restart();
    expect([
      await status("two.example", "/p/api/me"),
      await status("two.example", "/api/me"),
      await status("two.example", link),
    ]).toEqual([200, 404, 200]);
  });
});
