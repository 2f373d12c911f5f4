// Routing rules and private addresses: pure decisions, by table.
import { describe, expect, test } from "vitest";
import { compileRoute } from "../../../src/agent/engines/embedded/route.ts";
import type { Flow } from "../../../src/agent/engines/embedded/route.ts";
import type { Fragment } from "../../../src/protocol/plan.ts";
import { isPrivateAddress } from "../../../src/lib/private-addresses.ts";
import { sentences } from "../sentences.ts";

const flow = (fields: Partial<Flow> = {}): Flow => ({
  inbound: "in-1",
  user: "7.1",
  network: "tcp",
  host: "www.example.org",
  port: 443,
  ...fields,
});

describe("one rule", () => {
  test.each<[string, Fragment, Partial<Flow>, Partial<Flow>]>([
    ["inbound", { inbound: "in-1" }, {}, { inbound: "in-2" }],
    ["auth_user", { auth_user: ["7.1", "9.1"] }, {}, { user: "8.1" }],
    ["network", { network: "udp" }, { network: "udp" }, {}],
    ["port", { port: [80, 443] }, {}, { port: 81 }],
    ["port_range", { port_range: "400:500" }, {}, { port: 501 }],
    ["open port_range", { port_range: ["1024:"] }, { port: 1024 }, {}],
    ["port or port_range", { port: 1, port_range: [":5", "443:443"] }, {}, { port: 6 }],
    ["domain", { domain: "WWW.example.org" }, {}, { host: "example.org" }],
    ["domain_suffix", { domain_suffix: "example.org" }, {}, { host: "badexample.org" }],
    ["dotted domain_suffix", { domain_suffix: [".example.org"] }, {}, { host: "example.org" }],
    ["domain_keyword", { domain_keyword: "ample" }, {}, { host: "192.0.2.1" }],
    ["ip_cidr", { ip_cidr: "192.0.2.0/25" }, { host: "192.0.2.127" }, { host: "192.0.2.128" }],
    ["IPv6 ip_cidr", { ip_cidr: ["2001:db8::/33"] }, { host: "2001:db8:7fff::1" }, { host: "2001:db8:8000::1" }],
    ["single ip_cidr", { ip_cidr: "192.0.2.1" }, { host: "192.0.2.1" }, { host: "192.0.2.2" }],
    ["ip_is_private", { ip_is_private: true }, { host: "10.0.0.1" }, { host: "192.0.2.2" }],
    ["destinations are alternatives", { domain: "a.test", ip_cidr: "192.0.2.0/24" }, { host: "192.0.2.9" }, {}],
    ["groups are all needed", { domain_suffix: "example.org", port: 443 }, {}, { port: 80 }],
  ])("%s", (_name, rule, matching, other) => {
    const { router, warnings } = compileRoute({ rules: [{ ...rule, outbound: "x" }], final: "last" }, "direct");
    expect(warnings).toEqual([]);
    expect(router.decide(flow(matching))).toEqual({ kind: "outbound", tag: "x" });
    expect(router.decide(flow(other))).toEqual({ kind: "outbound", tag: "last" });
  });
});

test("the first match decides, reject rejects, and without final the default is taken", () => {
  const { router, tags } = compileRoute(
    {
      rules: [
        { port: 25, action: "reject" },
        { port: [25, 80], action: "route", outbound: "x" },
      ],
    },
    "direct",
  );
  expect(router.decide(flow({ port: 25 }))).toEqual({ kind: "reject" });
  expect(router.decide(flow({ port: 80 }))).toEqual({ kind: "outbound", tag: "x" });
  expect(router.decide(flow())).toEqual({ kind: "outbound", tag: "direct" });
  expect(tags).toEqual(["x", "direct"]);
});

test("a resolve rule asks for addresses, which later rules then judge", () => {
  const { router } = compileRoute(
    { rules: [{ action: "resolve" }, { ip_cidr: "192.0.2.0/24", outbound: "x" }] },
    "direct",
  );
  expect(router.decide(flow())).toEqual({ kind: "resolve" });
  expect(router.decide(flow({ addresses: ["198.51.100.1", "192.0.2.1"] }))).toEqual({ kind: "outbound", tag: "x" });
  expect(router.decide(flow({ host: "192.0.2.1" }))).toEqual({ kind: "outbound", tag: "x" });
});

test("what is not served is left out with a warning that names it", () => {
  const rules = [
    { rule_set: "ads", outbound: "block" },
    { invert: true, port: 1, outbound: "x" },
    { action: "sniff" },
    { port: "http", outbound: "x" },
    { ip_cidr: "300.1.1.1/8", outbound: "x" },
    { port_range: "a-b", outbound: "x" },
    { port: 1 },
    7,
  ];
  const { router, warnings } = compileRoute({ rules, rule_set: [], final: "direct" }, "direct");
  expect(warnings).toHaveLength(rules.length + 1);
  expect(sentences(warnings)[0]).toMatch(/rule 0 .*rule_set.*sing-box/);
  expect(sentences(warnings)[4]).toContain("300.1.1.1/8");
  expect(router.decide(flow())).toEqual({ kind: "outbound", tag: "direct" });
});

test("a final that is no tag sends nothing out", () => {
  expect(compileRoute({ final: 7 }, "direct").router.decide(flow())).toEqual({ kind: "reject" });
});

describe("private addresses", () => {
  test.each(
    "0.0.0.0 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 224.0.0.1 239.1.1.1 255.255.255.255 :: ::1 fe80::1 febf::1 fc00::1 fdff::1 ff02::1 fec0::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::127.0.0.1 64:ff9b::a00:1 2002:7f00:1::1 fe80::1%lo".split(
      " ",
    ),
  )("%s is closed", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  test.each(
    "1.1.1.1 9.255.255.255 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.169.0.1 223.255.255.255 2606:4700::1111 ::ffff:1.1.1.1 64:ff9b::101:101 2002:101:101::1".split(
      " ",
    ),
  )("%s is open", (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});
