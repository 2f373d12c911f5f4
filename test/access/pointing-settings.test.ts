// A caller who may change settings but not read accounts leads no customer anywhere by a setting: every setting that
// can is tried.
import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PANEL } from "../../src/panel/features.ts";
import type { SettingEntries } from "../../src/feature/index.ts";
import { nowhere } from "../../src/http/index.ts";
import { dialects } from "../database.ts";
import { openWalkedPanel, type WalkedPanel } from "./route-table.ts";

const entries = PANEL.settings as SettingEntries;
const EVIL = "https://evil.example/collect?u={encoded}";
const STORE = "https://apps.apple.com/app/id1";
const app = (more: object) => [{ name: "Happ", stores: { ios: STORE }, ...more }];
const rule = (headers: object, more: object = {}) => [
  { header: "user-agent", operator: "contains", value: "x", format: "links", enabled: true, headers, ...more },
];
const theme = (notice: string) => ({ texts: { en: { notice } } });
const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const HAPP_KEY = publicKey.export({ type: "spki", format: "pem" }).toString();

/** For every setting that leads somewhere: values that do, and what may be written all the same. */
const TRIED: Readonly<Record<string, { readonly leads: readonly unknown[]; readonly free: readonly unknown[] }>> = {
  sub_support_url: { leads: ["https://evil.example", "http://198.51.100.6/"], free: [""] },
  sub_announce: { leads: ["look at evil.example", "happ://routing/off", "ask @evil"], free: ["back at 5", ""] },
  sub_title: { leads: ["evil.example", "@evil_support"], free: ["My VPN", ""] },
  sub_entry_name: { leads: ["{inbound} evil.example"], free: ["{inbound} {left}", ""] },
  sub_theme: {
    leads: [theme("go to ev\u200bil.example"), { title: "t.me/evil" }, { texts: { fa: { footer: "@evil" } } }],
    free: [theme("Hello"), { colour: "#112233", logo: "data:image/png;base64,AAAA//8=" }, ""],
  },
  sub_apps: {
    leads: [
      app({ import: EVIL }),
      app({ import: "evil://add/{url}" }),
      app({ import: "http://198.51.100.6/{base64}" }),
      [{ name: "Happ", stores: { android: "https://evil.example/app.apk" } }],
      app({ steps: { en: ["Install", "Open evil.example"] } }),
    ],
    free: [""],
  },
  sub_rules: {
    leads: [
      rule({ "new-url": "https://evil.example" }),
      rule({ "support-url": "https://evil.example" }),
      rule({ "profile-web-page-url": "evil" }),
      rule({ routing: "happ://routing/onadd/e30=" }),
      rule({ providerid: "abcdefgh" }),
      rule({ "server-address-resolve-dns-ip": "198.51.100.6" }, { enabled: false }),
      rule({ announce: `base64:${Buffer.from("see evil.example").toString("base64")}` }),
      rule({ "profile-title": "evil.example" }),
    ],
    free: [rule({ "hide-settings": "1", announce: "hello" }), rule({}, { format: "xray" }), ""],
  },
  sub_happ_key: { leads: [HAPP_KEY], free: [""] },
  sub_happ_scheme: { leads: ["crypt9"], free: [] },
  sub_happ_key_url: { leads: ["https://evil.example/key"], free: [""] },
  sub_happ_key_fingerprint: { leads: ["a".repeat(64)], free: [""] },
  sub_incy_key: { leads: [Buffer.alloc(32, 1).toString("base64")], free: [""] },
  sub_incy_scheme: { leads: ["crypt9"], free: [] },
  sub_incy_key_url: { leads: ["https://evil.example/key"], free: [""] },
  sub_incy_key_fingerprint: { leads: ["b".repeat(64)], free: [""] },
  sub_domain: { leads: ["evil.example", "*.evil.example"], free: [""] },
  sub_basepath: { leads: ["/evil"], free: ["/sub"] },
  web_domain: { leads: ["evil.example"], free: [] },
  web_url: { leads: ["https://evil.example"], free: [""] },
  sub_url: { leads: ["https://evil.example", "http://198.51.100.6:8080/s"], free: [""] },
  web_listen_port: { leads: ["8443"], free: [] },
};

/** Written by an operator who may: what another may write again. */
const STORED: Readonly<Record<string, unknown>> = {
  sub_support_url: "https://help.example",
  sub_announce: "see help.example",
  sub_title: "help.example",
  sub_entry_name: "help.example {inbound}",
  sub_theme: theme("see help.example"),
  sub_apps: app({ import: "happ://add/{url}", steps: { en: ["See help.example"] } }),
  sub_rules: rule({ "new-url": "https://help.example", "hide-settings": "1" }),
  sub_domain: "help.example",
};

