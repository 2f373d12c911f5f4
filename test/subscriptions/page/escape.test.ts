// What people write stays text: in every field of the page, whatever it holds.
import { describe, expect, test } from "vitest";
import { html, inline, Link } from "../../../src/subscriptions/page/html.ts";
import { renderPage } from "../../../src/subscriptions/page/page.ts";
import { SubApps } from "../../../src/subscriptions/page/apps.ts";
import { DEFAULT_THEME, SubTheme } from "../../../src/subscriptions/page/theme.ts";
import { view } from "./views.ts";

const HOSTILE = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)`,
  `</title></style></script><svg onload=alert(1)>`,
  "`${alert(1)}`",
  `javascript:alert(1)`,
  `\u202egnp.exe\u2066`,
  `a\u0000b\ud800`,
  `&lt;b&gt; &amp;`,
];

describe("templates", () => {
  test("values are escaped, in text and in attributes; nested HTML is not escaped twice", () => {
    const text = `<b a="1" c='2'>&\``;
    const inner = html`<i title="${text}">${text}</i>`;
    const escaped = "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;&#96;";
    expect(String(html`<p>${inner}${[inner, false, undefined, 7]}</p>`)).toBe(
      `<p>${`<i title="${escaped}">${escaped}</i>`.repeat(2)}7</p>`,
    );
  });

  test("a value without quotes, code in an attribute and an unchecked link do not render", () => {
    expect(() => html`<p class=${"a"}></p>`).toThrow("needs quotes");
    expect(() => html`<p onclick="${"a"}"></p>`).toThrow("no code");
    expect(() => html`<a href="${"https://a.example"}"></a>`).toThrow("made by Link");
    expect(() => inline("style", "</style>")).toThrow("markup");
  });

  test("links lead where the page lets them", () => {
    for (const bad of [
      "javascript:alert(1)",
      "JaVaScRiPt://%0aalert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      " java\nscript:x",
      "//evil.example",
      "intent://x#Intent;end",
    ]) {
      expect(Link.web(bad), bad).toBeUndefined();
      expect(Link.app(bad), bad).toBeUndefined();
      expect(Link.here(bad), bad).toBeUndefined();
      expect(Link.picture(bad), bad).toBeUndefined();
    }
    expect(Link.app("happ://add/https://panel.example/sub/x")?.href).toBe("happ://add/https://panel.example/sub/x");
    expect(Link.web("https://t.me/x")?.href).toBe("https://t.me/x");
  });
});

// rule subscriptions.page.2
test("hostile text in every field leaves the page's elements, links and policy as they are", () => {
  const shape = (body: string) => ({
    tags: (body.match(/<[a-z!/][^\s>]*/gi) ?? []).join(" "),
    attributes: (body.match(/<[a-z][^>]*>/gi) ?? []).join("").replaceAll(/="[^"]*"/g, "="),
    links: (body.match(/href="[^"]*"/g) ?? []).filter((href) => /javascript|data:/i.test(href)),
  });
  const switchedOff = (text: string) => {
    const theme = { ...DEFAULT_THEME, title: text, texts: { en: { notice: text, footer: text } }, logo: "" };
    const app = { name: text, stores: { ios: "https://store.example/a" }, import: "happ://add/{url}#{name}" };
    return renderPage(
      view(
        { name: text, status: "disabled", reason: text },
        { theme, title: text, announce: text, supportUrl: text, servers: [], apps: [app] },
      ),
    );
  };
  const served = (text: string) =>
    renderPage(
      view(
        { name: text },
        {
          theme: { ...DEFAULT_THEME, title: text },
          apps: [{ name: text, stores: { ios: text }, import: text }],
          servers: [{ name: text, link: text }],
          devices: [{ handle: "h", model: text, platform: text, userAgent: text, lastSeenAt: 1 }],
          forgetAt: "/sub/x/devices/",
          qrOf: 0,
        },
      ),
    );
  for (const render of [switchedOff, served]) {
    const plain = render("plain words");
    for (const text of HOSTILE) {
      const page = render(text);
      expect(page.policy).toBe(plain.policy);
      expect(shape(page.body), text).toEqual(shape(plain.body));
      expect(page.body).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      expect(page.body).not.toContain("\u0000");
      expect(page.body.isWellFormed()).toBe(true);
    }
  }
});

// rule subscriptions.page.5
test("a theme and a list of apps take what the page can show, and nothing that runs", () => {
  expect(SubTheme.parse({})).toEqual(DEFAULT_THEME);
  const refused: object[] = [
    { colour: "red" },
    { colour: "#fff;}body{display:none" },
    { logo: "https://elsewhere.example/logo.png" },
    { logo: "data:text/html;base64,AAAA" },
    { logo: 'data:image/png;base64,AA"onerror=' },
    { scheme: "blue" },
    { texts: { de: { notice: "" } } },
    { title: "a\nb" },
    { title: "\u202ea" },
    { script: "alert(1)" },
  ];
  for (const each of refused) expect(SubTheme.safeParse(each).success, JSON.stringify(each)).toBe(false);
  const app = { name: "App", stores: { ios: "https://a.example/" }, import: "app://x/{url}" };
  expect(SubApps.safeParse([app]).success).toBe(true);
  const apps = [
    { ...app, import: "javascript://x/{url}" },
    { ...app, import: "app://nothing" },
    { ...app, stores: { ios: "http://a.example/" } },
    { ...app, stores: { ios: "javascript:alert(1)" } },
    { ...app, stores: {} },
    { ...app, stores: { beos: "https://a.example/" } },
    { ...app, name: "" },
  ];
  for (const each of apps) expect(SubApps.safeParse([each]).success, JSON.stringify(each)).toBe(false);
});

// rule subscriptions.page.12
test("an app's steps are text beside its buttons, in the visitor's language; its icon is a picture or refused", () => {
  const app = {
    name: "Mine",
    stores: { ios: "https://store.example/a" },
    import: "mine://{url}",
    icon: "data:image/png;base64,AAAA",
    steps: { en: ["<b>Take</b> it", "Tap", "Go"], fa: ["بگیر"] },
  };
  const drawn = (language: "en" | "fa" | "ru") => renderPage(view({}, { apps: SubApps.parse([app]), language }));
  const { body, policy } = drawn("en");
  const [, steps = ""] = /<ol class="steps">(.*?)<\/ol>/s.exec(body) ?? [];
  expect(
    steps.split("</li>").map((step) =>
      step
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    ),
  ).toEqual(["&lt;b&gt;Take&lt;/b&gt; it Get the app", "Tap Add to Mine", "Go", ""]);
  // A single step has both buttons; a language without steps gets those of the theme's language.
  expect(drawn("fa").body.match(/mine:\/\//g)).toHaveLength(1);
  expect(drawn("ru").body).toContain("&lt;b&gt;Take&lt;/b&gt; it");
  expect(body).toContain('.icon-0{background:center/cover no-repeat url("data:image/png;base64,AAAA")}');
  expect(policy.match(/style-src ([^;]*)/)?.[1]?.split(" ")).toHaveLength(3);
  for (const icon of [
    'data:image/png;base64,AAAA")}body{display:none',
    "https://evil.example/a.png",
    "data:text/html;base64,AAAA",
  ])
    expect(SubApps.safeParse([{ ...app, icon }]).success, icon).toBe(false);
  const many = Array.from({ length: 5 }, () => ({ ...app, icon: `data:image/png;base64,${"A".repeat(4000)}` }));
  expect(SubApps.safeParse(many).success).toBe(false);
});
