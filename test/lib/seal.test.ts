// Sealed secrets and the panel's key.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findKey, isSealed, makeKey, openSecret, parseKey, SealError, sealSecret } from "../../src/lib/seal.ts";

const key = Buffer.alloc(32, 7);
const place = { table: "admins", column: "totp", id: 3 };

describe("sealing", () => {
  test("opens what it sealed, with another nonce each time", () => {
    const sealed = sealSecret(key, "سرّ 🔑", place);
    expect(sealed).toMatch(/^s1\.[A-Za-z0-9_-]+$/);
    expect(sealSecret(key, "سرّ 🔑", place)).not.toBe(sealed);
    expect(openSecret(key, sealed, place)).toBe("سرّ 🔑");
    expect(openSecret(key, sealSecret(key, "", place), place)).toBe("");
    expect([isSealed(sealed), isSealed(sealSecret(key, "", place))]).toEqual([true, true]);
    for (const text of ["", "s1.", "s1.AAAA", sealed.slice(1), `${sealed} `]) expect(isSealed(text)).toBe(false);
  });
  test("the nonce comes from the given source", () => {
    const fixed = (size: number): Uint8Array => Buffer.alloc(size, 1);
    expect(sealSecret(key, "x", place, fixed)).toBe(sealSecret(key, "x", place, fixed));
  });
  // rules certificates.secret.1, certificates.secret.6
  test("refuses another row, column, table, key, and every altered character", () => {
    const sealed = sealSecret(key, "secret", place);
    for (const other of [
      { ...place, id: 4 },
      { ...place, column: "key" },
      { ...place, table: "users" },
    ])
      expect(() => openSecret(key, sealed, other)).toThrow(SealError);
    expect(() => openSecret(Buffer.alloc(32, 8), sealed, place)).toThrow("admins.totp of 3 does not open");
    for (let index = 0; index < sealed.length; index += 1) {
      const altered = sealed.slice(0, index) + (sealed[index] === "A" ? "B" : "A") + sealed.slice(index + 1);
      expect(() => openSecret(key, altered, place)).toThrow(SealError);
    }
    expect(() => openSecret(key, "s1.AAAA", place)).toThrow("too short");
  });
});

describe("the key", () => {
  let directory = "";
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "seal-"));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });
  // rule certificates.secret.1
  test("is made once, for its owner alone", () => {
    const file = join(directory, "secret.key");
    expect(findKey({ file })).toBeUndefined();
    const made = makeKey({ file });
    expect(made.length).toBe(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(findKey({ file })).toEqual(made);
    expect(makeKey({ file })).toEqual(made);
    expect(readdirSync(directory)).toEqual(["secret.key"]);
    expect(readFileSync(file, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
    chmodSync(file, 0o644);
    findKey({ file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
  // rule certificates.secret.6
  test("a damaged file is refused by name", () => {
    const file = join(directory, "secret.key");
    writeFileSync(file, "short");
    expect(() => findKey({ file })).toThrow(`the key file ${file} must be 32 bytes`);
  });
  // rule certificates.secret.1
  test("from the environment, in each spelling", () => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));
    for (const text of [
      bytes.toString("hex"),
      bytes.toString("hex").toUpperCase(),
      bytes.toString("base64"),
      bytes.toString("base64url"),
      ` ${bytes.toString("base64")}\n`,
    ]) {
      expect(Buffer.from(findKey({ file: join(directory, "unused"), fromEnvironment: text }) ?? [])).toEqual(bytes);
    }
    expect(readdirSync(directory)).toEqual([]);
  });
  test.each([
    "",
    "abc",
    "0".repeat(63),
    "z".repeat(64),
    "A".repeat(42),
    Buffer.alloc(31).toString("base64"),
    Buffer.alloc(33).toString("base64"),
  ])("%j is refused", (text) => {
    expect(() => parseKey(text, "SIGNALBOX_SECRET_KEY")).toThrow(
      "SIGNALBOX_SECRET_KEY must be 32 bytes, written as 64 hex digits or as base64",
    );
  });
});
