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

/** What every way says by which a link leaves the panel, for requests with these headers; `host`: of subscriptions. */
async function linksOf(panel: ListeningPanel, id: number, headers: Readonly<Record<string, string>>, host = "") {
  const api = (method: string, path: string, body?: unknown) =>
    panel.ask(method, `/api/v1${path}`, { headers, ...(body !== undefined && { body }) });
  const record = (await api("GET", `/users/${id}`)).body;
  const list = (await api("GET", "/users?q=ann")).body.items[0];
  const patched = (await api("PATCH", `/users/${id}`, { remark: `r${Math.random()}` })).body;
  const replaced = (await api("PUT", `/users/${id}`, { name: "ann", enable: true })).body;
  const reset = (await api("POST", `/users/${id}/reset-usage`)).body;
  const csv = (await api("GET", "/users/export?q=ann&format=csv")).text;
  const lines = (await api("GET", "/users/export?q=ann&format=ndjson")).text;
  const formats = (await api("GET", `/users/${id}/sub/formats`)).body.formats[0];
  const preview = (await api("GET", `/users/${id}/sub/preview?format=links`)).body;
  const page = (await api("GET", `/users/${id}/sub/preview?format=html`)).body;
  const at = host === "" ? headers : { ...headers, host };
  const fetched = await panel.ask("GET", `/sub/${record.subId}/links`, { headers: at });
  const shown = await panel.ask("GET", `/sub/${record.subId}/html`, { headers: at });
  const link = String(record.subUrl);
  const said = [list, patched, replaced, reset].map(({ subUrl }) => subUrl);
  const told = [preview, page].map(({ headers: each }) => each["Profile-Web-Page-Url"]);
  const profile = [fetched, shown].map((each) => each.headers["profile-web-page-url"]);
  expect([...said, ...told, ...profile]).toEqual(Array(8).fill(link));
  expect(formats.url).toBe(`${link}/${formats.format}`);
  for (const text of [csv, lines, shown.text, String(page.body)]) expect(text).toContain(link);
  return link;
}

