// The parsers of hostile bytes: by table, cut at every offset, and with random bytes.
import { createHash, randomBytes, randomInt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { encodeTarget, normalHost, SOCKS_ADDRESS } from "../../../src/agent/engines/embedded/protocols/address.ts";
import { parseHttpProxyHead } from "../../../src/agent/engines/embedded/protocols/http.ts";
import type { Parsed } from "../../../src/agent/engines/embedded/protocols/parsed.ts";
import {
  encodeSocksDatagram,
  parseSocksCredentials,
  parseSocksDatagram,
  parseSocksGreeting,
  parseSocksRequest,
} from "../../../src/agent/engines/embedded/protocols/socks.ts";
import {
  encodeTrojanPacket,
  parseTrojanHead,
  parseTrojanPacket,
} from "../../../src/agent/engines/embedded/protocols/trojan.ts";
import {
  encodeVlessPacket,
  parseVlessHead,
  parseVlessPacket,
} from "../../../src/agent/engines/embedded/protocols/vless.ts";
import { parseWsOpening } from "../../../src/agent/engines/embedded/transports/ws-handshake.ts";
import { parseXudpFrame } from "../../../src/agent/engines/embedded/protocols/xudp.ts";
import { planUser, vlessHead } from "./harness.ts";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const uuid = "00".repeat(15) + "07";
const key = createHash("sha224").update("password-1").digest("hex");
const trojan = (rest: Buffer) => Buffer.concat([Buffer.from(`${key}\r\n`), rest]);
const ws = { path: "/a", hosts: ["front.test"], maxEarlyData: 0, earlyDataField: "" };
const opening = (lines: string[], path = "/a") =>
  Buffer.from(
    [
      `GET ${path} HTTP/1.1`,
      "Host: front.test:443",
      "Connection: keep-alive, Upgrade",
      "Upgrade: WebSocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ...lines,
      "",
      "",
    ].join("\r\n"),
  );

const parsers: Record<string, (bytes: Buffer) => Parsed<unknown>> = {
  "vless head": parseVlessHead,
  "vless packet": parseVlessPacket,
  "xudp frame": parseXudpFrame,
  "trojan head": parseTrojanHead,
  "trojan packet": parseTrojanPacket,
  "socks greeting": parseSocksGreeting,
  "socks credentials": parseSocksCredentials,
  "socks request": parseSocksRequest,
  "http head": parseHttpProxyHead,
  "ws opening": (bytes) => parseWsOpening(bytes, ws),
};

const good: [parser: string, name: string, bytes: Buffer, value: object | boolean][] = [
  [
    "vless head",
    "IPv4",
    hex(`00 ${uuid} 00 01 01bb 01 c0000201`),
    { network: "tcp", target: { host: "192.0.2.1", port: 443 } },
  ],
  [
    "vless head",
    "a name, UDP",
    hex(`00 ${uuid} 00 02 0035 02 07 412e54657374 2e`),
    { network: "udp", target: { host: "a.test", port: 53 } },
  ],
  [
    "vless head",
    "IPv6",
    hex(`00 ${uuid} 00 01 0050 03 20010db8 00000000 00000000 00000001`),
    { target: { host: "2001:db8::1", port: 80 } },
  ],
  [
    "vless head",
    "add-ons without a flow",
    hex(`00 ${uuid} 04 12026162 01 0050 01 7f000001`),
    { target: { host: "127.0.0.1", port: 80 } },
  ],
  ["vless head", "mux", hex(`00 ${uuid} 00 03`), { network: "mux" }],
  ["vless packet", "three bytes", hex("0003 010203"), hex("010203")],
  [
    "xudp frame",
    "the first, with the client's id of the session",
    hex("0014 0000 01 01 02 0035 01 c0000201 0102030405060708 0002 0102"),
    { target: { host: "192.0.2.1", port: 53 }, payload: hex("0102") },
  ],
  ["xudp frame", "a packet to the same target", hex("0004 0000 02 01 0001 09"), { payload: hex("09") }],
  [
    "xudp frame",
    "a packet to another target",
    hex("000a 0000 02 01 02 0035 02 01 61 0001 09"),
    { target: { host: "a", port: 53 }, payload: hex("09") },
  ],
  ["xudp frame", "one that keeps the session alive", hex("0004 0000 04 01 0001 09"), { payload: undefined }],
  [
    "trojan head",
    "CONNECT",
    trojan(hex("01 01 c0000201 01bb 0d0a")),
    { key, network: "tcp", target: { host: "192.0.2.1", port: 443 } },
  ],
  [
    "trojan head",
    "UDP ASSOCIATE",
    trojan(hex("03 03 01 61 0035 0d0a")),
    { network: "udp", target: { host: "a", port: 53 } },
  ],
  [
    "trojan packet",
    "two bytes",
    hex("01 c0000201 0035 0002 0d0a 0102"),
    { target: { host: "192.0.2.1", port: 53 }, payload: hex("0102") },
  ],
  ["socks greeting", "with a password", hex("05 02 00 02"), true],
  ["socks greeting", "without a password", hex("05 01 00"), false],
  ["socks credentials", "name and password", hex("01 01 61 02 6263"), { name: "a", password: "bc" }],
  ["socks request", "CONNECT", hex("05 01 00 03 01 61 0050"), { command: "connect", target: { host: "a", port: 80 } }],
  ["socks request", "BIND", hex("05 02 00 01 7f000001 0050"), { command: "other" }],
  [
    "http head",
    "CONNECT",
    Buffer.from("CONNECT [2001:DB8::1]:443 HTTP/1.1\r\nProxy-Authorization: Basic YTpiOmM=\r\n\r\n"),
    { target: { host: "2001:db8::1", port: 443 }, credentials: { name: "a", password: "b:c" } },
  ],
  ["ws opening", "the path with a query", opening([], "/a?ed=2048"), { earlyData: Buffer.alloc(0) }],
];

const bad: [parser: string, name: string, bytes: Buffer][] = [
  ["vless head", "another version", hex("01")],
  [
    "vless head",
    "the vision flow",
    Buffer.concat([hex(`00 ${uuid} 12 0a 10`), Buffer.from("xtls-rprx-vision"), hex("01 0050 01 7f000001")]),
  ],
  ["vless head", "broken add-ons", hex(`00 ${uuid} 02 0a09 01 0050 01 7f000001`)],
  ["xudp frame", "a second session", hex("0004 0001 02 01")],
  ["xudp frame", "a session of TCP", hex("000c 0000 01 01 01 0050 01 7f000001")],
  ["xudp frame", "a first frame without a target", hex("0004 0000 01 01")],
  ["xudp frame", "an address that is cut", hex("0008 0000 02 01 02 0035 01")],
  ["xudp frame", "the end of the session", hex("0004 0000 03 00")],
  ["xudp frame", "an unknown status", hex("0004 0000 09 00")],
  ["xudp frame", "a head that is too short", hex("0003 0000 02")],
  ["xudp frame", "a head that is too long", hex("0201")],
  ["vless head", "an unknown command", hex(`00 ${uuid} 00 09`)],
  ["vless head", "an unknown address type", hex(`00 ${uuid} 00 01 0050 04`)],
  ["vless head", "an empty name", hex(`00 ${uuid} 00 01 0050 02 00`)],
  ["vless head", "a name with a space", hex(`00 ${uuid} 00 01 0050 02 03 612062`)],
  ["trojan head", "upper-case digits", Buffer.from("AB")],
  ["trojan head", "no line end", Buffer.concat([Buffer.from(key), hex("0d0d01")])],
  ["trojan head", "an unknown command", trojan(hex("02"))],
  ["trojan head", "no line end after the address", trojan(hex("01 01 c0000201 01bb 0d0d"))],
  ["trojan packet", "no line end", hex("01 c0000201 0035 0002 0a0d 0102")],
  ["socks greeting", "version 4", hex("04 01")],
  ["socks request", "a reserved byte", hex("05 01 07 01")],
  ["http head", "binary", hex("16 03 01")],
  ["http head", "origin form", Buffer.from("GET / HTTP/1.1\r\nHost: a\r\n\r\n")],
  ["http head", "a folded field", Buffer.from("CONNECT a:1 HTTP/1.1\r\nX: 1\r\n 2\r\n\r\n")],
  ["http head", "no port", Buffer.from("CONNECT a HTTP/1.1\r\n\r\n")],
  ["http head", "too long", Buffer.from(`CONNECT a:1 HTTP/1.1\r\nX: ${"y".repeat(17_000)}`)],
  ["ws opening", "another path", opening([], "/b")],
  ["ws opening", "not a GET", Buffer.from("POST")],
  ["ws opening", "another host", Buffer.from(opening([]).toString().replace("front", "back"))],
  ["ws opening", "no upgrade", Buffer.from(opening([]).toString().replace("Upgrade: WebSocket\r\n", ""))],
  ["ws opening", "a protocol that is no early data", opening(["Sec-WebSocket-Protocol: a, b"])],
];

function parse(name: string, bytes: Buffer): Parsed<unknown> {
  const parser = parsers[name];
  if (!parser) throw new Error(`no parser ${name}`);
  return parser(bytes);
}

describe("good input", () => {
  test.each(good)("%s: %s", (parser, _name, bytes, value) => {
    const result = parse(parser, Buffer.concat([bytes, hex("ffee")]));
    expect(result.state === "done" && result.length).toBe(bytes.length);
    if (typeof value === "object" && !Buffer.isBuffer(value)) expect(result).toMatchObject({ value });
    else expect(result).toMatchObject({ state: "done", value });
  });

  test.each(good)("%s: %s, cut anywhere, wants more", (parser, _name, bytes) => {
    for (let cut = 0; cut < bytes.length; cut++)
      expect(parse(parser, bytes.subarray(0, cut)).state, `cut at ${cut}`).toBe("more");
  });
});

describe("bad input", () => {
  test.each(bad)("%s: %s", (parser, _name, bytes) => {
    expect(parse(parser, bytes).state).toBe("refused");
    // Once refused, no further byte changes that.
    expect(parse(parser, Buffer.concat([bytes, randomBytes(64)])).state).toBe("refused");
  });
});

test.each(Object.keys(parsers))(
  "%s: random and mutated bytes never throw, and a verdict stands whatever follows",
  (name) => {
    const seeds = good.filter(([parser]) => parser === name).map(([, , bytes]) => bytes);
    for (let round = 0; round < 4000; round++) {
      const seed = seeds[round % seeds.length] ?? Buffer.alloc(0);
      const bytes = round % 3 === 0 ? randomBytes(randomInt(300)) : Buffer.from(seed);
      if (bytes.length > 0)
        for (let flips = randomInt(4); flips > 0; flips--) bytes[randomInt(bytes.length)] = randomInt(256);
      const result = parse(name, bytes);
      if (result.state === "more") continue;
      expect(parse(name, Buffer.concat([bytes, randomBytes(20)]))).toEqual(result);
      if (result.state === "done") expect(result.length).toBeLessThanOrEqual(bytes.length);
    }
  },
);

test("what is encoded is read back", () => {
  for (const host of ["192.0.2.1", "2001:db8::5:0:1", "::1", "::ffff:c000:201", "a.test"]) {
    const target = { host, port: randomInt(65_536) };
    const payload = randomBytes(randomInt(1000));
    expect(parseTrojanPacket(encodeTrojanPacket(target, payload))).toMatchObject({ value: { target, payload } });
    expect(parseSocksDatagram(encodeSocksDatagram(target, payload))).toMatchObject({ value: { target, payload } });
    expect(parseVlessPacket(encodeVlessPacket(payload))).toMatchObject({ value: payload });
    expect(encodeTarget(target, SOCKS_ADDRESS).readUInt16BE(encodeTarget(target, SOCKS_ADDRESS).length - 2)).toBe(
      target.port,
    );
  }
  expect(parseVlessHead(vlessHead(planUser(1), 80))).toMatchObject({ state: "done" });
});

test("hosts have one form", () => {
  expect(normalHost("WWW.Example.ORG.")).toBe("www.example.org");
  expect(normalHost("2001:DB8:0:0::1")).toBe("2001:db8::1");
  expect(normalHost("127.0.0.1")).toBe("127.0.0.1");
  for (const text of ["", ".", "a b", "a/b", "fe80::1%lo", "x".repeat(256), "ä.test", "[::1]"])
    expect(normalHost(text), text).toBeUndefined();
});

test("an absolute request becomes one for its origin, without the proxy's fields", () => {
  const result = parseHttpProxyHead(
    Buffer.from(
      "GET http://a.test:8080/x?y HTTP/1.1\r\nHost: evil\r\nProxy-Connection: keep-alive\r\nConnection: X-Drop\r\nX-Drop: 1\r\nAccept: */*\r\n\r\n",
    ),
  );
  expect(result.state === "done" && result.value.forward?.toString()).toBe(
    "GET /x?y HTTP/1.1\r\nHost: a.test:8080\r\nAccept: */*\r\nConnection: close\r\n\r\n",
  );
});

describe("early data", () => {
  const data = Buffer.from("hello early data");

  test("in Sec-WebSocket-Protocol, echoed", () => {
    const result = parseWsOpening(opening([`Sec-WebSocket-Protocol: ${data.toString("base64url")}`]), {
      ...ws,
      maxEarlyData: 2048,
      earlyDataField: "sec-websocket-protocol",
    });
    expect(result).toMatchObject({ state: "done", value: { earlyData: data } });
    expect(result.state === "done" && result.value.answer.toString()).toContain(
      `Sec-WebSocket-Protocol: ${data.toString("base64url")}\r\n`,
    );
  });

  test("after the path", () => {
    const result = parseWsOpening(opening([], `/a${data.toString("base64url")}`), { ...ws, maxEarlyData: 2048 });
    expect(result).toMatchObject({ state: "done", value: { earlyData: data } });
  });

  test("the answer is RFC 6455's", () => {
    const result = parseWsOpening(opening([]), ws);
    expect(result.state === "done" && result.value.answer.toString()).toContain(
      "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n",
    );
  });
});
