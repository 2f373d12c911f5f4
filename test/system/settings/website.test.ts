// `web_masquerade_dir`: a directory as an ordinary web site beside the panel (document 2, Settings rule 7).
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
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
    for (const name of ["index.html", "blog/index.html", "style.css", ".htaccess", ".hidden/page.html", "sub/page.html", "p/page.html"])
      await writeFile(join(site, name), `content of ${name}`);
    await writeFile(join(folder, "secret.txt"), "secret");
    await mkdir(join(folder, "outside"));
    await writeFile(join(folder, "outside", "index.html"), "outside");
    await symlink(join(folder, "secret.txt"), join(site, "link.txt"));
    await symlink(join(folder, "outside"), join(site, "way-out"));
    await symlink("style.css", join(site, "inside.css"));
    panel = await ListeningPanel.open(dialect, { web_tls_mode: "none", web_basepath: "/p", web_masquerade_dir: site });
  });
  afterAll(async () => {
    await panel.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const get = (path: string) => panel.ask("GET", path, { cookie: "" });

  test("files, indexes and types as of any web site", async () => {
    expect(await get("/")).toMatchObject({ status: 200, text: "content of index.html" });
    expect(await get("/style.css")).toMatchObject({ status: 200, headers: { "content-type": "text/css; charset=utf-8" } });
    expect(await get("/blog/")).toMatchObject({ status: 200, text: "content of blog/index.html" });
    expect(await get("/blog?page=2")).toMatchObject({ status: 301, headers: { location: "/blog/" } });
    expect(await get("/inside.css")).toMatchObject({ status: 200 });
    expect(await panel.ask("HEAD", "/style.css")).toMatchObject({ status: 200, text: "" });
    const { etag } = (await get("/style.css")).headers;
    expect(await panel.ask("GET", "/style.css", { headers: { "if-none-match": String(etag) } })).toMatchObject({ status: 304 });
    expect(await panel.ask("GET", "/style.css", { headers: { range: "bytes=0-6" } })).toMatchObject({ status: 206, text: "content" });
  });

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
    "/nothing",
  ])("nothing at %s", async (path) => {
    const answer = await get(path);
    expect(answer.text).not.toMatch(/secret|content of|outside/);
    expect([path, answer.status, answer.text]).toEqual([path, 404, ""]);
  });

  test("no request of the panel or of a subscription reaches it", async () => {
    expect(await get("/p/api/me")).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    expect(await get("/p/api/unknown")).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await get("/p/page.html")).toMatchObject({ status: 404, text: "" });
    expect(await get("/sub/page.html")).toMatchObject({ status: 404, text: "" });
    expect(await get("/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await panel.ask("POST", "/style.css")).toMatchObject({ status: 404, text: "" });
  });

  test("the log has nothing to complain of", () => {
    expect(panel.complaints).toEqual([]);
  });

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

  test("a directory that holds the panel's own data is not served, and the log says so", async () => {
    expect((await panel.put("web_masquerade_dir", dirname(panel.directory), "/p")).status).toBe(200);
    await panel.restart();
    expect(await get(`/${basename(panel.directory)}/secret.key`)).toMatchObject({ status: 404, text: "" });
    expect(panel.complaints.join()).toContain("holds the panel's own data");
  });

  test("the root and what is no directory are refused", async () => {
    await symlink("/", join(folder, "root"));
    for (const value of ["relative", "/", "//", "/tmp/..", join(folder, "root"), join(folder, "secret.txt"), join(folder, "nothing")])
      expect([value, (await panel.put("web_masquerade_dir", value, "/p")).body.field]).toEqual([value, "value"]);
  });
});
