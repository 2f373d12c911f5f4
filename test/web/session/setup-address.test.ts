// Addresses of setup and of a restart: what is proposed, what is written, and where the browser goes.
import { expect, test } from "vitest";
import { chosenUrl, nearbyUrl, ownOrigin, proposedUrl } from "../../../src/web/sign-in/setup-address.ts";
import { homeOf } from "../../../src/web/settings/home-of.ts";
import type { Setting } from "../../../src/web/settings/setting.ts";

const fields = { web_domain: "", web_tls_mode: "none", web_listen_port: "", web_basepath: "" } as const;
const page = (text: string) => new URL(text);

// rule setup.pending.8
test.each([
  // Through a proxy that ends TLS: that address, whatever the listener is.
  ["https://edge.example:18647", fields, "https://edge.example:18647", "https://edge.example:18647"],
  ["https://edge.example", { ...fields, web_domain: "edge.example" }, "https://edge.example", "https://edge.example"],
  // Opened at the listener: nothing that it does not say itself.
  ["http://203.0.113.7:8080", fields, "http://203.0.113.7:8080", ""],
  ["http://203.0.113.7:8080", { ...fields, web_tls_mode: "self_signed" }, "https://203.0.113.7:8080", ""],
  ["http://203.0.113.7:8080", { ...fields, web_listen_port: "9000" }, "http://203.0.113.7:9000", ""],
  ["http://127.0.0.1:8080", fields, "http://127.0.0.1:8080", ""],
  // A name of another place on loopback: something stands before it.
  ["http://127.0.0.1:8080", { ...fields, web_domain: "panel.example" }, "https://panel.example", ""],
  ["http://[::1]:8080", { ...fields, web_domain: "2001:db8::1" }, "https://[2001:db8::1]", ""],
] as const)("setup at %s", (opened, typed, proposed, written) => {
  expect(proposedUrl(typed, page(opened))).toBe(proposed);
  expect(chosenUrl(proposed, typed, page(opened))).toBe(written);
});

// rule setup.pending.8
test("what is typed is written, unless the panel says it by itself", () => {
  const at = page("http://203.0.113.7:8080");
  expect(chosenUrl(" https://other.example/ ", fields, at)).toBe("https://other.example");
  expect(chosenUrl(`${ownOrigin(fields, at)}/`, fields, at)).toBe("");
  expect(chosenUrl("", fields, at)).toBe("");
});

test.each([
  ["http://127.0.0.1:8080", { ...fields, web_domain: "panel.example" }, undefined, "http://127.0.0.1:8080/"],
  [
    "http://127.0.0.1:8080",
    { ...fields, web_basepath: "/p", web_listen_port: "9000" },
    undefined,
    "http://127.0.0.1:9000/p/",
  ],
  ["http://127.0.0.1:8080", { ...fields, web_listen_port: "9000" }, "127.0.0.1:8080", "http://127.0.0.1:8080/"],
  ["http://203.0.113.7:8080", { ...fields, web_tls_mode: "self_signed" }, undefined, "https://203.0.113.7:8080/"],
  [
    "https://edge.example:18647",
    { ...fields, web_basepath: "/p", web_listen_port: "9" },
    undefined,
    "https://edge.example:18647/p/",
  ],
] as const)("from %s the browser goes on", (opened, typed, listen, nearby) => {
  expect(nearbyUrl(typed, listen, page(opened))).toBe(nearby);
});

test.each([
  ["nothing moves", "https://edge.example/p/", { web_url: "https://w.example" }, [], "https://edge.example/p/"],
  ["the base path", "https://edge.example/p/", { web_basepath: "/q" }, ["web_basepath"], "https://edge.example/q/"],
  [
    "below web_url",
    "http://10.0.0.1:8080/",
    { web_url: "https://w.example", web_basepath: "/q" },
    ["web_basepath"],
    "https://w.example/q/",
  ],
  [
    "web_url names it",
    "http://10.0.0.1:8080/",
    { web_url: "https://w.example/q/", web_basepath: "/q" },
    ["web_listen_port"],
    "https://w.example/q/",
  ],
  ["the port", "http://127.0.0.1:8080/", { web_listen_port: "9000" }, ["web_listen_port"], "http://127.0.0.1:9000/"],
  [
    "a port on loopback",
    "https://edge.example/",
    { web_listen_port: "9000", web_tls_mode: "none" },
    ["web_listen_port", "web_tls_mode"],
    "https://edge.example/",
  ],
  [
    "a port behind a proxy",
    "https://edge.example/",
    { web_listen_port: "9000", web_listen_ip: "10.0.0.1", trusted_proxies: "10.0.0.2" },
    ["web_listen_port"],
    "https://edge.example/",
  ],
  [
    "a port of everybody",
    "https://panel.example:8443/",
    { web_listen_port: "9000", web_listen_ip: "0.0.0.0" },
    ["web_listen_port"],
    "https://panel.example:9000/",
  ],
] as const)("a restart: %s", (_, base, values, moved: readonly string[], home) => {
  const keys = new Set([...Object.keys(values), ...moved]);
  const given: Readonly<Record<string, string>> = values;
  const rows = [...keys].map((key) => ({ key, value: given[key] ?? "", restartPending: moved.includes(key) }));
  expect(homeOf(rows as unknown as Setting[], base)).toBe(home);
});
