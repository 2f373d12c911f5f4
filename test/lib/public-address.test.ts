// Addresses under which a panel is reached: what settings and proxies may write, and how links begin.
import { expect, test } from "vitest";
import {
  isLoopbackHost,
  originText,
  pathWith,
  readAuthority,
  readBase,
  reachedUnder,
} from "../../src/lib/public-address.ts";

test.each([
  ["https://sub.example", { scheme: "https", host: "sub.example", port: 0, path: "" }],
  ["https://sub.example/", { scheme: "https", host: "sub.example", port: 0, path: "" }],
  ["HTTPS://Sub.Example:443/", { scheme: "https", host: "sub.example", port: 0, path: "" }],
  ["https://sub.example:8443/a/b/", { scheme: "https", host: "sub.example", port: 8443, path: "/a/b" }],
  ["http://203.0.113.7:8080", { scheme: "http", host: "203.0.113.7", port: 8080, path: "" }],
  ["https://[2001:DB8::1]:2096/x", { scheme: "https", host: "2001:db8::1", port: 2096, path: "/x" }],
])("%s is where something is reached", (text, base) => {
  expect(readBase(text)).toEqual(base);
});

test.each([
  "",
  "sub.example",
  "//sub.example",
  "ftp://sub.example",
  "https:sub.example",
  "https://",
  "https:///sub",
  "https://sub.example?x=1",
  "https://sub.example/?x",
  "https://sub.example#x",
  "https://ann:secret@sub.example",
  "https://sub.example\\x",
  "https://sub.example/a b",
  "https://sub.example\n",
  "https://sub.example:0",
  "https://sub.example:65536",
  "https://*.example",
  "javascript:alert(1)",
])("%j is no address to begin links with", (text) => {
  expect(readBase(text)).toBeUndefined();
});

test.each([
  ["edge.example", { host: "edge.example", port: 0 }],
  ["Edge.Example:18643", { host: "edge.example", port: 18643 }],
  ["127.0.0.1:8080", { host: "127.0.0.1", port: 8080 }],
  ["[::1]:8443", { host: "::1", port: 8443 }],
  ["[2001:db8::1]", { host: "2001:db8::1", port: 0 }],
])("%s is a host", (text, authority) => {
  expect(readAuthority(text)).toEqual(authority);
});

test.each([
  "",
  ":80",
  "a b",
  "edge.example/x",
  "edge.example:",
  "edge.example:0",
  "edge.example:99999",
  "edge.example:80:80",
  "ann@edge.example",
  "::1",
  "[edge.example]",
  "[127.0.0.1]",
  'edge"><script>',
  "edge.example\r\nx: y",
  "-edge.example",
  "edge..example",
])("%j is none", (text) => {
  expect(readAuthority(text)).toBeUndefined();
});

test("an origin has brackets where it needs them, and a port where it is not the scheme's own", () => {
  expect(originText({ scheme: "https", host: "a.example", port: 443 })).toBe("https://a.example");
  expect(originText({ scheme: "http", host: "a.example", port: 443 })).toBe("http://a.example:443");
  expect(originText({ scheme: "https", host: "2001:db8::1", port: 8443 })).toBe("https://[2001:db8::1]:8443");
});

test("a path that is named twice stands once, at whole segments", () => {
  expect(["", "/sub", "/x", "/x/sub", "/xsub"].map((path) => pathWith(path, "/sub"))).toEqual([
    "/sub",
    "/sub",
    "/x/sub",
    "/x/sub",
    "/xsub/sub",
  ]);
  expect(pathWith("/p", "")).toBe("/p");
});

// rule subscriptions.key.8
test("the port of a hidden listener is told under no other name", () => {
  const hidden = { scheme: "http", port: 8080, hidden: true } as const;
  expect(originText(reachedUnder("panel.example", hidden))).toBe("https://panel.example");
  for (const name of ["localhost", "a.localhost", "127.0.0.1", "::1", "0:0:0:0:0:0:0:1"]) {
    expect(isLoopbackHost(name)).toBe(true);
    expect(reachedUnder(name, hidden)).toMatchObject({ scheme: "http", port: 8080 });
  }
  expect(originText(reachedUnder("panel.example", { ...hidden, hidden: false }))).toBe("http://panel.example:8080");
});
