// `web_masquerade_dir`: a directory as an ordinary web site beside the panel.
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../../database.ts";
import { ListeningPanel } from "./panel.ts";

describe.each(dialects)("the web site on %s", (dialect) => {
  let folder: string;
  let panel: ListeningPanel;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "signalbox-site-"));
    const site = join(folder, "site");
    for (const each of ["", "blog", "empty", "sub", "p", ".hidden"]) await mkdir(join(site, each), { recursive: true });
    for (const name of [
      "index.html",
      "blog/index.html",
      "style.css",
      ".htaccess",
      ".hidden/page.html",
      "sub/page.html",
      "p/page.html",
    ])
      await writeFile(join(site, name), `content of ${name}`);
    await writeFile(join(folder, "secret.txt"), "secret");
    await mkdir(join(folder, "outside"));
    await writeFile(join(folder, "outside", "index.html"), "outside");
    await symlink(join(folder, "secret.txt"), join(site, "link.txt"));
    await symlink(join(folder, "outside"), join(site, "way-out"));
    await symlink("style.css", join(site, "inside.css"));
    await writeFile(join(site, "private.key"), "secret", { mode: 0o600 });
    await link(join(site, "private.key"), join(site, "page.key"));
    panel = await ListeningPanel.open(dialect, { web_tls_mode: "none", web_basepath: "/p", web_masquerade_dir: site });
  });
  afterAll(async () => {
    await panel.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const get = (path: string) => panel.ask("GET", path, { cookie: "" });

  test("files, indexes and types as of any web site", async () => {
    expect(await get("/")).toMatchObject({ status: 200, text: "content of index.html" });
    expect(await get("/style.css")).toMatchObject({
      status: 200,
      headers: { "content-type": "text/css; charset=utf-8" },
    });
    expect(await get("/blog/")).toMatchObject({ status: 200, text: "content of blog/index.html" });
    expect(await get("/blog?page=2")).toMatchObject({ status: 301, headers: { location: "/blog/" } });
    expect(await get("/inside.css")).toMatchObject({ status: 200 });
    expect(await panel.ask("HEAD", "/style.css")).toMatchObject({ status: 200, text: "" });
    const { etag } = (await get("/style.css")).headers;
    expect(await panel.ask("GET", "/style.css", { headers: { "if-none-match": String(etag) } })).toMatchObject({
      status: 304,
    });
    expect(await panel.ask("GET", "/style.css", { headers: { range: "bytes=0-6" } })).toMatchObject({
      status: 206,
      text: "content",
    });
  });

  // rule settings.site.3
  test.each([
    "/empty/",
    "/.htaccess",
    "/.hidden/page.html",
    "/%2ehtaccess",
    "/link.txt",
    "/way-out/",
    "/way-out",
    "/way-out/index.html",
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/blog/%2e%2e/%2e%2e/secret.txt",
    "/style.css%00.html",
    "/private.key",
    "/page.key",
    "/nothing",
  ])("nothing at %s", async (path) => {
    const answer = await get(path);
    expect(answer.text).not.toMatch(/secret|content of|outside/);
    expect([path, answer.status, answer.text]).toEqual([path, 404, ""]);
  });

  // rule settings.site.2
  test("no request of the panel or of a subscription reaches it", async () => {
    expect(await get("/p/api/me")).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    expect(await get("/p/api/unknown")).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await get("/p/page.html")).toMatchObject({ status: 404, text: "" });
    // An address without a subscription is one like all others.
    expect(await get("/sub/page.html")).toMatchObject({ status: 200, text: "content of sub/page.html" });
    const { body } = await panel.ask("POST", "/p/api/users", { body: { name: "anna", subId: "page" } });
    expect(body).toMatchObject({ subId: "page" });
    expect((await get("/sub/page")).headers).toHaveProperty("subscription-userinfo");
    expect(await get("/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await panel.ask("POST", "/style.css")).toMatchObject({ status: 404, text: "" });
  });

  test("the log has nothing to complain of", () => {
    expect(panel.complaints).toEqual([]);
  });

  // rule settings.site.2
  test("it goes with a restart, and without a base path it covers nothing", async () => {
    await panel.put("web_basepath", "", "/p");
    expect((await get("/style.css")).status).toBe(200);
    await panel.restart();
    expect(await get("/style.css")).toMatchObject({ status: 404, text: "" });
    expect((await panel.ask("GET", "/api/me")).status).toBe(200);
    await panel.put("web_basepath", "/p");
    await panel.put("web_masquerade_dir", "");
    await panel.restart();
    expect(await get("/style.css")).toMatchObject({ status: 404, text: "" });
  });

  // rule settings.site.1
  test("no directory that holds the panel's own secrets, or lies among them, is accepted", async () => {
    await mkdir(join(panel.directory, "agents", "site"), { recursive: true });
    await symlink(panel.directory, join(folder, "data-link"));
    await symlink(join(panel.directory, "agents"), join(folder, "agents-link"));
    const own = [panel.directory, dirname(panel.directory), "agents", "agents/site", "../"].map((each) =>
      each.startsWith("/") ? each : join(panel.directory, each),
    );
    for (const value of [
      ...own,
      "/var/lib",
      "/var",
      join(folder, "data-link"),
      join(folder, "agents-link"),
      `${panel.directory}/agents/../..`,
    ])
      expect([value, (await panel.put("web_masquerade_dir", value, "/p")).body]).toMatchObject([
        value,
        { code: "validation", field: "value" },
      ]);
  });

  test("neither is one with the certificate's key, whichever of the two is set last", async () => {
    const keys = join(folder, "keys");
    await mkdir(join(keys, "live"), { recursive: true });
    await writeFile(join(keys, "real.key"), "key");
    await symlink("../real.key", join(keys, "live", "site.key"));
    expect((await panel.put("web_key_file", join(keys, "live", "site.key"), "/p")).status).toBe(200);
    for (const value of [keys, join(keys, "live")])
      expect([value, (await panel.put("web_masquerade_dir", value, "/p")).body.field]).toEqual([value, "value"]);
    expect((await panel.put("web_key_file", "", "/p")).status).toBe(200);
    expect((await panel.put("web_masquerade_dir", keys, "/p")).status).toBe(200);
    for (const value of [join(keys, "real.key"), join(keys, "live", "site.key"), join(keys, "later.key")])
      expect([value, (await panel.put("web_key_file", value, "/p")).body.field]).toEqual([value, "value"]);
    expect((await panel.put("web_masquerade_dir", "", "/p")).status).toBe(200);
  });

  // rule settings.site.4
  test("a directory that became the panel's own is not served: not by the next start, and not by this one", async () => {
    const current = join(folder, "current");
    await symlink(join(folder, "site"), current);
    expect((await panel.put("web_masquerade_dir", current, "/p")).status).toBe(200);
    await panel.restart();
    expect(await get("/style.css")).toMatchObject({ status: 200 });
    await writeFile(join(panel.directory, "public.txt"), "of the panel");
    await rm(current);
    await symlink(panel.directory, current);
    expect(await get("/public.txt")).toMatchObject({ status: 404, text: "" });
    await panel.restart();
    expect(await get("/public.txt")).toMatchObject({ status: 404, text: "" });
    expect(panel.complaints.join()).toContain("web_masquerade_dir is not served: it holds the panel's own");
  });

  // rule settings.site.1
  test("the root and what is no directory are refused", async () => {
    await symlink("/", join(folder, "root"));
    for (const value of [
      "relative",
      "/",
      "//",
      "/tmp/..",
      join(folder, "root"),
      join(folder, "secret.txt"),
      join(folder, "nothing"),
    ])
      expect([value, (await panel.put("web_masquerade_dir", value, "/p")).body.field]).toEqual([value, "value"]);
  });
});
