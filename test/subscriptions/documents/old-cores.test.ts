// Documents for old cores under the check of these very cores: each program that `OLD_SING_BOX` names takes what a
// client that says its version is sent. One key that it does not know, and it refuses the whole file.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { ClientTls } from "../../../src/pool/index.ts";
import { issueSelfSigned } from "../../../src/certificates/testing.ts";
import { coreVersion, type CoreVersion } from "../../../src/subscriptions/documents/cores.ts";
import { entriesOf } from "../../../src/subscriptions/documents/entries.ts";
import { omissionOf } from "../../../src/subscriptions/documents/limits.ts";
import type { Entry } from "../../../src/subscriptions/documents/model.ts";
import { placeholderEntry } from "../../../src/subscriptions/documents/placeholder.ts";
import { servedCertificate } from "../../../src/subscriptions/documents/certificate.ts";
import { renderSingBox } from "../../../src/subscriptions/documents/singbox.ts";
import { cellsOf } from "../../e2e/matrix/cells.ts";
import { inbound, node, reality, user } from "./fixtures.ts";

const programs = (process.env["OLD_SING_BOX"] ?? "").split(delimiter).filter((program) => program !== "");
if (programs.length === 0)
  console.warn("skipped: OLD_SING_BOX names no program, what older versions of sing-box say of documents is not known");

const { certificate, privateKey } = await issueSelfSigned(["node.test"], Date.now());
const cells = cellsOf({
  certificate,
  key: privateKey,
  serverName: "node.test",
  realityKey: reality.private_key,
  handshake: { server: "w.test", server_port: 443 },
});
const shown = servedCertificate(certificate, {});
const pem = (text: string) => text.trim().split("\n");

/** Every key of a client template, in sets that go together. */
const TEMPLATES: readonly ClientTls[] = [
  { disable_sni: true, min_version: "1.2", max_version: "1.3", cipher_suites: ["TLS_AES_128_GCM_SHA256"] },
  { fragment: true, fragment_fallback_delay: "500ms", record_fragment: true },
  { certificate_public_key_sha256: [Buffer.alloc(32, 1).toString("base64")], curve_preferences: ["X25519"] },
  { client_certificate: pem(certificate), client_key: pem(privateKey), kernel_tx: true, kernel_rx: true },
  { certificate: pem(certificate), utls: { enabled: false, fingerprint: "" } },
  { ech: { enabled: true } },
  ...["firefox", "edge", "safari", "360", "qq", "ios", "android", "random", "randomized"].map((fingerprint) => ({
    utls: { enabled: true, fingerprint },
  })),
];

/** Every protocol over every transport with every security, with certificates and flows, by a name of its own. */
const entries: readonly Entry[] = [
  ...cells.flatMap(({ name, type, vision, config }) => {
    const nodes = [
      { ...node, name: "own", certificate: shown },
      { ...node, name: "unverified", certificate: { ...shown, names: ["other.test"] } },
      { ...node, name: "public", address: "node.test" },
    ];
    return entriesOf({ ...user, flow: vision ? user.flow : "" }, [inbound(type, config, { remark: name, nodes })]);
  }),
  ...["vless", "trojan", "hysteria2"].flatMap((type) =>
    TEMPLATES.flatMap((template, index) => {
      const { tls } = z
        .looseObject({ tls: z.looseObject({}) })
        .parse(cells.find((cell) => cell.type === type && cell.security === "tls")?.config);
      return entriesOf(user, [
        inbound(type, { tls }, { remark: `${type} template ${index}`, client: { tls: template } }),
      ]);
    }),
  ),
  ...entriesOf(user, [
    inbound(
      "vless",
      { transport: { type: "ws", path: "/w", max_early_data: 2048, early_data_header_name: "Sec-WebSocket-Protocol" } },
      { remark: "early data" },
    ),
    inbound("tuic", { tls: { enabled: true }, congestion_control: "bbr" }, { remark: "tuic bbr" }),
    inbound("trojan", { tls: { enabled: true }, transport: { type: "quic" } }, { remark: "quic" }),
  ]),
  placeholderEntry("Expired"),
];

const directory = mkdtempSync(join(tmpdir(), "old-cores-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** What the program says to a document; undefined when it takes it. */
function objection(program: string, document: string): string | undefined {
  const file = join(directory, "document.json");
  writeFileSync(file, document);
  const env = { PATH: process.env["PATH"] ?? "" };
  const { status, stdout, stderr } = spawnSync(program, ["check", "-c", file], { encoding: "utf8", env });
  return status === 0 ? undefined : `${stdout}${stderr}`.trim().split("\n").at(-1);
}

function versionOf(program: string): string {
  const { stdout, error } = spawnSync(program, ["version"], { encoding: "utf8" });
  if (error) throw error;
  const found = /version (\d+\.\d+)\.\d+/.exec(stdout)?.[1];
  if (found === undefined) throw new Error(`${program} says no version: ${stdout}`);
  return found;
}

// rule subscriptions.format.8
describe.each(programs)("%s", (program) => {
  const version = versionOf(program);
  const core: CoreVersion = coreVersion(`SFA/${version}.0`);

  test(`takes the document for sing-box ${version}`, () => {
    const said = objection(program, renderSingBox(entries, core));
    const blamed =
      said === undefined
        ? []
        : entries.flatMap((entry) => {
            const each = objection(program, renderSingBox([entry], core));
            return each === undefined ? [] : [`${entry.name}: ${each}`];
          });
    expect([said, ...blamed]).toEqual([undefined]);
    expect(objection(program, renderSingBox([], core))).toBeUndefined();
    const told = entries.filter((entry) => omissionOf("singbox", entry, core) === undefined);
    expect(told.length).toBeGreaterThan(100);
  });

  test("has an objection to what is wrong", () => {
    expect(objection(program, `{"outbounds":[{"type":"nonsense"}]}`)).toMatch(/nonsense/);
  });
});

test("the document for the oldest core is not that for the newest", () => {
  expect(renderSingBox(entries, coreVersion("SFA/1.8.0"))).not.toBe(renderSingBox(entries));
});
