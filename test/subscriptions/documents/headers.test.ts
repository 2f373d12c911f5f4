// Headers of a subscription answer, and why a user may get a placeholder.
import { expect, test } from "vitest";
import { subscriptionHeaders, type Profile } from "../../../src/subscriptions/documents/headers.ts";
import { LANGUAGE_CODES } from "../../../src/subscriptions/page/language.ts";
import { placeholderEntry, refusalText } from "../../../src/subscriptions/documents/placeholder.ts";

const profile: Profile = {
  up: 1,
  down: 2,
  volume: 0,
  expiry: 0,
  nextReset: 0,
  title: "Prov",
  updateInterval: 12,
  supportUrl: "https://t.test/help",
  webPageUrl: "https://p.test/sub/x",
  announce: "",
};

// rules subscriptions.header.1, subscriptions.header.4
test("all of them", () => {
  expect(
    subscriptionHeaders(
      { ...profile, volume: 1000, expiry: 1_800_000_000, nextReset: 1_790_000_000, announce: "Hi\nyou" },
      "base64",
    ),
  ).toEqual({
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
    "Subscription-Userinfo": "upload=1; download=2; total=1000; expire=1800000000",
    "Subscription-Refill-Date": "1790000000",
    "Profile-Title": `base64:${Buffer.from("Prov").toString("base64")}`,
    "Profile-Update-Interval": "12",
    "Support-Url": "https://t.test/help",
    "Profile-Web-Page-Url": "https://p.test/sub/x",
    Announce: `base64:${Buffer.from("Hi you").toString("base64")}`,
    "Announce-Url": "https://t.test/help",
    "Content-Disposition": "attachment; filename=\"Prov.txt\"; filename*=UTF-8''Prov.txt",
  });
});

// rule subscriptions.header.2
test("what is empty, zero or no URL has no header", () => {
  const headers = subscriptionHeaders(
    { ...profile, title: "", updateInterval: 0, supportUrl: "javascript:alert(1)", webPageUrl: "" },
    "info",
  );
  expect(Object.keys(headers).toSorted()).toEqual([
    "Cache-Control",
    "Content-Type",
    "Referrer-Policy",
    "Subscription-Userinfo",
    "X-Robots-Tag",
  ]);
});

// rule subscriptions.header.3
test("hostile texts stay inside their header", () => {
  const headers = subscriptionHeaders(
    { ...profile, title: '../"x";\r\nSet-Cookie: a=1 آ(1)', announce: "a\r\nb", supportUrl: "https://ü.test/a b" },
    "singbox",
  );
  for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]*$/);
  expect(headers["Content-Disposition"]).toMatch(
    /^attachment; filename="[^"\\/;%]*"; filename\*=UTF-8''[A-Za-z0-9%._~!-]+$/,
  );
  expect(headers["Support-Url"]).toBe("https://xn--tda.test/a%20b");
});

test("an announcement is cut at 200 characters as people count them", () => {
  const text = Buffer.from(
    subscriptionHeaders({ ...profile, announce: "👨‍👩‍👧".repeat(300) }, "links")["Announce"]?.slice(7) ?? "",
    "base64",
  ).toString("utf8");
  expect(text).toBe(`${"👨‍👩‍👧".repeat(199)}…`);
});

test.each([
  ["clash", "text/yaml; charset=utf-8", ".yaml"],
  ["singbox", "application/json; charset=utf-8", ".json"],
  ["xray", "application/json; charset=utf-8", ".json"],
  ["links", "text/plain; charset=utf-8", ".txt"],
] as const)("%s is %s", (format, contentType, extension) => {
  const headers = subscriptionHeaders(profile, format);
  expect(headers["Content-Type"]).toBe(contentType);
  expect(headers["Content-Disposition"]).toContain(`Prov${extension}`);
});

test.each([
  ["active", "", undefined],
  ["pending", "", undefined],
  ["expired", "", "Expired: please renew"],
  ["limited", "", "Traffic used up: please renew"],
  ["disabled", "manual", "Account is off"],
  ["disabled", "expiry", "Expired: please renew"],
  ["disabled", "volume", "Traffic used up: please renew"],
  ["disabled", "resale-volume", "Provider's traffic used up"],
  ["disabled", "resale-expiry", "Provider's account expired"],
])("a user that is %s (%s) reads %s", (status, reason, text) => {
  expect(refusalText(status, reason)).toBe(text);
});

// rule subscriptions.unserved.2
test("the reason is told in each language of the page, in a way of its own for each of them", () => {
  const states = [
    ["expired", ""],
    ["limited", ""],
    ["disabled", "manual"],
    ["disabled", "resale-volume"],
    ["disabled", "resale-expiry"],
    ["whatever", ""],
  ] as const;
  for (const [status, reason] of states) {
    const told = LANGUAGE_CODES.map((language) => refusalText(status, reason, language));
    expect(new Set(told).size).toBe(LANGUAGE_CODES.length);
    expect(refusalText(status, reason)).toBe(told[0]);
  }
});

// rule subscriptions.unserved.1
test("the placeholder leads nowhere", () => {
  expect(placeholderEntry("Expired")).toMatchObject({ name: "Expired", server: "0.0.0.0", port: 1 });
});
