// Outbound and endpoint fragments at write.
import { expect, test } from "vitest";
import { parseEndpointConfig, parseOutboundConfig } from "../../../src/pool/dialect/outbound.ts";

const server = { server: "s.test", server_port: 443 };
const uuid = "b831381d-6324-4d53-ad4f-8cda48b30811";
const tls = { enabled: true };

test.each<[string, Record<string, unknown>, string[]]>([
  ["direct", {}, []],
  ["block", {}, []],
  ["block", { type: "block", tag: "b" }, []],
  ["socks", { ...server, version: "5", username: "u", password: "p" }, []],
  ["http", server, []],
  ["shadowsocks", { ...server, method: "aes-128-gcm", password: "p" }, []],
  ["vmess", { ...server, uuid }, []],
  ["vless", { ...server, uuid, flow: "xtls-rprx-vision", tls }, []],
  ["trojan", { ...server, password: "p", detour: "up" }, ["up"]],
  ["hysteria2", { server: "s.test", server_ports: ["2000:3000"], tls }, []],
  ["selector", { outbounds: ["a", "b", "a"], default: "b" }, ["a", "b"]],
  ["urltest", { outbounds: ["a"], interval: "10m" }, ["a"]],
])("%s %j is accepted", (type, config, references) => {
  expect(parseOutboundConfig(type, config)).toEqual({ ok: true, references });
});

test.each<[string, unknown, string, string]>([
  ["freedom", {}, "type", "must be one of direct"],
  ["dns", {}, "type", "hijack-dns"],
  ["wireguard", {}, "type", "endpoint"],
  ["toString", {}, "type", "must be one of"],
  ["direct", [], "", "must be an object"],
  ["direct", { domain_strategy: "prefer_ipv4" }, "domain_strategy", "domain_resolver"],
  ["direct", { override_address: "1.1.1.1" }, "override_address", "route-options"],
  ["block", { server: "x" }, "server", "is not among"],
  ["socks", { server_port: 1 }, "server", "must name the server"],
  ["socks", { server: "s", server_port: 70_000 }, "server_port", "1-65535"],
  ["vless", { ...server, uuid: "nope" }, "uuid", "must be a UUID"],
  ["vless", { ...server, uuid, flow: "xtls-rprx-vision" }, "flow", "only with TLS"],
  [
    "vless",
    { ...server, uuid, flow: "xtls-rprx-vision", tls, transport: { type: "ws" } },
    "flow",
    "without a transport",
  ],
  ["hysteria2", { server: "s" }, "tls.enabled", "needs TLS"],
  ["selector", { outbounds: [] }, "outbounds", "must list the tags"],
  ["selector", { outbounds: ["a"], default: "b" }, "default", "must be one of outbounds"],
])("%s %j is refused at %s", (type, config, path, message) => {
  const result = parseOutboundConfig(type, config);
  if (result.ok) throw new Error("accepted");
  expect(result.issues.map((issue) => issue.path)).toEqual([path]);
  expect(result.issues[0]?.message).toContain(message);
});

test("endpoints", () => {
  const key = Buffer.alloc(32, 3).toString("base64");
  const peer = { public_key: key, allowed_ips: ["0.0.0.0/0"], address: "s.test", port: 51_820 };
  expect(
    parseEndpointConfig("wireguard", { private_key: key, address: ["10.0.0.2/32"], peers: [peer], detour: "up" }),
  ).toEqual({
    ok: true,
    references: ["up"],
  });
  expect(parseEndpointConfig("tailscale", {}).ok).toBe(true);
  expect(parseEndpointConfig("openvpn", {})).toMatchObject({ ok: false, issues: [{ path: "type" }] });
  expect(parseEndpointConfig("wireguard", { private_key: "x", address: ["10.0.0.2/32"], peers: [peer] })).toMatchObject(
    {
      ok: false,
      issues: [{ path: "private_key" }],
    },
  );
});
