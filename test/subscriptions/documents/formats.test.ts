// Which client gets which format.
import { describe, expect, test } from "vitest";
import {
  choose,
  chooseFormat,
  DEFAULT_RULES,
  FormatRule,
  type FormatRequest,
} from "../../../src/subscriptions/documents/formats.ts";
import { FORMATS, formatOfName } from "../../../src/accounts/links/format-names.ts";

const all = new Set(FORMATS);
const none: FormatRequest = { path: "", query: "", userAgent: "", accept: "" };
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

// rule subscriptions.format.3
test.each([
  ["FlClash/0.8.80", "clash"],
  ["FlClashX/v0.1", "clash"],
  ["clash-verge/v2.0.3", "clash"],
  ["ClashMetaForAndroid/2.11", "clash"],
  ["Clash X Meta/1.4", "clash"],
  ["Stash/2.7.6 Clash/1.9.0", "clash"],
  ["mihomo/1.19", "clash"],
  ["SFA/1.12.0 (505; sing-box 1.12.0; language en_US)", "singbox"],
  ["SFI/1.11", "singbox"],
  ["Karing/1.0", "singbox"],
  ["HiddifyNext/2.5.7 (android) like ClashMeta v2ray sing-box", "singbox"],
  ["MyApp sing-box/1.12", "singbox"],
  ["SFL/1.14.1", "singbox"],
  ["SFW/1.14.1", "singbox"],
  ["GUI.for.Clash/v1.9", "clash"],
  ["GUI.for.SingBox/v1.9", "singbox"],
  ["CheezyClash/1.0", "clash"],
  ["OpenClash", "clash"],
  ["stelliberty/1.0 (clash)", "clash"],
  ["Throne/1.0.6 (Prefer ClashMeta Format)", "clash"],
  ["sing-box GUI/1 (Prefer ClashMeta Format)", "clash"],
  // Phones of this make are no bots.
  ["v2rayNG/1.10.2 (Linux; Android 10; CUBOT X19)", "base64"],
  ["v2rayNG/1.10.2", "base64"],
  ["v2rayN/7.0", "base64"],
  ["Streisand", "base64"],
  ["curl/8.5.0", "base64"],
  ["", "base64"],
])("user agent %s gets %s", (userAgent, format) => {
  expect(chooseFormat({ ...none, userAgent, accept: "*/*" }, all)).toBe(format);
});

// rule subscriptions.fetch.5
test.each([
  "TelegramBot (like TwitterBot)",
  "WhatsApp/2.23.20.0 A",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "facebookexternalhit/1.1;line-poker/1.0",
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
  "Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)",
  "Twitterbot/1.0",
  "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
  "Viber/13.3.0.5",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.example/)",
  "Synapse (bot; +https://github.com/matrix-org/synapse)",
  "Mozilla/5.0 (compatible; SomebodysNewBot)",
])("%s looks at links for others, whatever it asks for", (userAgent) => {
  for (const asked of [none, { ...none, path: "clash" }, { ...none, query: "links" }, { ...none, accept: browser }])
    expect(choose({ ...asked, userAgent }, all)).toEqual({ format: "html", rule: undefined, previews: true });
  expect(choose({ ...none, path: "nonsense", userAgent }, all)).toBeUndefined();
});

// rule subscriptions.fetch.5
test.each([
  "Mozilla/5.0 (Linux; Android 13; CUBOT NOTE 20) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Viber",
  "Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36 Instagram 300.0 Android",
  "Happ/3.2.1",
  "HiddifyNext/2.5.7 (android) like ClashMeta v2ray sing-box",
  "python-requests/2.31",
])("%s is a customer's", (userAgent) => {
  expect(choose({ ...none, userAgent, accept: browser }, all)?.previews).toBeUndefined();
});

