// Inbounds on loopback, and what leads to them on their node.
import { expect, test } from "vitest";
import { handedOn, isApart, isLoopback } from "../../src/pool/loopback.ts";

test.each([
  ["127.0.0.1", true],
  ["127.200.3.4", true],
  ["::1", true],
  ["[::1]", true],
  ["::ffff:127.0.0.1", true],
  ["LocalHost", true],
  ["::", false],
  ["0.0.0.0", false],
  ["10.0.0.1", false],
  ["127.test", false],
  ["1.127.0.0", false],
])("%s", (address, expected) => expect(isLoopback(address)).toBe(expected));

const inside = { tag: "inside", listen: "127.0.0.1", port: 9443, client: {} };

// rule subscriptions.entry.13
test.each([
  ["nothing", {}, true],
  ["a fallback", { fallback: { server: "127.0.0.1", server_port: 9443 } }, false],
  ["a fallback to its engine's default", { fallback: { server_port: 9443 } }, false],
  ["a fallback by ALPN", { fallback_for_alpn: { h2: { server: "::1", server_port: 9443 } } }, false],
  ["a fallback to another port", { fallback: { server: "127.0.0.1", server_port: 9444 } }, true],
  ["a fallback to another machine", { fallback: { server: "192.0.2.1", server_port: 9443 } }, true],
  ["a detour", { detour: "inside" }, false],
  ["what is malformed", { fallback: null, fallback_for_alpn: [1], detour: 7 }, true],
] as const)("%s of another inbound", (_, config, apart) => {
  expect(isApart(inside, handedOn([{}, config]))).toBe(apart);
});

test("an address or a port for clients", () => {
  const alone = handedOn([]);
  expect(isApart({ ...inside, client: { server: "edge.test" } }, alone)).toBe(false);
  expect(isApart({ ...inside, client: { server_port: 443 } }, alone)).toBe(false);
  expect(isApart({ ...inside, listen: "::" }, alone)).toBe(false);
});
