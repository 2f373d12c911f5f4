// Which targets are private, in every notation, for everything that asks: one table over the panel's own check, the
// check of what operators type, that of configuration, and the ranges that engines get.
import { isIP } from "node:net";
import { describe, expect, test } from "vitest";
import { PRIVATE_RANGES as ENGINE_RANGES } from "../../src/agent/private-ranges.ts";
import { privateTargetPaths } from "../../src/dialect/index.ts";
import { parseAddressList } from "../../src/lib/addresses.ts";
import { checkTarget, OutgoingError, parseTarget } from "../../src/outgoing/index.ts";
import { isOwnName, isPrivateAddress, isPrivateHost } from "../../src/lib/private-addresses.ts";

const PRIVATE_V4 =
  "0.0.0.0 0.1.2.3 10.1.1.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.1.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.168.1.1 198.18.0.1 198.19.255.255 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255".split(
    " ",
  );
const PUBLIC_V4 =
  "1.1.1.1 9.255.255.255 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.0.1.1 192.169.0.1 198.17.0.1 198.20.0.1 223.255.255.255".split(
    " ",
  );
/** Forms of an IPv4 address. `ranged`: an engine's list, which knows ranges alone, has it; it has not the last two. */
const FORMS: readonly (readonly [name: string, (v4: string) => string, ranged: boolean])[] = [
  ["plain", (v4) => v4, true],
  ["NAT64", (v4) => `64:ff9b::${v4}`, true],
  ["6to4", (v4) => `2002:${hex(v4)}::1`, true],
  ["ISATAP", (v4) => `2606:4700:1:2:0:5efe:${v4}`, false],
  ["ISATAP of a universal address", (v4) => `2606:4700::200:5efe:${v4}`, false],
];
/** Forms that are no public target whatever they carry. */
const CLOSED_FORMS: readonly (readonly [name: string, (v4: string) => string])[] = [
  ["IPv4-compatible", (v4) => `::${v4}`],
  ["IPv4-translated", (v4) => `::ffff:0:${v4}`],
  ["local NAT64", (v4) => `64:ff9b:1::${v4}`],
  ["Teredo, as its server", (v4) => `2001:0:${hex(v4)}:8000:63bf:3fff:fdd2`],
  ["Teredo, as its client", (v4) => `2001:0:4136:e378:8000:63bf:${inverted(v4)}`],
  ["ISATAP on a link", (v4) => `fe80::5efe:${v4}`],
];
const PRIVATE_V6 =
  ":: ::1 fe80::1 febf::1 fec0::1 feff::1 fc00::1 fd00::1 fdff::1 ff02::1 ff0e::1 100::1 2001:2::1 2001:10::1 2001:1f:1::1 5f00::1".split(
    " ",
  );
const PUBLIC_V6 = "2606:4700::1111 2a00:1450:4001:800::200e 2620:fe::fe 2001:4860:4860::8888 2001:67c::1 2400::1".split(
  " ",
);

function hex(v4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = v4.split(".").map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function inverted(v4: string): string {
  return hex(
    v4
      .split(".")
      .map((byte) => 255 - Number(byte))
      .join("."),
  );
}

const closed = [
  ...FORMS.flatMap(([name, form, ranged]) => PRIVATE_V4.map((v4) => [form(v4), name, ranged] as const)),
  ...PRIVATE_V4.map((v4) => [`::ffff:${v4}`, "mapped", false] as const),
  ...CLOSED_FORMS.flatMap(([name, form]) => [...PRIVATE_V4, ...PUBLIC_V4].map((v4) => [form(v4), name, true] as const)),
  ...PRIVATE_V6.map((address) => [address, "IPv6", true] as const),
];
const open = [
  ...FORMS.flatMap(([name, form]) => PUBLIC_V4.map((v4) => [form(v4), name] as const)),
  ...PUBLIC_V4.map((v4) => [`::ffff:${v4}`, "mapped"] as const),
  ...PUBLIC_V6.map((address) => [address, "IPv6"] as const),
];
const engines = parseAddressList(ENGINE_RANGES.join(","));

async function writes(host: string): Promise<string> {
  try {
    await checkTarget(`https://${host}/hook`, false, () => Promise.reject(new Error("no such name")));
    return "taken";
  } catch (error) {
    if (error instanceof OutgoingError) return error.reason;
    throw error;
  }
}

/** What a resolver answers is judged like what is written. */
async function resolves(address: string): Promise<string> {
  try {
    await checkTarget("https://name.example/hook", false, () => Promise.resolve([address]));
    return "taken";
  } catch (error) {
    if (error instanceof OutgoingError) return error.reason;
    throw error;
  }
}

/** A fallback of an inbound stands for all targets in configuration. */
function configured(server: string): string {
  const fragment = { listen_port: 443, fallback: { server, server_port: 80 } };
  return privateTargetPaths("inbounds", "trojan", fragment).length > 0 ? "private" : "taken";
}

const bracketed = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address);

