// Codes of the second factor: RFC 6238, drift, how codes may be typed.
import { expect, test } from "vitest";
import {
  matchingStep,
  newRecoveryCodes,
  newSeed,
  otpauthUri,
  recoveryHash,
} from "../../src/access/two-factor/second-factor.ts";

/** "12345678901234567890" of RFC 6238, appendix B. */
const SEED = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
])("the vector of RFC 6238 at %i", (time, code) => {
  expect(matchingStep(SEED, code, time)).toBe(Math.floor(time / 30));
});

// rule access.totp.3
test("one step either way, no more", () => {
  const step = Math.floor(1_234_567_890 / 30);
  const middle = step * 30 + 15;
  const matched = [-46, -45, -16, 0, 15, 44, 45].map((off) => matchingStep(SEED, "005924", middle + off) === step);
  expect(matched).toEqual([false, true, true, true, true, true, false]);
});

// rule access.totp.3
test("spaces do not count; anything but six digits is no code", () => {
  expect(matchingStep(SEED, " 005 924\t", 1_234_567_890)).toBeDefined();
  for (const typed of ["", "05924", "0005924", "00592a", "-05924", "٠٠٥٩٢٤"])
    expect(matchingStep(SEED, typed, 1_234_567_890)).toBeUndefined();
});

test("a seed is 160 bits of base32 without padding, and its URI names panel and operator", () => {
  const seed = newSeed();
  expect(seed).toMatch(/^[A-Z2-7]{32}$/);
  expect(newSeed()).not.toBe(seed);
  expect(newSeed(() => Buffer.from("12345678901234567890"))).toBe(SEED);
  const uri = new URL(otpauthUri(seed, "root@example.com"));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    "otpauth:",
    "totp",
    "/Signalbox:root@example.com",
  ]);
  expect([uri.searchParams.get("secret"), uri.searchParams.get("issuer")]).toEqual([seed, "Signalbox"]);
});

// rule access.totp.5
test("ten recovery codes, all different; case, dashes and spaces do not count", () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
  const [code = ""] = codes;
  const hash = recoveryHash(code);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(recoveryHash(` ${code.replaceAll("-", "").toUpperCase()} `)).toBe(hash);
  expect([recoveryHash(code.slice(1)), recoveryHash(`${code}a`), recoveryHash("123456")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