describe.each(dialects)("where customers are sent on %s", (dialect) => {
  let panel: ListeningPanel;
  let id: number;
  let key: string;
  beforeAll(async () => {
    panel = await ListeningPanel.open(dialect, { web_tls_mode: "none", web_domain: "panel.example" });
    const created = await panel.ask("POST", "/api/users", { body: { name: "ann" } });
    ({ id, subId: key } = created.body);
  });
  afterAll(() => panel.dispose());

  const settle = async (settings: Readonly<Record<string, string>>) => {
    for (const name of ["sub_url", "web_url", "sub_domain", "trusted_proxies"])
      await panel.put(name, settings[name] ?? "");
  };
  const proxied = { "x-forwarded-proto": "https", "x-forwarded-host": "edge.example:18647" };
  const trusted_proxies = "127.0.0.1";
  const sub_url = "https://sub.example:2096";

  // rules subscriptions.key.6, subscriptions.key.8
  test.each([
    ["a listener on loopback is behind something", {}, {}, "https://panel.example/sub"],
    ["who is not trusted names nothing", {}, proxied, "https://panel.example/sub"],
    ["sub_url", { sub_url }, {}, `${sub_url}/sub`],
    [
      "sub_url before all others",
      { sub_url, web_url: "https://w.example", trusted_proxies },
      proxied,
      `${sub_url}/sub`,
    ],
    ["sub_url with a path", { sub_url: "http://cdn.example/x/" }, {}, "http://cdn.example/x/sub"],
    ["sub_url that names the path", { sub_url: "https://cdn.example/sub" }, {}, "https://cdn.example/sub"],
    ["web_url", { web_url: "https://w.example:8443/p" }, {}, "https://w.example:8443/sub"],
    ["web_url before a proxy", { web_url: "https://w.example", trusted_proxies }, proxied, "https://w.example/sub"],
    [
      "a domain at web_url",
      { web_url: "https://w.example:8443", sub_domain: "s.example" },
      {},
      "https://s.example:8443/sub",
    ],
    ["a proxy that is trusted", { trusted_proxies }, proxied, "https://edge.example:18647/sub"],
    [
      "a domain behind it",
      { trusted_proxies, sub_domain: "s.example,t.example" },
      proxied,
      "https://s.example:18647/sub",
    ],
    [
      "the last of several",
      { trusted_proxies },
      { "x-forwarded-proto": "http, https", "x-forwarded-host": "a.example, b.example" },
      "https://b.example/sub",
    ],
    [
      "a proxy that names the scheme",
      { trusted_proxies },
      { "x-forwarded-proto": "http", host: "panel.example:81" },
      "http://panel.example:81/sub",
    ],
    [
      "a name that the proxy made up",
      { trusted_proxies },
      { "x-forwarded-proto": "https", host: "upstream" },
      "https://panel.example/sub",
    ],
    [
      "no host at all",
      { trusted_proxies },
      { "x-forwarded-proto": "https", "x-forwarded-host": 'x"><b>' },
      "https://panel.example/sub",
    ],
    ["no scheme at all", { trusted_proxies }, { "x-forwarded-proto": "gopher" }, "https://panel.example/sub"],
  ] as const)("%s", async (_, settings, headers, base) => {
    await settle(settings);
    const host = "sub_domain" in settings ? "s.example" : "";
    expect(await linksOf(panel, id, headers, host)).toBe(`${base}/${key}`);
  });

  // rule http.proxy.1
  test("a proxy in front that nobody trusts is noticed", async () => {
    await settle({});
    for (let n = 0; n < 5; n++)
      await panel.ask("GET", `/sub/${key}`, { headers: { "x-forwarded-for": `203.0.113.${n}` } });
    const info = async () => (await panel.ask("GET", "/api/panel/info")).body.untrustedProxy;
    expect(await info()).toMatchObject({ address: "127.0.0.1", requests: 5 });
    expect(panel.complaints.filter((line) => line.includes("trusted_proxies"))).toHaveLength(1);
    await settle({ trusted_proxies });
    expect(await info()).toBeNull();
  });

  // rule subscriptions.key.8
  test("a wildcard keeps scheme, port and path of sub_url", async () => {
    await settle({ sub_url: "https://sub.example:2096/x", sub_domain: "*.w.example" });
    const { subUrl } = (await panel.ask("GET", `/api/users/${id}`)).body;
    expect(subUrl).toMatch(new RegExp(`^https://[0-9a-f]{16}\\.w\\.example:2096/x/sub/${key}$`));
    // The host of sub_url serves too.
    expect((await panel.ask("GET", `/sub/${key}`, { host: "sub.example:2096" })).status).toBe(200);
    expect((await panel.ask("GET", `/sub/${key}`, { host: "other.example" })).status).toBe(404);
  });

  // rule subscriptions.key.8
  test("made, made again, made in numbers and brought back: the link is where it was asked for", async () => {
    await settle({ trusted_proxies });
    const ask = async (method: string, path: string, body?: unknown) =>
      (await panel.ask(method, `/api/v1${path}`, { headers: proxied, ...(body !== undefined && { body }) })).body;
    const made = await ask("POST", "/users", { name: `m-${dialect}` });
    const batch = await ask("POST", "/users/batch", { users: [{ name: `b-${dialect}` }] });
    const generated = await ask("POST", "/users/generate", { pattern: `g-${dialect}-{n}`, count: 1, user: {} });
    await ask("DELETE", `/users/${made.id}`);
    const back = await ask("POST", `/users/${made.id}/restore`, {});
    const links = [made, batch.created?.[0], generated.users?.[0], back].map((each) => each?.subUrl);
    for (const link of links) expect(link).toMatch(/^https:\/\/edge\.example:18647\/sub\/\S+$/);
  });
});