describe("order", () => {
  // rule subscriptions.format.1
  test("path, then query, then the table", () => {
    expect(chooseFormat({ path: "xray", query: "clash", userAgent: "SFA/1", accept: browser }, all)).toBe("xray");
    expect(chooseFormat({ ...none, query: "clash", userAgent: "SFA/1", accept: browser }, all)).toBe("clash");
    expect(chooseFormat({ ...none, query: "nonsense", userAgent: "SFA/1" }, all)).toBe("singbox");
    expect(chooseFormat({ ...none, path: "nonsense", userAgent: "SFA/1" }, all)).toBeUndefined();
    expect(chooseFormat({ ...none, path: "toString" }, all)).toBeUndefined();
  });
  // rule subscriptions.format.1
  test("a browser gets the page, whatever it calls itself", () => {
    expect(chooseFormat({ ...none, userAgent: "Mozilla/5.0", accept: browser }, all)).toBe("html");
    expect(chooseFormat({ ...none, userAgent: "Mozilla/5.0", accept: "application/json,text/html;q=0.5" }, all)).toBe(
      "base64",
    );
    expect(chooseFormat({ ...none, userAgent: "Mozilla/5.0", accept: "*/*" }, all)).toBe("base64");
    expect(chooseFormat({ ...none, userAgent: "x", accept: "text/html;q=0" }, all)).toBe("base64");
  });
  // rule subscriptions.format.4
  test("formats that cannot be rendered are passed over, in the path they are unknown", () => {
    const some = new Set(["links", "base64", "singbox", "xray"] as const);
    expect(chooseFormat({ ...none, userAgent: "Mozilla/5.0", accept: browser }, some)).toBe("base64");
    expect(chooseFormat({ ...none, userAgent: "clash-verge/1" }, some)).toBe("base64");
    expect(chooseFormat({ ...none, path: "clash" }, some)).toBeUndefined();
  });
});

// rule subscriptions.format.2
test.each([
  ["sing-box", "singbox"],
  ["SingBox", "singbox"],
  ["mihomo", "clash"],
  ["clash-meta", "clash"],
  ["json", "xray"],
  ["v2ray-json", "xray"],
])("%s is an alias of %s", (name, format) => {
  expect(formatOfName(name)).toBe(format);
});

// rule subscriptions.format.3
test("every format has its own name, and the table is valid data", () => {
  for (const format of FORMATS) expect(formatOfName(format)).toBe(format);
  for (const rule of DEFAULT_RULES) expect(FormatRule.safeParse(rule).success).toBe(true);
});

test("rules with versions, once they are switched on", () => {
  const on = DEFAULT_RULES.map((rule) => ({ ...rule, enabled: true }));
  const format = (userAgent: string) => chooseFormat({ ...none, userAgent }, all, on);
  expect(format("v2rayNG/1.8.28")).toBe("base64");
  expect(format("v2rayNG/1.8.29")).toBe("xray");
  expect(format("v2rayNG/1.10.2")).toBe("xray");
  expect(format("v2rayN/6.39")).toBe("base64");
  expect(format("v2rayN/7")).toBe("xray");
  expect(format("v2rayN/")).toBe("base64");
  expect(format("Happ/1.63.1/ios")).toBe("xray");
  expect(format("Streisand")).toBe("xray");
});

// rule subscriptions.format.9
test("rows by the end, and rows that hold where the comparison does not", () => {
  const row = { header: "user-agent", operator: "endsWith", value: "-beta", format: "xray", enabled: true } as const;
  const format = (userAgent: string, not: boolean) =>
    chooseFormat({ ...none, userAgent }, all, [FormatRule.parse({ ...row, not })]);
  expect([format("App-Beta", false), format("App", false)]).toEqual(["xray", "base64"]);
  expect([format("App-Beta", true), format("App", true)]).toEqual(["base64", "xray"]);
});

// rule subscriptions.format.9, rule admins.point.4
test.each([
  ["profile-title", "x", true],
  ["x-own", "x", false],
  ["x-accel-redirect", "/protected/secret", false],
  ["surrogate-control", "max-age=600", false],
  ["routing", "happ://routing/onadd/abc", true],
  ["hide-settings", "1", true],
  ["set-cookie", "a=b", false],
  ["content-type", "text/html", false],
  ["content-disposition", "inline", false],
  ["clear-site-data", "*", false],
  ["location", "https://evil.example", false],
  ["x-frame-options", "", false],
  ["access-control-allow-origin", "*", false],
  ["Announce", "x", false],
  ["announce", "a\r\nset-cookie: b", false],
  ["announce", "é", false],
])("a row may set %s: %j is %s", (name, value, allowed) => {
  const row = { header: "accept", operator: "equals", value: "x", format: "links", enabled: true };
  expect(FormatRule.safeParse({ ...row, headers: { [name]: value } }).success).toBe(allowed);
});
