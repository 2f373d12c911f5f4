// What clients need of a certificate, read from its PEM.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { servedCertificate } from "../../../src/subscriptions/documents/certificate.ts";
import { coversHost } from "../../../src/subscriptions/documents/client-tls.ts";
import { issueSelfSigned } from "../../../src/certificates/testing.ts";
import { selfSignedPem } from "./certificate-fixture.ts";

test("a self-signed certificate", () => {
  const certificate = servedCertificate(selfSignedPem, { server_name: "x" });
  const der = Buffer.from(selfSignedPem.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
  expect(certificate).toMatchObject({
    selfSigned: true,
    sha256: createHash("sha256").update(der).digest("hex"),
    client: { server_name: "x" },
  });
  expect(certificate.names).toEqual(["a.test", "*.b.test", "203.0.113.7", "2001:DB8:0:0:0:0:0:1"]);
  expect(() => servedCertificate("nothing", {})).toThrow();
});

test("one of the panel's own is self-signed, though its key may not sign certificates", async () => {
  const { certificate } = await issueSelfSigned(["a.test"], Date.now());
  expect(servedCertificate(certificate, {})).toMatchObject({ selfSigned: true, names: ["a.test"] });
});

test.each([
  ["a.test", true],
  ["A.TEST", true],
  ["x.b.test", true],
  ["x.y.b.test", false],
  ["b.test", false],
  ["203.0.113.7", true],
  ["2001:db8::1", true],
  ["2001:db8::2", false],
])("covers %s: %s", (host, covered) => {
  expect(coversHost(["a.test", "*.b.test", "203.0.113.7", "2001:DB8:0:0:0:0:0:1"], host)).toBe(covered);
});
