// The page that people see, through the panel: who gets it, what it says in each state, and how large it is.
import { generateKeyPairSync } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chooseLanguage, LANGUAGE_CODES } from "../../../src/subscriptions/page/language.ts";
import { platformOf } from "../../../src/subscriptions/page/platform.ts";
import { contrast, readableOn, textOn } from "../../../src/subscriptions/page/colour.ts";
import { sql } from "../../../src/db/index.ts";
import { dialects } from "../../database.ts";
import { DAY, START, TestPanel } from "../../accounts/panel.ts";

const BROWSER = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile Safari",
};

describe.each(dialects)("the page for people on %s", (dialect) => {
  let panel: TestPanel;
  const get = async (path: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
    panel.api.app.inject({ method, url: path, headers: { host: "panel.example", ...BROWSER, ...headers } });
  const make = async (fields: object = {}) => panel.ok("POST", "/users", { name: "ali", ...fields });
  const shown = async (user: { readonly subId: string }, headers: Record<string, string> = {}) => {
    const answer = await get(`/sub/${user.subId}`, headers);
    expect(answer.statusCode).toBe(200);
    return answer.body;
  };

  beforeEach(async () => {
    panel = await TestPanel.open(dialect);
    const inbound = await panel.ok("POST", "/inbounds", { tag: "in", type: "vless", config: { listen_port: 443 } });
    const { id } = await panel.ok("POST", "/templates", { name: "t", inboundIds: [inbound.id] });
    panel.entryNodes = [
      {
        id: 1,
        templateId: id,
        name: "n1",
        remark: "",
        address: "192.0.2.1",
        linkAddress: "",
        vision: true,
        multiplex: true,
      },
    ];
  });
  afterEach(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  // rule subscriptions.page.1
  test("a browser gets the page, a client gets its format, and the path decides over both", async () => {
    const user = await make();
    const page = await get(`/sub/${user.subId}`);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["cache-control"]).toBe("no-store");
    expect(page.headers["content-disposition"]).toBeUndefined();
    expect((await get(`/sub/${user.subToken}`)).body).toContain("<!doctype html>");
    expect((await get(`/sub/${user.subId}/html`, { accept: "*/*", "user-agent": "curl/8" })).body).toContain("<html");
    const client = { accept: "*/*", "user-agent": "v2rayNG/1.9" };
    expect((await get(`/sub/${user.subId}`, client)).headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect((await get(`/sub/${user.subId}/links`)).body).toMatch(/^vless:/);
    const head = await get(`/sub/${user.subId}`, {}, "HEAD");
    expect([head.statusCode, head.body, head.headers["content-type"]]).toEqual([200, "", "text/html; charset=utf-8"]);
    for (const path of ["/sub/nobody", "/sub/nobody/html", `/sub/${user.subId}/htm`]) {
      const { statusCode, body } = await get(path);
      expect([statusCode, body]).toEqual([404, ""]);
    }
    await panel.ok("DELETE", `/users/${user.id}`);
    expect((await get(`/sub/${user.subId}`)).body).toBe("");
  });

  // rule subscriptions.import.4
  test("with their keys, Happ and INCY are opened by links that do not show the address", async () => {
    const user = await make();
    const plain = await shown(user);
    expect(plain).toContain("happ://add/https://");
    expect(plain).toContain("incy://import/https://");
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    panel.settings.set("sub_happ_key", publicKey.export({ type: "spki", format: "pem" }).toString());
    panel.settings.set("sub_happ_scheme", "crypt4");
    panel.settings.set("sub_incy_key", Buffer.alloc(32, 1).toString("base64"));
    panel.settings.set("sub_incy_scheme", "crypt1");
    const page = await shown(user);
    expect(page).toMatch(/href="happ:\/\/crypt4\/[^"]{300,}"/);
    expect(page).toMatch(/href="incy:\/\/crypt1\/[\w-]{80,}"/);
    expect(page).not.toContain("happ://add/");
    expect(page).not.toContain("incy://import/");
    expect(page, "other apps as before").toContain("hiddify://import/https://");
    // A link that the operator wrote in another way stays theirs.
    const own = { name: "Happ", stores: { ios: "https://store.example/a" }, import: "happ://add/{url}#mine" };
    panel.settings.set("sub_apps", JSON.stringify([own]));
    expect(await shown(user)).toContain("happ://add/https://");
  });

  // rule subscriptions.page.3
  test("it says in words how the account is: active, on hold, expired, used up, switched off", async () => {
    const active = await shown(await make({ volume: 50 * 1024 ** 3, expiry: START + 23 * DAY + 60 }));
    expect(active).toContain("Ends in 23 days");
    expect(active).toContain("0\u00a0B of 50\u00a0GiB used");
    expect(active).toContain("happ://add/https://panel.example");
    expect(active).toContain("2 April 2026");

    const held = await shown(await make({ name: "held", duration: 30 * DAY }));
    expect(held).toContain("Ready to start");
    expect(held).toContain("30 days from the first connection");

    const expired = await make({ name: "late", expiry: START + 60 });
    panel.clock.advance(2 * 60_000);
    expect(await shown(expired)).toContain("Expired");
    expect(await shown(expired)).not.toContain("happ://");

    const full = await make({ name: "full", volume: 1000 });
    const { database } = panel;
    await database.commits.execute({
      name: "test.usage",
      statements: [database.reads.statement("use", sql`update user_usage set down = 2000 where id = ${full.id}`)],
    });
    expect(await shown(full)).toContain("Traffic used up");

    const off = await make({ name: "off" });
    await panel.ok("PATCH", `/users/${off.id}`, { enable: false });
    expect(await shown(off)).toContain("Switched off");
  });

  // rule subscriptions.page.4
  test("it speaks the browser's language, Persian with Jalali dates and right to left; a link chooses another", async () => {
    const user = await make({ expiry: Date.UTC(2026, 3, 2, 12) / 1000 });
    const persian = await shown(user, { "accept-language": "de;q=0.9,fa-IR,en;q=0.8" });
    expect(persian).toMatch(/<html\s+lang="fa"\s+dir="rtl"/);
    expect(persian).toContain("۱۳ فروردین ۱۴۰۵");
    expect(await shown(user, { "accept-language": "de" })).toMatch(/<html\s+lang="en"\s+dir="ltr"/);
    const russian = await get(`/sub/${user.subId}?lang=ru`, { "accept-language": "fa" });
    expect(russian.body).toMatch(/<html\s+lang="ru"/);
    const kept = await get(`/sub/${user.subId}?format=html&lang=zh`);
    expect(kept.body).toContain('href="?format=html&amp;lang=fa"');
    panel.settings.set("sub_theme", JSON.stringify({ language: "zh" }));
    expect(await shown(user, { "accept-language": "de" })).toMatch(/<html\s+lang="zh"/);
  });

  // rule subscriptions.page.5
  test("settings give it a title, a colour, a logo, texts and apps; nothing comes from elsewhere", async () => {
    const user = await make();
    const logo = `data:image/png;base64,${Buffer.from("logo").toString("base64")}`;
    panel.settings.set(
      "sub_theme",
      JSON.stringify({
        title: "North Star",
        colour: "#0a7d55",
        logo,
        scheme: "dark",
        texts: { en: { notice: "Hello", footer: "Bye" } },
      }),
    );
    const apps = [{ name: "Mine", stores: { ios: "https://store.example/mine" }, import: "mine://add?u={encoded}" }];
    panel.settings.set("sub_apps", JSON.stringify(apps));
    panel.settings.set("sub_support_url", "https://t.me/help");
    panel.settings.set("sub_announce", "Maintenance");
    const answer = await get(`/sub/${user.subId}`);
    for (const part of [
      "<title>North Star</title>",
      "#0a7d55",
      `src="${logo}"`,
      'data-scheme="dark"',
      "Hello",
      "Bye",
      "Maintenance",
      "https://t.me/help",
      "mine://add?u=https%3A%2F%2Fpanel.example",
    ])
      expect(answer.body).toContain(part);
    expect(answer.body).not.toContain("happ://");
    const policy = String(answer.headers["content-security-policy"]);
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+' 'sha256-\S+'; script-src 'sha256-\S+'; img-src data:/,
    );
    expect(policy).not.toContain("unsafe");
    expect(answer.body.replaceAll(/<a\s[^>]*>/g, "")).not.toMatch(/(src|href|action)="https?:/);
    // What an older or newer version wrote differently is passed over.
    panel.settings.set("sub_theme", "{not json");
    expect(await shown(user)).toContain("<title>Your subscription</title>");
  });

  // rule subscriptions.page.6
  test("servers are listed one by one, each with its QR code; not where devices are limited or the theme says so", async () => {
    const user = await make();
    expect(await shown(user)).toContain("192.0.2.1:443");
    const qr = await get(`/sub/${user.subId}?qr=0`);
    expect(qr.body).toContain('id="qr-server"');
    expect((await get(`/sub/${user.subId}?qr=7`)).body).not.toContain('id="qr-server"');
    expect(await shown(await make({ name: "limited", deviceLimit: 2 }))).not.toContain("192.0.2.1");
    panel.settings.set("sub_theme", JSON.stringify({ servers: false }));
    expect(await shown(user)).not.toContain("192.0.2.1");
  });

  // rule subscriptions.page.10
  test("devices are listed, and removed by the subscriber only where the operator allows it", async () => {
    const user = await make({ deviceLimit: 2 });
    const app = { accept: "*/*", "user-agent": "Happ/3", "x-hwid": "id/1 ä", "x-device-model": "Pixel <9>" };
    expect((await get(`/sub/${user.subId}/links`, app)).statusCode).toBe(200);
    expect(await shown(user)).toContain("Pixel &lt;9&gt;");
    expect(await shown(user)).toContain("1 of 2 devices");
    expect(await shown(user)).not.toContain("data-forget=");
    panel.settings.set("sub_device_self_service", "true");
    const path = /data-forget="([^"]+)"/.exec(await shown(user))?.[1] ?? "";
    const removed = await panel.api.app.inject({ method: "DELETE", url: path, headers: { host: "panel.example" } });
    expect(removed.statusCode).toBe(200);
    expect(await shown(user)).not.toContain("Pixel");
  });

  // rules subscriptions.page.13, subscriptions.device.4
  test("no form of the link tells a device's id, and what the page removes it by passes as no device", async () => {
    panel.settings.set("sub_device_self_service", "true");
    const [user, other] = [await make({ deviceLimit: 1 }), await make({ name: "other", deviceLimit: 1 })];
    const app = { accept: "*/*", "user-agent": "Happ/3", "x-device-model": "Pixel" };
    const id = "secret-id/1 ä";
    for (const { subId } of [user, other])
      expect((await get(`/sub/${subId}/links`, { ...app, "x-hwid": id })).statusCode).toBe(200);
    for (const form of ["", "/html", "/info", "/links", "/base64", "/clash", "/singbox", "/xray"]) {
      const { body, headers } = await get(`/sub/${user.subId}${form}`, form.length > 5 || form === "" ? {} : app);
      const said = `${body}\n${Buffer.from(body, "base64").toString("latin1")}\n${JSON.stringify(headers)}`;
      expect(said, form).not.toContain("secret-id");
      expect(said, form).not.toContain(Buffer.from("secret-id").toString("base64"));
    }
    const handleIn = (page: string) => /data-forget="[^"]+\/devices\/([\w-]{22})"/.exec(page)?.[1] ?? "";
    const [handle, others] = [handleIn(await shown(user)), handleIn(await shown(other))];
    expect(handle).not.toBe("");
    // Another one for each account: nobody learns that two have one device.
    expect(others).not.toBe(handle);
    expect((await get(`/sub/${user.subId}/links`, { ...app, "x-hwid": handle })).statusCode).toBe(403);
    const remove = async (device: string) =>
      (
        await panel.api.app.inject({
          method: "DELETE",
          url: `/sub/${user.subId}/devices/${device}`,
          headers: { host: "panel.example" },
        })
      ).statusCode;
    expect([await remove(others), await remove(handle), await remove(handle)]).toEqual([404, 200, 404]);
    expect(await panel.ok("GET", `/users/${user.id}/devices`)).toEqual([]);
    // A caller who knows the id may name it.
    await get(`/sub/${user.subId}/links`, { ...app, "x-hwid": id });
    expect(await remove(encodeURIComponent(id))).toBe(200);
    // The operator's look at the page holds as little.
    const preview = await panel.ok("GET", `/users/${other.id}/sub/preview?format=html`);
    expect([handleIn(preview.body), preview.body.includes("secret-id")]).toEqual([others, false]);
  });

  // rule subscriptions.page.7
  test("it stays under 60 kB on the wire, with the most that settings and a fleet give it", async () => {
    const user = await make({ expiry: START + 5 * DAY, volume: 1e12 });
    const usual = await get(`/sub/${user.subId}`);
    expect(usual.rawPayload.length).toBeLessThan(45_000);
    const packed = await get(`/sub/${user.subId}`, { "accept-encoding": "gzip, br" });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(packed.rawPayload.length).toBeLessThan(15_000);
    expect(gunzipSync(packed.rawPayload).toString()).toBe(usual.body);

    const [node] = panel.entryNodes;
    if (!node) throw new Error("there is no node");
    const label = (index: number) => `${"long label ".repeat(8)}${index}|192.0.2.${index}`;
    panel.entryNodes = [{ ...node, linkAddress: Array.from({ length: 200 }, (_, index) => label(index)).join(",") }];
    // Unpacked too, while logo and apps are the panel's own.
    for (const language of LANGUAGE_CODES) {
      const { rawPayload } = await get(`/sub/${user.subId}?lang=${language}`);
      expect(rawPayload.length, language).toBeLessThan(60_000);
    }
    const noise = Array.from({ length: 12_000 }, (_, index) => (index * 7919) % 251);
    const logo = `data:image/png;base64,${Buffer.from(noise).toString("base64")}`;
    panel.settings.set(
      "sub_theme",
      JSON.stringify({ logo, texts: { en: { notice: "n".repeat(500), footer: "f".repeat(500) } } }),
    );
    const stores = Object.fromEntries(
      ["ios", "android", "windows", "macos", "linux"].map((each) => [
        each,
        `https://store.example/${each}/${"x".repeat(200)}`,
      ]),
    );
    const apps = Array.from({ length: 30 }, (_, index) => ({
      name: `App ${index}`,
      stores,
      import: "app://add/{url}",
      ...(index < 4 && { icon: logo.slice(0, 3200) }),
      steps: { en: [`${index} ${"walk on ".repeat(14)}`.trim()] },
    }));
    panel.settings.set("sub_apps", JSON.stringify(apps));
    const most = await get(`/sub/${user.subId}`, { "accept-encoding": "gzip" });
    expect(most.rawPayload.length).toBeLessThan(60_000);
    expect(gunzipSync(most.rawPayload).toString()).toContain("which apps get with the link above");
  });

  // rule subscriptions.page.8
  test("looking at it is no fetch of the subscription", async () => {
    const user = await make();
    await shown(user);
    panel.clock.advance(6000);
    const after = async () => panel.ok("GET", `/users/${user.id}`);
    await expect.poll(async () => (await after()).subSeenAt).toBe(START);
    expect(await after()).toMatchObject({ subFetchedAt: 0, subClient: "" });
  });
});

