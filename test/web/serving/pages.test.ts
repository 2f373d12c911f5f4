// The interface's pages and files as a panel serves them: under its base path, with a policy for each page load, and to
// nobody else's harm.
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PAGE_SEGMENTS, type InterfaceSource } from "../../../src/http/index.ts";
import { openInterface } from "../../../src/interface/index.ts";
import { ListeningPanel } from "../../system/settings/panel.ts";
import { BUILD_MS, builtInterface } from "../built.ts";

const HTML = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

let web: InterfaceSource | undefined;
beforeAll(async () => {
  web = openInterface({ web: await builtInterface(), dataDirectory: "/nowhere", log: pino({ level: "silent" }) });
}, BUILD_MS);

/** The first file that the page loads. */
const scriptOf = (page: string): string =>
  /type="module" crossorigin src="\.\/(assets\/[^"]+\.js)"/.exec(page)?.[1] ?? "";

describe.each([
  { basePath: "", where: "at the root" },
  { basePath: "/p/q", where: "under a base path" },
])("$where", ({ basePath }) => {
  let panel: ListeningPanel;
  beforeAll(async () => {
    panel = await ListeningPanel.open("sqlite", { web_tls_mode: "none", web_basepath: basePath }, web);
  });
  afterAll(() => panel.dispose());

  const get = (path: string, headers: Readonly<Record<string, string>> = HTML) =>
    panel.ask("GET", basePath + path, { cookie: "", headers });

  test.each([
    "/",
    "/login",
    "/setup",
    "/me",
    "/nodes",
    "/nodes/7",
    "/users/new",
    "/users/7?tab=usage",
    "/inspect/node/27",
  ])("%s is the page, for anybody", async (path) => {
    const answer = await get(path);
    expect(answer).toMatchObject({
      status: 200,
      headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    });
    expect(answer.text).toContain(`<base href="${basePath}/"`);
  });

  if (basePath !== "")
    test("the base path without its slash too", async () => {
      expect((await get("")).text).toContain(`<base href="${basePath}/"`);
    });

  // rule process.page.2
  test("scripts of the panel alone, styles with the nonce of this page load, and no frame", async () => {
    const [one, other] = [await get("/login"), await get("/login")];
    const nonce = /property="csp-nonce" nonce="([^"]+)"/.exec(one.text)?.[1] ?? "";
    expect(nonce).toMatch(/^[\w+/]{24}$/);
    expect(other.text).not.toContain(nonce);
    expect(one.headers["content-security-policy"]).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'`,
    );
    expect(one.headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
    });
    expect(one.headers["permissions-policy"]).toContain("camera=()");
    expect(one.text).not.toMatch(/<style|<script(?![^>]* src=)/);
  });

  // rule process.page.3
  test("HEAD is answered; other methods, other paths and programs that ask for no page find nothing", async () => {
    expect(await panel.ask("HEAD", `${basePath}/users`, { headers: HTML })).toMatchObject({ status: 200, text: "" });
    for (const method of ["POST", "PUT", "DELETE"])
      expect((await panel.ask(method, `${basePath}/users`, { headers: HTML })).status).toBe(404);
    for (const path of ["/users", "/inspect", "/"])
      expect(await get(path, { accept: "application/json" })).toMatchObject({ status: 404, text: "" });
    for (const path of ["/usersx", "/index.html", "/admin", "/users%2f7/..", "/logins"])
      expect((await get(path)).status).toBe(404);
    expect(await get("/api/unknown")).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await get("/api/me")).toMatchObject({ status: 401 });
  });

  // rule process.page.3
  test("an unknown path is a page of the panel for who is signed in, and nothing for anybody else", async () => {
    const stray = async (path: string, headers: Readonly<Record<string, string>> = HTML) =>
      panel.ask("GET", basePath + path, { headers });
    const answer = await stray("/no/such/page");
    expect(answer).toMatchObject({
      status: 404,
      headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    });
    expect(answer.text).toContain(`<base href="${basePath}/"`);
    expect(await get("/no/such/page")).toMatchObject({ status: 404, text: "" });
    expect(await stray("/no/such/page", { accept: "application/json" })).toMatchObject({ status: 404, text: "" });
    expect(await stray("/api/unknown")).toMatchObject({ status: 404, body: { code: "not_found" } });
    if (basePath !== "")
      expect(await panel.ask("GET", "/elsewhere", { headers: HTML })).toMatchObject({ status: 404, text: "" });
  });

  test("whoever takes anything gets the page", async () => {
    for (const path of ["/users", "/inspect/node/1", "/", "/login"])
      for (const headers of [{ accept: "*/*" }, { accept: "application/json, */*;q=0.1" }, { accept: "text/*" }, {}])
        expect((await panel.ask("GET", `${basePath}${path}`, { headers })).headers["content-type"]).toBe(
          "text/html; charset=utf-8",
        );
  });

  // rule process.page.1
  test("files are compressed beforehand, kept for good, and found by name alone", async () => {
    const script = scriptOf((await get("/login")).text);
    const fetchFile = (encoding: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${panel.url}/${script}`, { headers: { "accept-encoding": encoding, ...headers } });
    const [plain, gzip, br] = await Promise.all([
      fetchFile("identity"),
      fetchFile("gzip"),
      fetchFile("gzip, deflate, br, zstd"),
    ]);
    const texts = await Promise.all([plain, gzip, br].map((response) => response.text()));
    expect(new Set(texts).size).toBe(1);
    expect([plain, gzip, br].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, "gzip", "br"]);
    for (const { status, headers } of [plain, gzip, br]) {
      expect(status).toBe(200);
      expect(headers.get("content-type")).toMatch(/^text\/javascript/);
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(headers.get("vary")).toBe("Accept-Encoding");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect([headers.get("last-modified"), headers.get("accept-ranges")]).toEqual([null, null]);
    }
    const [small, large] = [br, plain].map(({ headers }) => Number(headers.get("content-length")));
    expect(small).toBeLessThan((large ?? 0) / 2);
    expect(new Set([plain, gzip, br].map(({ headers }) => headers.get("etag"))).size).toBe(3);
    const known = { "accept-encoding": "br", "if-none-match": br.headers.get("etag") ?? "" };
    expect(await panel.ask("GET", `${basePath}/${script}`, { headers: known })).toMatchObject({
      status: 304,
      text: "",
    });
    expect((await fetchFile("br;q=0, gzip")).headers.get("content-encoding")).toBe("gzip");
    for (const path of [
      `/${script}.br`,
      `/${script}.map`,
      "/assets/",
      "/assets/../index.html",
      "/assets/%2e%2e/index.html",
      "/assets/..%2f..%2fpackage.json",
    ])
      expect([path, (await get(path, { accept: "*/*" })).status]).toEqual([path, 404]);
  });

  test("the policy of the API is not that of pages", async () => {
    expect((await get("/api/me")).headers["content-security-policy"]).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
  });

  // rule process.page.5
  test("subscriptions cannot be put over pages, nor pages over subscriptions", async () => {
    for (const segment of [...PAGE_SEGMENTS, "assets", "api"]) {
      const [first] = segment.split("/");
      const refused = await panel.put("sub_basepath", `${basePath}/${segment}`, basePath);
      expect([segment, refused.status, refused.body.message ?? refused.body.error]).toEqual([
        segment,
        400,
        expect.stringContaining(`would take the panel's own ${basePath}/${first}`),
      ]);
    }
    expect((await panel.put("sub_basepath", `${basePath}/users/feed`, basePath)).status).toBe(400);
    expect(await get("/sub/abc")).toMatchObject({ status: 404, text: "" });
  });
});

// rule process.page.5
test("on the names of subscriptions a panel without a base path has no pages", async () => {
  const panel = await ListeningPanel.open(
    "sqlite",
    { web_tls_mode: "none", web_domain: "panel.example", sub_domain: "s.example" },
    web,
  );
  try {
    const page = await panel.ask("GET", "/login", { headers: HTML, host: "panel.example" });
    const statuses = async (host: string) =>
      Promise.all(
        ["/", "/login", `/${scriptOf(page.text)}`].map(
          async (path) => (await panel.ask("GET", path, { headers: HTML, host })).status,
        ),
      );
    expect(await statuses("panel.example")).toEqual([200, 200, 200]);
    expect(await statuses("s.example")).toEqual([404, 404, 404]);
  } finally {
    await panel.dispose();
  }
});
