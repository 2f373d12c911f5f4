// The clash format: a document whose references hold, whatever names hold, and that mihomo takes where it is installed.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { clashProxy } from "../../../src/subscriptions/documents/clash-proxy.ts";
import { xhttpOptions } from "../../../src/subscriptions/documents/clash-xhttp.ts";
import { renderClash } from "../../../src/subscriptions/documents/clash.ts";
import { coreOf, MIHOMO_WITH_XHTTP } from "../../../src/subscriptions/documents/cores.ts";
import { entriesOf } from "../../../src/subscriptions/documents/entries.ts";
import { omissionOf } from "../../../src/subscriptions/documents/limits.ts";
import { placeholderEntry } from "../../../src/subscriptions/documents/placeholder.ts";
import { untoldParts } from "../../../src/subscriptions/documents/omitted-parts.ts";
import { yamlText } from "../../../src/lib/yaml.ts";
import { inbound, node, selfSigned, tls, user } from "./fixtures.ts";
import { shapes } from "./shapes.ts";

const Document = z.object({
  proxies: z.array(z.looseObject({ name: z.string(), type: z.string() })),
  "proxy-groups": z.array(z.object({ name: z.string(), type: z.string(), proxies: z.array(z.string()) })),
  rules: z.array(z.string()),
});
const documentOf = (...input: Parameters<typeof renderClash>) => Document.parse(parse(renderClash(...input)));

test.each([
  ["several", entriesOf(user, [inbound("vless", { tls }), inbound("trojan"), inbound("anytls", { tls })])],
  ["the placeholder", [placeholderEntry("Expired")]],
  ["no", []],
])("with %s entries every name is unique and every reference holds", (_name, entries) => {
  const { proxies, "proxy-groups": groups, rules } = documentOf(entries);
  const names = [...proxies, ...groups].map(({ name }) => name);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  for (const group of groups) {
    expect(group.proxies).not.toEqual([]);
    for (const member of group.proxies) expect([...names, "DIRECT"]).toContain(member);
  }
  for (const rule of rules) expect([...names, "DIRECT"]).toContain(rule.split(",")[rule.startsWith("MATCH") ? 1 : 2]);
});

test("a pinned certificate is verified by its pin, one that nothing is known of not at all", () => {
  const [pinned] = entriesOf(user, [inbound("vless", { tls }, { nodes: [{ ...node, certificate: selfSigned }] })]);
  expect(pinned && clashProxy(pinned)).toMatchObject({ servername: "a.test", fingerprint: selfSigned.sha256 });
  const [blind] = entriesOf(user, [inbound("trojan", { tls }, { client: { tls: { insecure: true } } })]);
  expect(blind && clashProxy(blind)).toMatchObject({ sni: "a.test", "skip-cert-verify": true });
});

// rule subscriptions.format.13
test("xhttp goes to a mihomo that says that it is new enough, and to no other", () => {
  const [entry] = entriesOf(user, [inbound("vless", { transport: { type: "xhttp", path: "/x", mode: "packet-up" } })]);
  if (!entry) throw new Error("no entry");
  const at = (userAgent: string) => {
    const core = coreOf("clash", userAgent);
    const omission = omissionOf("clash", entry, core);
    expect([userAgent, clashProxy(entry, core) === undefined]).toEqual([userAgent, omission !== undefined]);
    return omission?.code ?? "told";
  };
  const [major, minor, patch] = MIHOMO_WITH_XHTTP;
  for (const told of [`clash.meta/v${major}.${minor}.${patch}`, "mihomo/2.0.0", "App/1.0 (mihomo/v1.20.0; x)"])
    expect([told, at(told)]).toEqual([told, "told"]);
  for (const old of [`clash.meta/v${major}.${minor}.${patch - 1}`, "Clash.Meta/1.18.99", "mihomo/0.99.99"])
    expect([old, at(old)]).toEqual([old, "core"]);
  const unnamed = [
    "",
    "clash-verge/v9.9.9",
    "mihomo.party/v9.9.9",
    "ClashMetaForAndroid/9.9.9",
    "clash.meta/alpha-0e0265f",
  ];
  for (const other of [...unnamed, "notmihomo/9.9.9", "mihomo/9.9", `${" ".repeat(600)}mihomo/9.9.9`])
    expect([other, at(other)]).toEqual([other, "core_unnamed"]);
  // Kept by few values, whatever a client says.
  expect(coreOf("clash", "mihomo/9999.9999.9999")).toBe(MIHOMO_WITH_XHTTP);
  expect(clashProxy(entry, MIHOMO_WITH_XHTTP)).toMatchObject({
    network: "xhttp",
    alpn: ["http/1.1"],
    "xhttp-opts": { path: "/x", mode: "packet-up" },
  });
});

