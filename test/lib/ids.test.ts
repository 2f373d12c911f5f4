// Shapes of random tokens.
import { expect, test } from "vitest";
import {
  accountPassword,
  alphanumeric,
  apiToken,
  pooledRandom,
  sessionToken,
  sha256Hex,
  shadowsocksKey,
  subId,
  subToken,
  uuidV4,
} from "../../src/lib/ids.ts";

test.each<[string, () => string, RegExp]>([
  ["session", sessionToken, /^[A-Za-z0-9_-]{43}$/],
  ["API token", apiToken, /^sbx_[A-Za-z0-9_-]{43}$/],
  ["subId", subId, /^[A-Za-z0-9]{16}$/],
  ["subToken", subToken, /^[0-9a-f]{32}$/],
  ["password", accountPassword, /^[A-Za-z0-9_-]{22}$/],
  ["uuid", uuidV4, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
])("%s", (_name, make, shape) => {
  const made = Array.from({ length: 200 }, () => make());
  for (const text of made) expect(text).toMatch(shape);
  expect(new Set(made).size).toBe(200);
});

test("shadowsocks keys have the asked length", () => {
  expect(Buffer.from(shadowsocksKey(16), "base64").length).toBe(16);
  expect(Buffer.from(shadowsocksKey(32), "base64").length).toBe(32);
});

test("bytes that would bias the choice are thrown away", () => {
  const batches = [Buffer.from([255, 248, 0]), Buffer.from([61, 250]), Buffer.from([62])];
  expect(alphanumeric(3, () => batches.shift() ?? Buffer.from([0]))).toBe("A9A");
});

test("pooled bytes are drawn many at a time, and each is given once", () => {
  const drawn: number[] = [];
  let next = 0;
  const random = pooledRandom(8, (size) => {
    drawn.push(size);
    return Uint8Array.from({ length: size }, () => next++);
  });
  const given = [3, 5, 6, 20].map((size) => [...random(size)].join(" "));
  expect(given).toEqual([
    "0 1 2",
    "3 4 5 6 7",
    "8 9 10 11 12 13",
    Array.from({ length: 20 }, (_, index) => 16 + index).join(" "),
  ]);
  expect(drawn).toEqual([8, 8, 20]);
});

test("sha256Hex", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
