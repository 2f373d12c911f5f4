// Client-side overrides at write.
import { expect, test } from "vitest";
import { issueSelfSigned } from "../../../src/certificates/testing.ts";
import { parseClientConfig, parseClientTls, storedClientConfig } from "../../../src/pool/dialect/client-config.ts";

const { certificate, privateKey } = await issueSelfSigned(["a.test"], Date.now());
const pin = Buffer.alloc(32, 1).toString("base64");

// rule pool.inbound.5
test("absent, null and empty are the empty override", () => {
  for (const config of [undefined, null, {}]) expect(parseClientConfig(config)).toEqual({ ok: true, client: {} });
  expect(parseClientTls(null)).toEqual({ ok: true, tls: {} });
});

test("keys of sing-box alone are kept", () => {
  const tls = { server_name: "a.test", alpn: "h2", utls: {}, ech: { enabled: true }, fragment: true };
  expect(parseClientConfig({ server: "cdn.test", server_port: 8443, tls })).toEqual({
    ok: true,
    client: {
      server: "cdn.test",
      server_port: 8443,
      tls: { ...tls, alpn: ["h2"], utls: { enabled: true, fingerprint: "chrome" } },
    },
  });
});

test("what sing-box takes is kept as it is", () => {
  const config = ["-----BEGIN ECH CONFIGS-----", "AAAA", "-----END ECH CONFIGS-----"];
  const tls = {
    min_version: "1.2",
    cipher_suites: ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256"],
    curve_preferences: ["X25519"],
    certificate: [certificate],
    client_certificate: [certificate],
    client_key: [privateKey],
    fragment_fallback_delay: "500ms",
    ech: { enabled: true, config },
    utls: { enabled: true, fingerprint: "randomized" },
    reality: { public_key: Buffer.alloc(32, 2).toString("base64url"), short_id: "0123", spider_x: "/" },
  };
  expect(parseClientConfig({ tls })).toEqual({ ok: true, client: { tls } });
  expect(parseClientConfig({ tls: { certificate_public_key_sha256: pin } })).toEqual({
    ok: true,
    client: { tls: { certificate_public_key_sha256: [pin] } },
  });
});

// rules pool.inbound.5, subscriptions.format.11
test.each<[unknown, string]>([
  [{ server_port: 0 }, "server_port"],
  [{ port: 1 }, "port"],
  [{ tls: { insecure: "yes" } }, "tls.insecure"],
  [{ tls: { enabled: "yes" } }, "tls.enabled"],
  // An app refuses a whole subscription over any of these.
  [{ tls: { server_name: "a\nb" } }, "tls.server_name"],
  [{ tls: { utls: { fingerprint: "netscape" } } }, "tls.utls.fingerprint"],
  [{ tls: { utls: { fingerprint: "hellochrome_120" } } }, "tls.utls.fingerprint"],
  [{ tls: { reality: { public_key: "zz" } } }, "tls.reality.public_key"],
  [{ tls: { reality: { short_id: "abc" } } }, "tls.reality.short_id"],
  [{ tls: { reality: { spider_x: "abc" } } }, "tls.reality.spider_x"],
  [{ tls: { min_version: "1.9" } }, "tls.min_version"],
  [{ tls: { cipher_suites: ["x"] } }, "tls.cipher_suites"],
  [{ tls: { curve_preferences: "P1" } }, "tls.curve_preferences"],
  [{ tls: { fragment: "yes" } }, "tls.fragment"],
  [{ tls: { certificate: ["junk"] } }, "tls.certificate"],
  [{ tls: { certificate_public_key_sha256: ["ab"] } }, "tls.certificate_public_key_sha256.0"],
  [{ tls: { client_certificate: certificate.split("\n") } }, "tls.client_key"],
  [{ tls: { certificate, certificate_public_key_sha256: pin } }, "tls.certificate_public_key_sha256"],
  [{ tls: { ech: { config: ["junk"] } } }, "tls.ech.config"],
  [7, ""],
])("%j is refused at %j", (config, path) => {
  expect(parseClientConfig(config)).toMatchObject({ ok: false, issues: [{ path }] });
});

// rules pool.inbound.5, subscriptions.preview.3
test("what an older version stored is kept without the parts that are refused today", () => {
  const tls = { server_name: "a.test", utls: { fingerprint: "netscape" }, reality: { short_id: "abc" } };
  expect(storedClientConfig({ server: "cdn.test", port: 1, tls })).toEqual({
    client: { server: "cdn.test", tls: { server_name: "a.test" } },
    leftOut: ["port", "tls.utls", "tls.reality"],
  });
  const server = "cdn.test";
  expect(storedClientConfig({ server, tls: "none" })).toEqual({ client: { server }, leftOut: ["tls"] });
  // What is gone is missed by another part: the rest stays all the same.
  const pair = { client_certificate: ["none"], client_key: [privateKey] };
  expect(storedClientConfig({ server, tls: pair })).toEqual({
    client: { server, tls: {} },
    leftOut: ["tls.client_certificate", "tls.client_key"],
  });
  expect(storedClientConfig(7)).toEqual({ client: {}, leftOut: [""] });
  expect(storedClientConfig(null)).toEqual({ client: {}, leftOut: [] });
});