test("the table has every form of every private range", () => {
  expect(closed.length).toBeGreaterThan(250);
  for (const [address, form] of [...closed, ...open]) expect([form, address, isIP(address)]).not.toContain(0);
});

test("private addresses are closed to what is written, what resolves, what is configured, and to engines", async () => {
  for (const [address, form, ranged] of closed) {
    const seen = {
      itself: isPrivateAddress(address),
      upper: isPrivateAddress(address.toUpperCase()),
      zone: isIP(address) === 4 || isPrivateAddress(`${address}%eth0`),
      host: isPrivateHost(bracketed(address)),
      written: await writes(bracketed(address)),
      resolved: await resolves(address),
      configured: configured(address),
      engines: !ranged || engines.contains(address),
    };
    expect([form, address, seen]).toEqual([
      form,
      address,
      {
        itself: true,
        upper: true,
        zone: true,
        host: true,
        written: "private",
        resolved: "private",
        configured: "private",
        engines: true,
      },
    ]);
  }
});

test("public addresses stay open, translated ones too", async () => {
  for (const [address, form] of open) {
    const seen = {
      itself: isPrivateAddress(address),
      written: await writes(bracketed(address)),
      resolved: await resolves(address),
      configured: configured(address),
      engines: engines.contains(address),
    };
    expect([form, address, seen]).toEqual([
      form,
      address,
      { itself: false, written: "taken", resolved: "taken", configured: "taken", engines: false },
    ]);
  }
});

describe("hosts", () => {
  test.each([
    "localhost",
    "LOCALHOST",
    "localhost.",
    "foo.localhost",
    "a.b.LocalHost.",
    "localhost.localdomain",
    "localhost6",
    "ip6-localhost",
    "ip6-loopback",
    "printer.local",
    "printer.local.",
    "metadata.google.internal",
    "router.home.arpa",
    "box.localdomain",
    "ｌｏｃａｌｈｏｓｔ",
    "127.1",
    "127.0.0.1.",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "2130706433",
    "017700000001",
    "10.1",
    "0",
    "①②⑦.0.0.1",
    "[::FFFF:127.0.0.1]",
    "[::ffff:0:127.0.0.1]",
  ])("%s is private when it is written, though nothing resolves", async (host) => {
    expect([isPrivateHost(host), await writes(host), configured(host)]).toEqual([true, "private", "private"]);
  });

  test.each(["localhost.example", "notlocalhost", "local.example", "internal.example.com", "home.arpa.example", "1.1"])(
    "%s is an ordinary name or address",
    async (host) => {
      expect([isPrivateHost(host), await writes(host)]).toEqual([false, "taken"]);
    },
  );

  test("what is no address counts as private, since somebody forgot to resolve it", () => {
    for (const text of ["", "example.com", "fe80::1%", "1.2.3"]) expect(isPrivateAddress(text)).toBe(true);
  });

  test("with private targets allowed nothing is refused for what it is", () => {
    for (const host of ["localhost.", "[::ffff:0:127.0.0.1]", "box.local"])
      expect(parseTarget(`http://${host}/`, true).protocol).toBe("http:");
    expect([isOwnName("nas.local"), isOwnName("a.localhost.")]).toEqual([false, true]);
  });
});