// rules subscriptions.format.13, subscriptions.preview.3
test("of the further options of xhttp mihomo is told those that it knows, with values that it takes", () => {
  const known = { xPaddingBytes: "100-200", noGRPCHeader: true, scMaxEachPostBytes: 5000 };
  const strange = { scMinPostsIntervalMs: "9-1", xmux: {}, constructor: "x", "a: b\n- c": 1 };
  const extra = { ...known, ...strange };
  const plain = inbound("vless", { transport: { type: "xhttp" } });
  const transport = { type: "xhttp", path: "", host: "", mode: "auto", extra } as const;
  // As an older version may have stored it.
  const [entry] = entriesOf(user, [{ ...plain, dialect: { ...plain.dialect, transport } }]);
  if (!entry) throw new Error("no entry");
  expect(clashProxy(entry, MIHOMO_WITH_XHTTP)?.["xhttp-opts"]).toEqual({
    path: "/",
    "x-padding-bytes": "100-200",
    "no-grpc-header": true,
    "sc-max-each-post-bytes": "5000",
  });
  expect(untoldParts("clash", entry)).toEqual(Object.keys(strange).map((key) => `config.transport.extra.${key}`));
  for (const format of ["links", "xray"] as const) expect(untoldParts(format, entry)).toEqual([]);
  for (const value of ["0", "abc", "1-", "-1", 1.5, Number.NaN, null, [1], { from: 1 }, "1".repeat(20)])
    expect([value, xhttpOptions({ xPaddingBytes: value }).told]).toEqual([value, {}]);
});

// rule subscriptions.format.7
test.each([
  "on",
  "no",
  "~",
  "1e3",
  "0x1F",
  "2026-01-01",
  "*alias &anchor",
  "- a",
  "a: b",
  "a # b",
  '"',
  "'",
  "\\",
  "%YAML",
  "!!js/function",
  "{{x}}",
  "<<",
  "نام\u200c کاربر 🇩🇪",
  "x\u0085y\u2028z\ufeff",
  "Proxy",
  "DIRECT",
  "__proto__",
])("a name or password like %j is a text and nothing else", (text) => {
  const remark = text;
  const hostile = { ...user, password: `${text}\nproxies: []` };
  const plain = inbound("trojan", { tls });
  // As an older version may have stored it.
  const transport = { type: "ws", path: `/${text}`, host: text, earlyData: 0, earlyDataHeader: "" } as const;
  const entries = entriesOf(hostile, [{ ...plain, remark, dialect: { ...plain.dialect, transport } }]);
  const { proxies, "proxy-groups": groups } = documentOf(entries);
  expect(proxies).toEqual([
    expect.objectContaining({ name: entries[0]?.name, password: hostile.password, network: "ws" }),
  ]);
  expect(groups[0]?.proxies).toEqual(["Auto", entries[0]?.name, "DIRECT"]);
});

test("YAML reads back as it was", () => {
  const value = { a: [], b: {}, c: [{ d: [1, true, "x: y"], "e f": ["\ud800"] }, ["nested", ["more"]]], g: -1.5 };
  expect(parse(yamlText(value))).toEqual({ ...value, c: [{ d: [1, true, "x: y"], "e f": ["\ufffd"] }, value.c[1]] });
});

/** `scripts/install-old-engines` builds it: `go install` takes no version of mihomo. */
const mihomo = process.env["MIHOMO"];
if (mihomo !== undefined)
  describe("mihomo", () => {
    const objection = async (document: string) => {
      const directory = await mkdtemp(path.join(tmpdir(), "clash-"));
      try {
        const file = path.join(directory, "config.yaml");
        await writeFile(file, document);
        const { status, stdout } = spawnSync(mihomo, ["-t", "-d", directory, "-f", file], { encoding: "utf8" });
        return status === 0 ? undefined : stdout;
      } finally {
        await rm(directory, { recursive: true });
      }
    };
    const core = coreOf(
      "clash",
      `mihomo/${/\d+\.\d+\.\d+/.exec(spawnSync(mihomo, ["-v"], { encoding: "utf8" }).stdout)?.[0]}`,
    );
    test("takes the document of all entries, and has an objection to what is wrong", async () => {
      expect(await objection(renderClash([...shapes, placeholderEntry("Expired")], core))).toBeUndefined();
      expect(await objection(yamlText({ proxies: [{ name: "a", type: "nonsense" }] }))).toContain("nonsense");
    });
  });
