// While setup is pending only a person with the token can open the interface.
import { pino } from "pino";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { InterfaceSource } from "../../../src/http/index.ts";
import { openInterface } from "../../../src/interface/index.ts";
import { ListeningPanel, PASSWORD, SETUP_TOKEN } from "../../system/settings/panel.ts";
import { BUILD_MS, builtInterface } from "../built.ts";

const HTML = { accept: "text/html" };

let web: InterfaceSource | undefined;
let panel: ListeningPanel;
beforeAll(async () => {
  web = openInterface({ web: await builtInterface(), dataDirectory: "/nowhere", log: pino({ level: "silent" }) });
}, BUILD_MS);
beforeEach(async () => {
  panel = await ListeningPanel.pending("sqlite", web);
});
afterEach(() => panel.dispose());

const get = (path: string, headers: Readonly<Record<string, string>> = HTML) => panel.ask("GET", path, { headers });
const assetOf = (page: string): string => /src="\.(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? "";

// rule process.page.4
test("without the token every page and file is nothing, as anything else is", async () => {
  const asset = assetOf((await get(`/setup?t=${SETUP_TOKEN}`)).text);
  expect(asset).not.toBe("");
  for (const path of [
    "/",
    "/login",
    "/setup",
    "/setup?t=wrong",
    "/users",
    "/inspect/node/1",
    asset,
    `${asset}?t=${SETUP_TOKEN}`,
  ])
    expect([path, await get(path)]).toEqual([path, expect.objectContaining({ status: 404, text: "" })]);
});

test("the token opens the page, and its browser loads the files", async () => {
  const page = await get(`/setup?t=${SETUP_TOKEN}`);
  expect(page).toMatchObject({
    status: 200,
    headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
  const [cookie = ""] = page.headers["set-cookie"] ?? [];
  expect(cookie).toMatch(/^panel_setup=\d+\.[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(cookie).not.toContain(SETUP_TOKEN);
  const pass = cookie.split(";")[0] ?? "";
  const asset = assetOf(page.text);
  expect((await get(asset, { cookie: pass })).status).toBe(200);
  const forged = pass.replace(/\d+\./, `${Math.floor(Date.now() / 1000) + 7200}.`);
  const late = pass.replace(/\d+\./, "1.");
  for (const other of [forged, late, `${pass}x`, "panel_setup=", "panel_setup=1.x"])
    expect((await get(asset, { cookie: other })).status).toBe(404);
  // The cookie opens files, never the API or another page.
  expect((await get("/api/setup", { cookie: pass })).status).toBe(404);
  expect((await get("/login", { ...HTML, cookie: pass })).status).toBe(404);
});

// rule setup.pending.6
test("the address of the API leads a browser to the page, and a program to the answer", async () => {
  for (const prefix of ["/api", "/api/v1"]) {
    expect(await get(`${prefix}/setup?t=${SETUP_TOKEN}`)).toMatchObject({
      status: 303,
      headers: { location: `/setup?t=${SETUP_TOKEN}` },
    });
    expect((await get(`${prefix}/setup?t=${SETUP_TOKEN}`, { accept: "*/*" })).body).toMatchObject({ required: true });
  }
  expect(await get("/api/setup?t=wrong")).toMatchObject({ status: 404 });
});

// rule setup.pending.6
test("wrong tokens on the page count as refused attempts", async () => {
  for (let attempt = 0; attempt < 5; attempt++) expect((await get("/setup?t=wrong")).status).toBe(404);
  expect((await get(`/setup?t=${SETUP_TOKEN}`)).status).toBe(429);
});

// rule setup.finish.7
test("after setup the page is there for everybody, under the base path that was chosen", async () => {
  await panel.setUp({ web_tls_mode: "none", web_basepath: "/p" });
  expect((await get("/setup")).status).toBe(404);
  for (const path of ["/p/setup", "/p/login", "/p/"]) expect((await get(path)).text).toContain('<base href="/p/"');
  expect((await panel.ask("POST", "/p/api/setup", { body: { username: "other", password: PASSWORD } })).status).toBe(
    409,
  );
});
