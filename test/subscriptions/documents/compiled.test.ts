// Documents that are compiled once say the same as those written for an account alone.
import { expect, test } from "vitest";
import { Documents } from "../../../src/subscriptions/delivery/kept-documents.ts";
import { MIHOMO_WITH_XHTTP, type CoreVersion } from "../../../src/subscriptions/documents/cores.ts";
import { entriesOf } from "../../../src/subscriptions/documents/entries.ts";
import { ENTRY_FORMAT_NAMES } from "../../../src/subscriptions/documents/limits.ts";
import type { ServedFront, SubscriptionUser } from "../../../src/subscriptions/documents/model.ts";
import { RENDERERS } from "../../../src/subscriptions/documents/render.ts";
import { inbound, node, reality, selfSigned, tls, user } from "./fixtures.ts";

const front: ServedFront = {
  id: 1,
  enabled: true,
  name: "cdn",
  remark: "",
  domain: "cdn.test",
  address: "",
  port: 0,
  sni: "",
  path: "",
};
const nodes = [
  { ...node, linkAddress: "main|de1.test,198.51.100.7" },
  { ...node, id: 2, name: "nl «2»", address: "nl.test", vision: false, multiplex: true, certificate: selfSigned },
];
const key = (bytes: number) => Buffer.alloc(bytes, 9).toString("base64");
const inbounds = [
  inbound("vless", { tls }, { remark: "{name} & {node} <b>", nodes }),
  inbound("vless", { tls: { ...tls, reality } }, { id: 2, tag: "r" }),
  inbound("vless", { tls, transport: { type: "ws", path: "/w?a=b" } }, { id: 3, tag: "w", fronts: [front] }),
  inbound("vmess", { tls, transport: { type: "grpc", service_name: "g" } }, { id: 4, tag: "vm", nodes }),
  inbound("trojan", { tls }, { id: 5, tag: "t", remark: "on" }),
  inbound("shadowsocks", { method: "aes-256-gcm" }, { id: 6, tag: "s1" }),
  inbound("shadowsocks", { method: "2022-blake3-aes-128-gcm", password: key(16) }, { id: 7, tag: "s2" }),
  inbound("shadowsocks", { method: "2022-blake3-aes-256-gcm", password: key(32) }, { id: 8, tag: "s3" }),
  inbound("hysteria2", { tls, obfs: { type: "salamander", password: "obfuscate" } }, { id: 9, tag: "h" }),
  inbound("tuic", { tls }, { id: 10, tag: "tu", remark: "auto" }),
  inbound("anytls", { tls }, { id: 11, tag: "a", remark: "auto" }),
  inbound("mixed", {}, { id: 12, tag: "m" }),
  inbound("http", { tls }, { id: 13, tag: "ht" }),
  inbound("vless", { transport: { type: "xhttp" } }, { id: 14, tag: "x" }),
];

const users: readonly SubscriptionUser[] = [
  user,
  { ...user, flow: "" },
  { ...user, flow: "xtls-rprx-vision-udp443", name: "Бегемот 🦛", remark: "خانه" },
  {
    ...user,
    name: "on",
    remark: `a"b\\c'd: #e\u0085\u2028&<%41>{node}\n- x`,
    password: `p"\\%/:@#?&+ \u2029é\u{10ffff}`,
  },
  { ...user, name: "uuid", remark: "$& $1 $`", password: "password" },
  { ...user, name: "auto", remark: "auto" },
  { ...user, ss16: "", ss32: "" },
  { ...user, by: { trojan: { password: "own" }, vless: { uuid: "00000000-0000-4000-8000-000000000001" } } },
];
const cores: readonly CoreVersion[] = [undefined, [1, 8], [1, 11], MIHOMO_WITH_XHTTP];

// rule subscriptions.entry.7
test.each(ENTRY_FORMAT_NAMES)("a compiled document of %s is the one that is written for the account", (format) => {
  const documents = new Documents();
  for (const core of cores) {
    for (const one of users) {
      const written = RENDERERS[format](entriesOf(one, inbounds), core);
      expect(documents.of(format, inbounds, one, core).bytes().toString()).toBe(written);
      expect(documents.of(format, inbounds, one, core).bytes().toString(), "a second time").toBe(written);
      const single = inbounds.slice(4, 5);
      expect(documents.of(format, single, one, core).bytes().toString()).toBe(
        RENDERERS[format](entriesOf(one, single), core),
      );
    }
  }
  expect(documents.of(format, [], user).bytes().toString()).toBe(RENDERERS[format]([]));
});

// rule subscriptions.entry.7
test.each(ENTRY_FORMAT_NAMES)("names that say nothing of the account are in a compiled document of %s", (format) => {
  const documents = new Documents();
  const alike = inbounds.slice(1);
  const figure = () => "9 GiB";
  const named = [
    undefined,
    { template: "", figure },
    { template: "{remark} {inbound} · {node} {label}", figure },
    { template: "{tag} {name}", figure },
    { template: "{protocol} {left}", figure },
    { template: "auto", figure },
  ];
  // In turn, so that what was made for one template is not taken for another.
  for (const naming of [...named, ...named])
    for (const one of users)
      for (const remark of ["", one.remark]) {
        const asked = { ...one, remark, ...(naming && { naming }) };
        for (const listed of [alike, inbounds])
          expect(documents.of(format, listed, asked).bytes().toString()).toBe(
            RENDERERS[format](entriesOf(asked, listed)),
          );
      }
});

test("past its capacity, what was compiled is compiled again", () => {
  const documents = new Documents(1);
  const written = RENDERERS.clash(entriesOf(user, inbounds));
  for (let time = 0; time < 3; time++) expect(documents.of("clash", inbounds, user).bytes().toString()).toBe(written);
});
