// Encrypted import links, against what other programs compute.
import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { happLink, incyLink } from "../../../src/accounts/links/import-links.ts";

const url = "https://panel.example/sub/abc";
const shared = {
  key: Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString("base64"),
  scheme: "crypt1",
};
const iv = Buffer.from(Array.from({ length: 12 }, (_, index) => 100 + index));

/** Made by AES-GCM of Python's `cryptography` 48. */
// rule subscriptions.import.2
test.each([
  [
    'علی "x"',
    "ZGVmZ2hpamtsbW5vMzmwREPLjifn5oRk-jlIhR7gJCapGYEeheuOII_X1Tuuxm-wLXz-aNOWAF6QMqaqNCjthQ8rI0vY3Y6gzbuU91J0JYYlCQ-dQWtXB8KTWXE",
  ],
  ["", "ZGVmZ2hpamtsbW5vMzmrFBXLbLxWFiuYqV9F0jKjaG_nQpYKxrzcJJ6M1j32xiGiLzC3JovRQg6AtlzsCGTAZqh3f0WazntaFg"],
])("INCY, for the name %j", (name, sealed) => {
  expect(incyLink(url, name, shared, iv)).toBe(`incy://crypt1/${sealed}`);
});

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const app = { key: publicKey.export({ type: "spki", format: "pem" }).toString(), scheme: "crypt4" };

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let [square, rest] = [base, exponent]; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** RSA by hand: the number to the private exponent, and the padding taken off. */
function opened(sealed: Buffer): string {
  const { n = "", d = "" } = privateKey.export({ format: "jwk" });
  const number = (text: string) => BigInt(`0x${Buffer.from(text, "base64url").toString("hex")}`);
  const plain = power(BigInt(`0x${sealed.toString("hex")}`), number(d), number(n));
  const bytes = Buffer.from(plain.toString(16).padStart(512, "0"), "hex");
  expect([bytes[0], bytes[1]]).toEqual([0, 2]);
  return bytes.subarray(bytes.indexOf(0, 2) + 1).toString("utf8");
}

// rule subscriptions.import.1
test("Happ: the address under PKCS#1 v1.5, another text each time", () => {
  const [link, again] = [happLink(url, app), happLink(url, app)];
  expect(link).toMatch(/^happ:\/\/crypt4\/[A-Za-z0-9+/]{342}==$/);
  expect(again).not.toBe(link);
  expect(opened(Buffer.from(link.slice("happ://crypt4/".length), "base64"))).toBe(url);
  expect(happLink(`https://panel.example/${"x".repeat(300)}`, app)).toBe("");
});

// rule subscriptions.import.3
test.each(["", "crypt4/../x", "a b", "javascript:alert(1)//"])(
  "without a key, or with the scheme %j: none",
  (scheme) => {
    expect(happLink(url, { ...app, scheme })).toBe("");
    expect(incyLink(url, "", { ...shared, scheme }, iv)).toBe("");
    expect(happLink(url, { key: "", scheme: "crypt4" })).toBe("");
    expect(incyLink(url, "", { key: "", scheme: "crypt1" }, iv)).toBe("");
  },
);
