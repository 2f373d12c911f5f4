// Routes and core blocks at write.
import { expect, test } from "vitest";
import { coreIssues, parseRoute } from "../../../src/pool/dialect/route.ts";

// rule pool.template.2
test("collects what the rules name", () => {
  const route = {
    rules: [
      { action: "sniff" },
      { inbound: ["in-1"], rule_set: "ads", action: "reject" },
      { domain_suffix: [".test"], outbound: "up" },
      {
        type: "logical",
        mode: "or",
        rules: [{ rule_set: ["a", "ads"] }, { ip_is_private: true, inbound: "in-2" }],
        outbound: "block",
      },
    ],
    final: "direct",
  };
  expect(parseRoute(route)).toEqual({
    ok: true,
    references: { outbounds: ["up", "block", "direct"], ruleSets: ["ads", "a"], inbounds: ["in-1", "in-2"] },
  });
  expect(parseRoute({})).toEqual({ ok: true, references: { outbounds: [], ruleSets: [], inbounds: [] } });
});

test.each<[unknown, string, string]>([
  [[], "", "must be an object"],
  [{ rules: {} }, "rules", "list of rules"],
  [{ rules: [7] }, "rules.0", "must be an object"],
  [{ final: 7 }, "final", "must name an outbound"],
  [{ geoip: {} }, "geoip", "rule set"],
  [{ rules: [{ geosite: ["ir"], outbound: "x" }] }, "rules.0.geosite", "rule set"],
  [{ rules: [{ domain: ["a"] }] }, "rules.0.outbound", "must name an outbound"],
  [{ rules: [{ action: "drop" }] }, "rules.0.action", "must be one of route"],
  [{ rules: [{ type: "logical", mode: "xor", rules: [{}], outbound: "x" }] }, "rules.0.mode", "and or or"],
  [
    { rules: [{ type: "logical", mode: "or", rules: [{ source_geoip: "ir" }], outbound: "x" }] },
    "rules.0.rules.0.source_geoip",
    "rule set",
  ],
])("%j is refused at %s", (route, path, message) => {
  const result = parseRoute(route);
  if (result.ok) throw new Error("accepted");
  expect(result.issues.map((issue) => issue.path)).toEqual([path]);
  expect(result.issues[0]?.message).toContain(message);
});

test("core blocks", () => {
  expect(
    coreIssues({
      dns: { servers: [{ type: "udp", server: "1.1.1.1" }], rules: [{ server: "x" }] },
      log: { level: "info" },
      ntp: {},
    }),
  ).toEqual([]);
  const issues = coreIssues({
    dns: { servers: [{ address: "tls://1.1.1.1" }], rules: [{ outbound: "any" }], fakeip: {} },
    route: {},
    log: 1,
  });
  expect(issues.map((issue) => issue.path).toSorted()).toEqual([
    "dns.fakeip",
    "dns.rules.0.outbound",
    "dns.servers.0.address",
    "log",
    "route",
  ]);
});