const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

// rule admins.point.1
test("each setting says where its value leads, and each that leads somewhere is tried here", () => {
  const silent = Object.keys(entries).filter((key) => typeof entries[key]?.points !== "function");
  expect(silent, "say `points` where the setting is declared").toEqual([]);
  const leading = Object.keys(entries).filter((key) => entries[key]?.points !== nowhere);
  expect(Object.keys(TRIED).toSorted()).toEqual(leading.toSorted());
});

describe.each(dialects)("settings that lead somewhere, on %s", (dialect) => {
  let panel: WalkedPanel;
  const callers: Record<string, string> = {};
  let reader: string;
  const put = (key: string, value: unknown, as?: string) =>
    panel.send("PUT", `/api/v1/settings/${key}`, {
      ...(as === undefined ? {} : { as }),
      body: { value: text(value) },
    });

  beforeAll(async () => {
    panel = await openWalkedPanel(dialect);
    const { body } = await panel.send("GET", "/api/v1/me");
    const all = (body["scopes"] as string[]).filter((scope) => !scope.startsWith("users:"));
    callers["settings alone"] = await panel.token(["settings:write"]);
    callers["everything but accounts"] = await panel.token(all);
    reader = await panel.token(["settings:write", "users:read"]);
  });
  afterAll(() => panel.dispose());

  const stored = async (key: string): Promise<unknown> => {
    const { body } = await panel.send("GET", `/api/v1/settings?q=${key}&limit=1000`, { as: reader });
    return (body["items"] as { key: string; value: string }[]).find((row) => row.key === key)?.value;
  };

  // rule admins.point.1
  test.each(Object.keys(TRIED))("%s", async (key) => {
    const { leads, free } = TRIED[key] ?? { leads: [], free: [] };
    const before = await stored(key);
    for (const as of Object.values(callers)) {
      for (const value of leads) {
        const { status, body } = await put(key, value, as);
        expect([value, status, body["code"], body["scope"]]).toEqual([value, 403, "scope", "users:read"]);
      }
      expect(await stored(key)).toBe(before);
      for (const value of free) {
        const { status, text: said } = await put(key, value, as);
        expect([value, status], said).toEqual([value, 200]);
      }
    }
    // What it refuses is a value that it takes: of a caller who may read accounts.
    for (const value of leads) {
      const { status, text: said } = await put(key, value, reader);
      expect([value, status], said).toEqual([value, 200]);
    }
    await put(key, key in STORED ? STORED[key] : before);
  });

  // rule admins.point.1
  test.each(Object.keys(STORED))("%s: the same again is written, and what is taken away", async (key) => {
    expect((await put(key, STORED[key])).status).toBe(200);
    for (const as of Object.values(callers)) {
      const { status, text: said } = await put(key, STORED[key], as);
      expect([key, status], said).toEqual([key, 200]);
    }
    expect((await put(key, "", callers["settings alone"])).status).toBe(200);
    // Once it is gone it is somewhere else again.
    if (key !== "sub_apps") expect((await put(key, STORED[key], callers["settings alone"])).status).toBe(403);
  });

  // rule admins.point.1
  test("what leads nowhere new is written beside what leads somewhere", async () => {
    await put("sub_rules", STORED["sub_rules"]);
    await put("sub_apps", STORED["sub_apps"]);
    const as = callers["settings alone"];
    const rows = [...rule({}, { value: "y" }), ...rule({ "new-url": "https://help.example", "mux-enable": "1" })];
    expect((await put("sub_rules", rows, as)).status).toBe(200);
    const apps = app({ import: "happ://add/{url}", steps: { en: ["First see help.example"] } });
    expect((await put("sub_apps", apps, as)).status).toBe(200);
    expect((await put("sub_rules", rule({ "new-domain": "https://help.example" }), as)).status).toBe(403);
  });

  // rule admins.point.1
  test("the list says where each leads, and the refresh of a key needs both scopes", async () => {
    const { body } = await panel.send("GET", "/api/v1/settings?limit=1000", { as: reader });
    const points = new Map((body["items"] as { key: string; points: string }[]).map((row) => [row.key, row.points]));
    expect(
      ["timezone", "sub_title", "sub_apps", "sub_support_url", "sub_domain"].map((key) => points.get(key)),
    ).toEqual(["no", "links", "links", "always", "always"]);
    const scopes = (await panel.send("GET", "/api/v1/scopes")).body as { also: Record<string, string[]> };
    expect(scopes.also["POST /settings/happ-key/refresh"]).toEqual(["settings:write", "users:read"]);
  });
});