test("languages by weight, platforms by User-Agent", () => {
  expect(chooseLanguage("", "en;q=0.2, zh-Hans-CN;q=0.9", "ru")).toBe("zh");
  expect(chooseLanguage("fa", "en", "ru")).toBe("fa");
  expect(chooseLanguage("xx", "fr, en;q=0", "ru")).toBe("ru");
  expect(chooseLanguage("constructor", "__proto__", "en")).toBe("en");
  expect(platformOf("Mozilla/5.0 (Linux; Android 15; Pixel 9)")).toBe("android");
  expect(platformOf("Mozilla/5.0 (Windows NT 10.0; Win64; x64)")).toBe("windows");
  expect(platformOf("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)")).toBe("macos");
  expect(platformOf("Mozilla/5.0 (X11; Linux x86_64)")).toBe("linux");
  expect(platformOf("")).toBe("android");
});

test("whatever colour is chosen, what is written in it can be read", () => {
  for (const colour of ["#ffff00", "#000000", "#ffffff", "#4348c7", "#00ff88", "#808080", "#ff0000"]) {
    expect(contrast(colour, textOn(colour))).toBeGreaterThan(4.5);
    expect(contrast("#eff1f4", readableOn("#eff1f4", colour, "#000000"))).toBeGreaterThan(4.5);
    expect(contrast("#22262e", readableOn("#22262e", colour, "#ffffff"))).toBeGreaterThan(4.5);
  }
});
